// The status of a running bot as a compact table for a terminal.
import { z } from 'zod';
import { LAG_KINDS } from '../../trader/state/lags.ts';
import { standingWords } from '../../trader/status/standing.ts';
import { lagLines } from './lag-meaning.ts';
import { lockWords } from './status-words.ts';

const age = z.number().nullable();
const side = z.object({
  live: z.number(),
  placing: z.number(),
  leaving: z.number(),
  unknown: z.number(),
  why: z.string().nullable(),
});
const lockSchema = z.object({ side: z.enum(['buy', 'sell']).nullable(), reason: z.string(), until: age });
const symbolSchema = z.object({
  symbol: z.string(),
  base: z.string(),
  quote: z.string(),
  reason: z.string().nullable(),
  sides: z.object({ buy: side, sell: side }),
  verdict: z.object({ word: z.string() }),
  referencePrice: z.string().nullable(),
  referenceTrusted: z.boolean().default(true),
  marketSpreadBps: z.number().nullable(),
  quotedSpreadBps: z.number().nullable(),
  bookSentAt: age,
  denied: z.object({ code: z.string(), message: z.string() }).nullable(),
  inventory: z.string(),
  inventoryTarget: z.string(),
  pnl: z.object({ total: z.string(), price: z.string().nullable().default(null), pricedAt: age }),
  fills: z.object({ buys: z.number(), sells: z.number() }),
  risk: z.object({ locks: z.array(lockSchema).default([]) }).default({ locks: [] }),
});

const ranks = z.object({ p50: z.number(), p90: z.number(), p99: z.number(), max: z.number() }).nullable();
const lagSchema = z.object({
  kind: z.enum(LAG_KINDS),
  samples: z.number(),
  oldestAt: age,
  newestAt: age,
  atLeastMs: ranks,
  atMostMs: ranks,
});

const lagsSchema = z.object({
  assumedMs: z.number(),
  kinds: z.array(lagSchema),
});

/** The part of `BotStatus` that the table shows; the rest may change without harm. */
export const statusSchema = z.object({
  mode: z.string(),
  headline: z.object({ word: z.string(), sentence: z.string(), next: z.string() }),
  attentions: z.array(z.object({ what: z.string(), next: z.string() })),
  presence: z.array(z.object({ symbol: z.string(), sentence: z.string() })).default([]),
  stateFolder: z.string(),
  trader: z.object({
    at: z.number(),
    phase: z.string(),
    symbols: z.array(symbolSchema),
    reconciledAt: age,
    unknownOrders: z.number(),
    readLags: lagsSchema,
    contact: z.object({ usedAt: age }),
  }),
});
type Status = z.output<typeof statusSchema>;
type SymbolStatus = z.output<typeof symbolSchema>;

export function statusLines({ mode, headline, attentions, presence, trader }: Status): string[] {
  const head = `${mode.toUpperCase()}  ${trader.phase}  as of ${new Date(trader.at).toISOString()}`;
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
    ...table([HEADINGS, ...trader.symbols.map((symbol) => cellsOf(symbol, trader.at))]),
    ...trader.symbols.flatMap((symbol) => [
      ...distrustLines(symbol),
      ...lockLines(symbol),
      ...reasonLines(symbol, headline.sentence),
    ]),
    ...['', ...lagLines(trader.readLags, at), ''],
    ...presence.map(({ symbol, sentence }) => `${symbol}: ${sentence}`),
  ];
}

const withNext = (sentence: string, next: string): string => (next === '' ? sentence : `${sentence} ${next}`);

const HEADINGS = [
  'symbol',
  'state',
  'reference',
  'market bps',
  'quoted bps',
  'orders',
  'inventory',
  'target',
  'fills',
  'pnl',
  'priced',
  'book',
];

function cellsOf(symbol: SymbolStatus, at: number): string[] {
  const bps = (value: number | null): string => (value === null ? '–' : value.toFixed(1));
  return [
    symbol.symbol,
    symbol.verdict.word,
    symbol.referencePrice === null ? '–' : `${symbol.referencePrice}${symbol.referenceTrusted ? '' : '?'}`,
    bps(symbol.marketSpreadBps),
    bps(symbol.quotedSpreadBps),
    ordersText(symbol),
    `${symbol.inventory} ${symbol.base}`,
    symbol.inventoryTarget,
    `${symbol.fills.buys}/${symbol.fills.sells}`,
    `${symbol.pnl.total} ${symbol.quote}`,
    agoText(symbol.pnl.pricedAt, at),
    agoText(symbol.bookSentAt, at),
  ];
}

/** `2 live`; `2 live, 1 leaving`. */
function ordersText({ sides: { buy, sell } }: SymbolStatus): string {
  const both = {
    live: buy.live + sell.live,
    placing: buy.placing + sell.placing,
    leaving: buy.leaving + sell.leaving,
    unknown: buy.unknown + sell.unknown,
  };
  return standingWords(both) || 'none';
}

/** `BTC/INR: buying is locked until 14:05:00 UTC. Three own sales …`. */
const lockLines = ({ symbol, risk }: SymbolStatus): string[] =>
  risk.locks.map((lock) => `${symbol}: ${lockWords(lock)}`);

/** What the question mark behind a price means. */
function distrustLines({ symbol, referencePrice, referenceTrusted, pnl }: SymbolStatus): string[] {
  if (referenceTrusted || referencePrice === null) return [];
  const last = pnl.price === null ? 'none was trusted before' : `last trusted ${pnl.price}`;
  return [`${symbol}: the reference price ${referencePrice} is not trusted; ${last}.`];
}

/** What the headline says already is not said again. */
function reasonLines({ symbol, reason, denied, sides }: SymbolStatus, headline: string): string[] {
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

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
