// Quotes and profit in lines for a terminal and a log, of at most some ninety columns.
import { decimal, grouped, shownDecimals } from '../../domain/decimal.ts';
import { type DurationMs, HOUR, MINUTE, SECOND } from '../../domain/time.ts';
import { timeText } from '../../domain/time-text.ts';
import { BLOCK_WORDS } from '../../quoting/block.ts';
import { lockEnd } from '../../quoting/protection-settings.ts';
import { countedMs, type TimeShare, type TimeShares } from '../../trader/presence/presence.ts';
import type { AssetView, LockView, OrderView, StatusSnapshot, SymbolView } from '../../trader/status/snapshot.ts';
import { bestLive, countStandings, standingWords } from '../../trader/status/standing.ts';
import type { UnmatchedOrderView } from '../../trader/status/views.ts';
import { inColumns } from '../base/columns.ts';
import { duration } from '../base/message.ts';
import type { KillLatch } from '../state-folder/kill-latch.ts';

/** One line per symbol: quotes and their spread, or why there are none; inventory, fills, profit. */
export function symbolLine(view: SymbolView, { at, limits }: Pick<StatusSnapshot, 'at' | 'limits'>): string {
  const { symbol, reason, quote, pnl } = view;
  const profit = `profit ${money(pnl.total, quote)} ${quote}${agedWords(pnl.pricedAt, at, limits.bookAgeMs)}`;
  const line = `${symbol} ${doing(view)}; ${held(view)}; ${fillWords(view)}; ${profit}`;
  return reason === null ? line : `${line}. ${reason}`;
}

/** Live quotes, or the state that replaces them. */
function doing({ verdict, state, orders, quotedSpreadBps }: SymbolView): string {
  const counts = countStandings(orders);
  const best = (side: OrderView['side']): string => grouped(bestLive(orders, side) ?? '—');
  if (state === 'quoting' && counts.live > 0) return `bid ${best('buy')} ask ${best('sell')}, ${bps(quotedSpreadBps)}`;
  const resting = orders.length === 0 ? '' : `, orders ${standingWords(counts)}`;
  return `${verdict.word.toLowerCase()}${resting}`;
}

/** Shows the age of a price that is older than a book may be. */
function agedWords(pricedAt: number | null, at: number, limitMs: number): string {
  return pricedAt === null || at - pricedAt <= limitMs ? '' : ` at a price of ${duration(at - pricedAt)} ago`;
}

/** The parts of a symbol's profit since its ledger was opened. */
export function profitLine({ pnl, quote }: SymbolView): string {
  const shown = (text: string): string => money(text, quote);
  const tax = pnl.taxInTotal ? `, tax ${shown(negated(pnl.taxWithheld))}` : `; tax withheld ${shown(pnl.taxWithheld)}`;
  const parts = `spread ${shown(pnl.spread)}, inventory ${shown(pnl.inventory)}, fees ${shown(negated(pnl.fees))}`;
  const others = pnl.otherFees.map(({ asset, amount }) => `; fees of ${amount} ${asset} not counted`).join('');
  return `profit ${money(pnl.total, quote)} ${quote}: ${parts}${tax}${others}`;
}

/** Since when a symbol's fills and profit count; empty before. */
export const sinceWords = ({ pnl: { since } }: SymbolView): string =>
  since === null ? '' : ` since ${timeText(since)}`;

/** A symbol at the end of a session, in two lines. */
export function summaryLines(view: SymbolView): string[] {
  const { symbol, fills } = view;
  const traded = `${symbol} ${fills.buys} bought, ${fills.sells} sold${sinceWords(view)}`;
  return [`${traded}; ${held(view)} held`, `  ${profitLine(view)}`];
}

/**
 * A symbol's orders that may be open at the end of a session, one line each: enough to find them on the exchange's own
 * page. Leaves out a create without an id if an unmatched order may be its own: that has a line.
 */
export function openLines(
  { symbol, orders }: Pick<SymbolView, 'symbol' | 'orders'>,
  unmatched: readonly UnmatchedOrderView[] = [],
): string[] {
  const doubtful = unmatched.filter((other) => other.mayBeOurs && other.symbol === symbol);
  const hasLine = ({ orderId, side, price }: OrderView): boolean =>
    orderId === null && doubtful.some((other) => other.side === side && other.price === price);
  return orders
    .filter((order) => !hasLine(order))
    .map(({ side, quantity, filled, price, orderId }) => {
      const rest = decimal(quantity).sub(filled).toFixed();
      const name = orderId === null ? 'not named by the exchange' : `order ${orderId}`;
      return `May be open: ${symbol} ${side} ${rest} @ ${price}, ${name}.`;
    });
}

/** Orders left on the exchange that are not known to be the bot's, even if there are none. */
export function restingLines({
  symbols,
  unmatchedOrders,
}: Pick<StatusSnapshot, 'unmatchedOrders'> & {
  readonly symbols: readonly Pick<SymbolView, 'symbol' | 'openOrdersSentAt'>[];
}): string[] {
  const unread = symbols.filter(({ openOrdersSentAt }) => openOrdersSentAt === null).map(({ symbol }) => symbol);
  const unknown = `Open orders in ${unread.join(', ')} are not known: they could not be listed.`;
  return [...unmatchedLines(unmatchedOrders), ...(unread.length === 0 ? [] : [unknown])];
}

/** First those that may be the bot's, one line each; then the number of the others, and each of them. */
export function unmatchedLines(orders: readonly UnmatchedOrderView[]): string[] {
  const others = orders.filter(({ mayBeOurs }) => !mayBeOurs);
  const count = others.length === 0 ? 'none' : `${others.length} ${others.length === 1 ? 'order' : 'orders'}`;
  return [
    ...orders
      .filter(({ mayBeOurs }) => mayBeOurs)
      .map((order) => `May be open: ${orderWords(order)}: it may be the bot's, and only you can tell.`),
    `Left resting, not the bot's: ${count}${others.length === 0 ? '.' : ':'}`,
    ...others.map((order) => `  ${orderWords(order)}`),
  ];
}

const orderWords = ({ symbol, side, quantity, price, orderId }: UnmatchedOrderView): string =>
  `${symbol} ${side} ${quantity} @ ${price}, order ${orderId}`;

type WalletFacts = Pick<StatusSnapshot, 'assets' | 'at' | 'reconciledAt' | 'contact'>;

/** One line about the wallet: equal to the last digit, or the differences. */
export function walletLine({ assets, at, reconciledAt, contact }: WalletFacts): string {
  const compared = assets.filter(({ difference }) => difference !== null);
  if (compared.length === 0) return 'Wallet: not compared with the ledger yet.';
  // A coin of a market that is not opened yet says nothing about the others.
  const others = assets.filter((each) => !compared.includes(each)).map(({ asset }) => asset);
  const rest = others.length === 0 ? '.' : `; not compared yet: ${others.join(', ')}.`;
  const differing = compared.filter(({ difference }) => difference !== '0');
  if (differing.length === 0) {
    const isPast = contact.silentSince !== null && reconciledAt !== null;
    const equals = isPast ? `equaled the ledger ${duration(at - reconciledAt)} ago` : 'equals ledger';
    return `Wallet ${equals}: ${compared.map(holding).join(', ')}${rest}`;
  }
  const amounts = differing.map(({ asset, difference, differsSince }) => {
    const stands = differsSince === null ? '' : ` for ${duration(at - differsSince)}`;
    return `${difference} ${asset}${stands}`;
  });
  return `Wallet differs from ledger: ${amounts.join(', ')}${rest}`;
}

const holding = ({ asset, expected }: AssetView): string => `${grouped(expected)} ${asset}`;
const held = ({ inventory, base }: SymbolView): string => `${decimal(inventory).toDecimalPlaces(8).toFixed()} ${base}`;

function fillWords({ fills }: SymbolView): string {
  const count = fills.buys + fills.sells;
  return `${count} ${count === 1 ? 'fill' : 'fills'}`;
}

const bps = (value: number | null): string => (value === null ? '— bps' : `${Math.round(value)} bps`);
const money = (text: string, asset: string): string => grouped(decimal(text).toFixed(shownDecimals(asset)));
export const negated = (text: string): string => decimal(text).neg().toFixed();

// A set kill latch in words: when, why, and what was proved since.

/** The reason dates from when it was set. */
export function latchWords({ reason, at, isReadable }: KillLatch): string {
  if (!isReadable) return reason;
  const since = at === null ? '' : ` since ${timeText(Date.parse(at))}`;
  return `The kill latch is set${since}. The reason, as of then: ${ended(reason)}`;
}

/** The way back. `isAwaited`: the watchdog that set it will remove it, and a person would interfere. */
export const latchNext = (isAwaited: boolean, files: readonly string[]): string =>
  isAwaited
    ? 'Next: nothing, while the watchdog is at work: it takes the latch off once it has proved that no order is open ' +
      '(watchdog.rearm), and a bot that is started waits for that.'
    : `Next: \`quotekeeper rearm ${files.join(' ')}\`.`;

// A lock in a sentence for the terminal; the page has its own sentence for the same facts.

/** `buying is locked until 2026-11-24 14:05:00 UTC: 2 own sales …`, follows the symbol. */
export function lockWords(lock: Pick<LockView, 'side' | 'reason' | 'until'>): string {
  const what = lock.side === null ? 'quoting' : { buy: 'buying', sell: 'selling' }[lock.side];
  return `${what} is locked ${lockEnd(lock)}: ${lock.reason}`;
}

// Small parts of sentences.

/** Adds a period if the text has no final punctuation. */
export const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** `a`, `a and b`, `a, b and c`. */
export function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}

// Time in the market in words, for page, `status`, log and reports.

/** A symbol's sentence on the page and in `status`, for the last hour, and each symbol with any time counted. */
export function presenceSentences({ symbols }: Pick<StatusSnapshot, 'symbols'>) {
  return symbols.flatMap(({ symbol, presence: { lastHour } }) => {
    const ms = countedMs(lastHour.both);
    const span = ms >= HOUR - MINUTE ? 'the last hour' : `the last ${duration(ms)}`;
    return ms < SECOND ? [] : [{ symbol, sentence: presenceSentence(lastHour, span) }];
  });
}

/** `span`: the name of the whole time. */
export function presenceSentence({ buy, sell, both }: TimeShares, span: string): string {
  const sides = `bid ${percentOf(buy)}, ask ${percentOf(sell)}`;
  const lost = lostWords(both);
  return `Two-sided and fresh ${percentOf(both)} of ${span} (${sides})${lost === '' ? '' : `; lost: ${lost}`}.`;
}

/** Most reasons named. */
const REASONS_SHOWN = 3;
/** Shorter times are not worth mentioning. */
const LEAST_MS: DurationMs = SECOND / 2;

/** `32 s no fresh order book, 2 s order on its way`; empty if almost nothing was lost. */
export function lostWords({ lost }: TimeShare): string {
  const named = lost.filter(({ ms }) => ms >= LEAST_MS).slice(0, REASONS_SHOWN);
  const words = named.map(({ reason, ms }) => `${duration(ms)} ${BLOCK_WORDS[reason]}`);
  const others = lost.slice(named.length).reduce((sum, { ms }) => sum + ms, 0);
  return [...words, ...(others >= LEAST_MS ? [`${duration(others)} for other reasons`] : [])].join(', ');
}

/** Rounded down, so that a moment lost is not 100 %. */
export function percentOf(share: TimeShare): string {
  const all = countedMs(share);
  return all === 0 ? '–' : `${(Math.floor((1_000 * share.freshMs) / all) / 10).toFixed(1)} %`;
}

/** A heading and one line per symbol, for a report. */
export function presenceTable(symbols: readonly Pick<SymbolView, 'symbol' | 'presence'>[]): string[] {
  const rows = symbols.map(({ symbol, presence: { sinceStart } }) => {
    const { buy, sell, both } = sinceStart;
    return [symbol, percentOf(both), percentOf(buy), percentOf(sell), lostWords(both)];
  });
  const all = [['fresh quotes', 'two-sided', 'bid', 'ask', 'two-sided lost to'], ...rows];
  return inColumns(all, { right: [1, 2, 3] });
}
