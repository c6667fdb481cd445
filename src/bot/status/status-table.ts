// The status of a running bot as a compact table for a terminal.
import { timeText } from '../../domain/time-text.ts';
import type { SymbolView } from '../../trader/status/snapshot.ts';
import { standingWords } from '../../trader/status/standing.ts';
import { inColumns } from '../base/columns.ts';
import type { BotStatus } from './bot-status.ts';
import { lagLines } from './lag-meaning.ts';
import { lockWords } from './status-words.ts';

export function statusLines({ mode, headline, attentions, presence, trader }: BotStatus): string[] {
  const head = `${mode.toUpperCase()}  ${trader.phase}  as of ${timeText(trader.at)}`;
  const { reconciledAt, unknownOrders, contact, at } = trader;
  const account =
    `last answer used ${agoText(contact.usedAt, at)}, ` +
    `reconciled ${agoText(reconciledAt, at)}, ${unknownOrders} unknown orders`;
  return [
    head,
    withNext(`${headline.word}: ${headline.sentence}`, headline.next),
    ...attentions.map(({ what, next }) => withNext(what, next)),
    account,
    '',
    ...inColumns([
      COLUMNS.map(([title]) => title),
      ...trader.symbols.map((view) => COLUMNS.map(([, cell]) => cell(view, at))),
    ]),
    ...trader.symbols.flatMap((symbol) => [
      ...distrustLines(symbol),
      ...lockLines(symbol),
      // A stop is every symbol's reason.
      ...(headline.about === 'stop' ? [] : reasonLines(symbol, headline.sentence)),
    ]),
    ...['', ...lagLines(trader.readLags, at), ''],
    ...presence.map(({ symbol, sentence }) => `${symbol}: ${sentence}`),
  ];
}

export const withNext = (sentence: string, next: string): string => (next === '' ? sentence : `${sentence} ${next}`);

const bps = (value: number | null): string => (value === null ? '–' : value.toFixed(1));
const priceText = ({ referencePrice: price, referenceTrusted }: SymbolView): string =>
  price === null ? '–' : `${price}${referenceTrusted ? '' : '?'}`;

const COLUMNS: readonly (readonly [title: string, cell: (view: SymbolView, at: number) => string])[] = [
  ['symbol', ({ symbol }) => symbol],
  ['state', ({ verdict }) => verdict.word],
  ['reference', priceText],
  ['market bps', ({ marketSpreadBps }) => bps(marketSpreadBps)],
  ['quoted bps', ({ quotedSpreadBps }) => bps(quotedSpreadBps)],
  ['orders', ordersText],
  ['inventory', ({ inventory, base }) => `${inventory} ${base}`],
  ['target', ({ inventoryTarget }) => inventoryTarget],
  ['fills', ({ fills }) => `${fills.buys}/${fills.sells}`],
  ['pnl', ({ pnl, quote }) => `${pnl.total} ${quote}`],
  ['priced', ({ pnl }, at) => agoText(pnl.pricedAt, at)],
  ['book', ({ bookSentAt }, at) => agoText(bookSentAt, at)],
];

/** `2 live`; `2 live, 1 leaving`. */
function ordersText({ sides: { buy, sell } }: SymbolView): string {
  const both = {
    live: buy.live + sell.live,
    placing: buy.placing + sell.placing,
    leaving: buy.leaving + sell.leaving,
    unknown: buy.unknown + sell.unknown,
  };
  return standingWords(both) || 'none';
}

/** `BTC/INR: buying is locked until 14:05:00 UTC. Three own sales …`. */
const lockLines = ({ symbol, risk }: SymbolView): string[] => risk.locks.map((lock) => `${symbol}: ${lockWords(lock)}`);

/** Explains the question mark after a price. */
function distrustLines({ symbol, referencePrice, referenceTrusted, pnl }: SymbolView): string[] {
  if (referenceTrusted || referencePrice === null) return [];
  const last = pnl.price === null ? 'none was trusted before' : `last trusted ${pnl.price}`;
  return [`${symbol}: the reference price ${referencePrice} is not trusted; ${last}.`];
}

/** Never repeats the headline. */
function reasonLines({ symbol, reason, denied, sides }: SymbolView, headline: string): string[] {
  const { buy, sell } = sides;
  if (reason !== null) return headline.includes(reason) ? [] : [`${symbol}: ${reason}`];
  return [
    ...(buy.why === null ? [] : [`${symbol}: no bid: ${buy.why}`]),
    ...(sell.why === null ? [] : [`${symbol}: no ask: ${sell.why}`]),
    ...(denied === null ? [] : [`${symbol}: ${denied.code}: ${denied.message}`]),
  ];
}

function agoText(moment: number | null, at: number): string {
  return moment === null ? 'never' : `${((at - moment) / 1_000).toFixed(1)} s ago`;
}
