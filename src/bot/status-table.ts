// The status of a running bot as a compact table for a terminal.
import { z } from 'zod';

const age = z.number().nullable();
const symbolSchema = z.object({
  symbol: z.string(),
  base: z.string(),
  quote: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  noQuote: z.object({ buy: z.string().nullable(), sell: z.string().nullable() }),
  referencePrice: z.string().nullable(),
  marketSpreadBps: z.number().nullable(),
  quotedSpreadBps: z.number().nullable(),
  bookSentAt: age,
  orders: z.array(z.object({ state: z.string() })),
  inventory: z.string(),
  inventoryTarget: z.string(),
  pnl: z.object({ total: z.string() }),
  fills: z.object({ buys: z.number(), sells: z.number() }),
});

/** The part of `BotStatus` that the table shows; the rest may change without harm. */
export const statusSchema = z.object({
  mode: z.string(),
  trader: z.object({
    at: z.number(),
    phase: z.string(),
    blockers: z.array(z.string()),
    latched: z.string().nullable(),
    symbols: z.array(symbolSchema),
    reconciledAt: age,
    unknownOrders: z.number(),
  }),
});
type Status = z.output<typeof statusSchema>;
type SymbolStatus = z.output<typeof symbolSchema>;

export function statusLines({ mode, trader }: Status): string[] {
  const head = `${mode.toUpperCase()}  ${trader.phase}  as of ${new Date(trader.at).toISOString()}`;
  const account = `reconciled ${agoText(trader.reconciledAt, trader.at)}, ${trader.unknownOrders} unknown orders`;
  return [
    head,
    account,
    ...(trader.latched === null ? [] : [`KILL LATCH: ${trader.latched}`]),
    ...trader.blockers.map((blocker) => `blocked: ${blocker}`),
    '',
    ...table([HEADINGS, ...trader.symbols.map((symbol) => cellsOf(symbol, trader.at))]),
    ...trader.symbols.flatMap(reasonLines),
  ];
}

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
  'book',
];

function cellsOf(symbol: SymbolStatus, at: number): string[] {
  const bps = (value: number | null): string => (value === null ? '–' : value.toFixed(1));
  return [
    symbol.symbol,
    symbol.state,
    symbol.referencePrice ?? '–',
    bps(symbol.marketSpreadBps),
    bps(symbol.quotedSpreadBps),
    String(symbol.orders.length),
    `${symbol.inventory} ${symbol.base}`,
    symbol.inventoryTarget,
    `${symbol.fills.buys}/${symbol.fills.sells}`,
    `${symbol.pnl.total} ${symbol.quote}`,
    agoText(symbol.bookSentAt, at),
  ];
}

function reasonLines({ symbol, reason, noQuote }: SymbolStatus): string[] {
  if (reason !== null) return [`${symbol}: ${reason}`];
  return [
    ...(noQuote.buy === null ? [] : [`${symbol}: no bid: ${noQuote.buy}`]),
    ...(noQuote.sell === null ? [] : [`${symbol}: no ask: ${noQuote.sell}`]),
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
