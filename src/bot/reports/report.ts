// The figures of a period: money from the books, to the last digit; time in the market and requests from the memory
// file.
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import {
  type Amount,
  add,
  addValue,
  amountDecimal,
  amountText,
  asValue,
  exactAmount,
  NO_AMOUNT,
  NO_VALUE,
  times,
  type Value,
  valueText,
} from '../../ledger/amount.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { bookPnl, EMPTY_PNL, markPnl, type Pnl, pnlParts, type TaxTreatment } from '../../ledger/pnl.ts';
import { BLOCKS } from '../../quoting/block.ts';
import type { TimeShare } from '../../trader/presence/presence.ts';
import { holdingChanges } from '../books/holding-lines.ts';
import {
  type Calendar,
  type Day,
  daysLater,
  dayText,
  monthsLater,
  monthText,
  type Period,
  periodOf,
} from '../books/local-time.ts';
import type { Movement } from '../books/movement.ts';
import type { Books } from '../books/read-books.ts';
import { type TradeSum, tradeSums } from '../books/trade-sums.ts';
import type { CountSum } from '../memory/history.ts';
import { HOLD_OPS, type NoticeRow } from '../memory/rows.ts';

export type SymbolReport = ReturnType<typeof symbolReport>;
export type QuoteReport = ReturnType<typeof quoteReport>;
export type Report = ReturnType<typeof reportOf>;

export interface ReportInput {
  readonly books: Books;
  readonly ledger: Ledger;
  readonly isWhole: boolean;
  readonly period: Period;
  readonly now: EpochMs;
  readonly runs: readonly RunOfReport[];
  readonly memory: Remembered;
}

interface RunOfReport {
  readonly symbol: InstrumentSymbol;
  readonly base: Asset;
  readonly quote: Asset;
  readonly treatment: TaxTreatment;
  readonly feeTaxRatio: Amount;
}

export interface Remembered {
  readonly since: EpochMs | null;
  readonly counts: readonly CountSum[];
  readonly notices: readonly NoticeRow[];
  readonly priceAt: (symbol: InstrumentSymbol, at: EpochMs) => { readonly price: Amount; readonly at: EpochMs } | null;
}

/**
 * The fields of the JSON, which are an interface (docs/reports.md): these stay, new ones are added. Figures that every
 * form shows whole are exact text; those that people see rounded are values, and exact text in JSON.
 */
export function reportOf(input: ReportInput) {
  const { books, ledger, period, now, runs, memory, isWhole } = input;
  const until = Math.min(period.to, Math.max(now, period.from));
  const symbols = runs.map((run) => symbolReport(run, input, until));
  const byQuote = Map.groupBy(symbols, ({ quote }) => quote);
  const holdings = holdingChanges(books.movements, ledger, { from: period.from, to: period.to });
  const held = (asset: Asset): Held => holdings.find((each) => each.asset === asset) ?? NOTHING_HELD;
  return {
    period,
    /** If the period is not over, the time of the report. */
    until,
    /** Beginning of the recorded history; null if there is none. */
    rememberedFrom: memory.since,
    /** False if records of money are missing. */
    whole: isWhole,
    symbols,
    totals: [...byQuote].map(([quote, alike]) => quoteReport(quote, alike, held)),
    /** Changes of each asset other than the bot's trades: deposits and so on, by their names in the statement. */
    flows: holdings.flatMap(({ asset, lines }) =>
      [...lines].flatMap(([line, amount]) =>
        line.startsWith('bot-') ? [] : [{ asset, line, amount: amountText(amount) }],
      ),
    ),
    ...accountCounts(memory.counts),
    /** Halts, locks and pauses apart from other notices; oldest first. */
    holds: memory.notices.filter(({ op }) => HOLD_OPS.has(op)),
    messages: memory.notices.filter(({ op }) => !HOLD_OPS.has(op)),
  };
}

export const reportJson = (account: object, report: Report): string =>
  JSON.stringify({ ...account, ...report }, (_name, value) =>
    typeof value === 'bigint' ? valueText(value as Value) : value,
  );

type Held = { readonly opening: Amount; readonly closing: Amount };
const NOTHING_HELD: Held = { opening: NO_AMOUNT, closing: NO_AMOUNT };

function symbolReport(run: RunOfReport, input: ReportInput, until: EpochMs) {
  const { symbol, base, quote, treatment, feeTaxRatio } = run;
  const { books, period, memory } = input;
  const { from, to } = period;
  const own = books.movements.filter(({ trade }) => trade?.origin === 'strategy' && trade.fill.symbol === symbol);
  const within = own.filter(({ happenedAt }) => happenedAt >= from && happenedAt < to);
  const prices = {
    begin: priceAt(own, memory, { symbol, at: from }),
    end: priceAt(own, memory, { symbol, at: until }),
  };
  const known = { begin: prices.begin?.price ?? null, end: prices.end?.price ?? null };
  const sideCount = (side: 'buy' | 'sell'): number =>
    within.reduce((sum, { trade, takesBack }) => sum + (trade?.fill.side === side ? (takesBack ? -1 : 1) : 0), 0);
  const holds = memory.notices.filter((notice) => notice.symbol === symbol);
  return {
    ...{ symbol, base, quote },
    profit: periodProfit(own, { from, to, prices: known, treatment }),
    prices: { begin: priceText(prices.begin), end: priceText(prices.end) },
    fills: fillsOf(tradeSums(within, () => feeTaxRatio)[0], { buys: sideCount('buy'), sells: sideCount('sell') }),
    /** Base in the wallet; the largest holding, and when it was first reached. */
    inventory: inventoryOf(books.movements, base, period),
    ...symbolCounts(memory.counts, symbol),
    halts: holds.filter(({ op }) => op === 'symbol-halted').length,
    locks: holds.filter(({ op }) => op === 'locked').length,
  };
}

/** As in `statement` and `export`; `sum` is missing if the bot did not trade. */
function fillsOf(sum: TradeSum | undefined, counts: Readonly<Record<'buys' | 'sells', number>>) {
  const { trades = 0, feesTax = NO_VALUE, otherFees = [] } = sum ?? {};
  const { bought = NO_AMOUNT, boughtFor = NO_AMOUNT, sold = NO_AMOUNT, soldFor = NO_AMOUNT } = sum ?? {};
  return {
    ...{ trades, ...counts },
    ...{ bought: amountText(bought), boughtFor: amountText(boughtFor) },
    ...{ sold: amountText(sold), soldFor: amountText(soldFor) },
    feesTax,
    otherFees: otherFees.map(({ asset, amount }) => ({ asset, amount: amountText(amount) })),
  };
}

/** A price, its time and its source. */
interface PriceKnown {
  readonly price: Amount;
  readonly at: EpochMs;
  readonly from: 'memory' | 'last fill';
}

const priceText = (known: PriceKnown | null) => known && { ...known, price: amountText(known.price) };

/** The newest known price: the recorded one, or the trusted price of the last trade if that is newer. */
function priceAt(
  own: readonly Movement[],
  memory: Remembered,
  { symbol, at }: { readonly symbol: InstrumentSymbol; readonly at: EpochMs },
): PriceKnown | null {
  const seen = memory.priceAt(symbol, at);
  const filled = own
    .flatMap(({ happenedAt, trade }) => (happenedAt <= at && trade?.mid ? [{ price: trade.mid, at: happenedAt }] : []))
    .reduce<Pick<PriceKnown, 'price' | 'at'> | null>((last, each) => (last && last.at > each.at ? last : each), null);
  if (filled !== null && (seen === null || filled.at > seen.at)) return { ...filled, from: 'last fill' };
  return seen && { ...seen, from: 'memory' };
}

/** Counts all movements of the asset, also the owner's: all holdings are exposed to the price. */
function inventoryOf(movements: readonly Movement[], base: Asset, { from, to }: Period) {
  const changes = movements
    .flatMap(({ happenedAt: at, changes: all }) =>
      all.flatMap(({ asset, account, by }) => (asset === base && account === 'wallet' ? [{ at, by }] : [])),
    )
    .filter(({ at }) => at < to)
    .sort((a, b) => a.at - b.at);
  const heldAt = (until: EpochMs): Amount =>
    changes.filter(({ at }) => at < until).reduce((all, { by }) => add(all, by), NO_AMOUNT);
  const begin = heldAt(from);
  let [held, largest, largestAt] = [begin, begin, from];
  // Bookings, reversals and corrections at the same time count as one change: nobody held what lies in between.
  for (const [at, alike] of Map.groupBy(changes, (change) => change.at)) {
    if (at < from) continue;
    held = alike.reduce((sum, { by }) => add(sum, by), held);
    if (magnitude(held) > magnitude(largest)) [largest, largestAt] = [held, at];
  }
  return { begin: amountText(begin), end: amountText(held), largest: amountText(largest), largestAt };
}

const magnitude = (amount: Amount): bigint => (amount < 0n ? -amount : amount);

function quoteReport(quote: Asset, symbols: readonly SymbolReport[], held: (asset: Asset) => Held) {
  const sum = (of: (each: SymbolReport) => Value | null): Value | null =>
    symbols.reduce<Value | null>((total, each) => {
      const value = of(each);
      return total === null || value === null ? null : addValue(total, value);
    }, NO_VALUE);
  const equity = (when: 'begin' | 'end'): Value | null => {
    const amount = (asset: Asset): Amount => held(asset)[when === 'begin' ? 'opening' : 'closing'];
    // Counts a coin once, even if two symbols trade it for the same money.
    const coins = new Map(symbols.map((each) => [each.base, each]));
    return [...coins].reduce<Value | null>(
      (total, [base, { prices }]) => {
        if (total === null || amount(base) === NO_AMOUNT) return total;
        const price = prices[when]?.price;
        return price === undefined ? null : addValue(total, times(amount(base), exactAmount(price)));
      },
      asValue(amount(quote)),
    );
  };
  const traded = symbols.flatMap(({ fills: { boughtFor, soldFor } }) => [boughtFor, soldFor]);
  const asCost = symbols.map(({ profit }) => profit.taxInTotal);
  return {
    quote,
    symbols: symbols.map(({ symbol }) => symbol),
    trades: symbols.reduce((count, { fills }) => count + fills.trades, 0),
    volume: traded.reduce((total, each) => addValue(total, asValue(exactAmount(each))), NO_VALUE),
    profit: {
      spread: sum(({ profit }) => profit.spread) ?? NO_VALUE,
      inventory: sum(({ profit }) => profit.inventory),
      fees: sum(({ profit }) => profit.fees) ?? NO_VALUE,
      taxWithheld: sum(({ profit }) => profit.taxWithheld) ?? NO_VALUE,
      /** Null if the symbols differ in whether tax is a cost. */
      taxInTotal: asCost.every((each) => each === asCost[0]) ? (asCost[0] ?? false) : null,
      total: sum(({ profit }) => profit.total),
      /** The part of the tax that the total counts as a cost. */
      taxAsCost: sum(({ profit }) => (profit.taxInTotal ? profit.taxWithheld : NO_VALUE)) ?? NO_VALUE,
    },
    /** The asset itself plus the coins traded for it; null if a price is unknown. */
    equity: { begin: equity('begin'), end: equity('end') },
  };
}

// Profit of the bot's trades in a period, split as the trader splits it, exact to the last digit. By when trades
// happened, however late they were booked, so that daily sums add up to their month.

interface ProfitOptions extends Pick<Period, 'from' | 'to'> {
  /** In quote per base at the beginning and at the end; null if unknown. */
  readonly prices: { readonly begin: Amount | null; readonly end: Amount | null };
  readonly treatment: TaxTreatment;
}

/**
 * In quote. `movements`: all of the bot's in one symbol, ever. `spread`: by how much trades beat the trusted price when
 * booked; `inventory`: effect of price changes on the holdings, null if a needed price at the beginning or end is
 * unknown; `total`: spread + inventory − fees − (tax if it is a cost).
 */
export function periodProfit(movements: readonly Movement[], options: ProfitOptions) {
  const { from, to, prices, treatment } = options;
  const before = movements.filter(({ happenedAt }) => happenedAt < from);
  const within = movements.filter(({ happenedAt }) => happenedAt >= from && happenedAt < to);
  const held = before.reduce(withTrade, EMPTY_PNL).inventory;
  const traded = within.reduce(withTrade, { ...EMPTY_PNL, inventory: held, mid: prices.begin });
  const marked = markPnl(traded, prices.end && amountDecimal(prices.end));
  const { spread, drift, fees, total } = pnlParts(marked, treatment);
  // Zero holdings are worth zero at any price.
  const isKnown =
    (held === NO_AMOUNT || prices.begin !== null) && (traded.inventory === NO_AMOUNT || prices.end !== null);
  return {
    ...{ spread, inventory: isKnown ? drift : null, fees, taxWithheld: marked.tax },
    ...{ taxInTotal: treatment === 'cost', total: isKnown ? total : null },
  };
}

/** A single trade, as the trader books it; a reversal counts negative. */
const withTrade = (pnl: Pnl, { trade, takesBack }: Movement): Pnl =>
  trade === null ? pnl : bookPnl(pnl, { fill: trade.fill, mid: trade.mid ?? trade.fill.price }, takesBack ? -1 : 1);

// The day, week or month that contains a date, by the books' calendar.

export const SPANS = ['day', 'week', 'month'] as const;
type Span = (typeof SPANS)[number];

export function reportPeriod(span: Span, of: Day, calendar: Calendar): Period {
  const bounds = boundsOf(span, of);
  return periodOf(nameOf(span, bounds[0]), bounds, calendar);
}

/** Weeks begin on Monday (ISO 8601). */
function boundsOf(span: Span, of: Day): readonly [first: Day, next: Day] {
  switch (span) {
    case 'day':
      return [of, daysLater(of, 1)];
    case 'week': {
      const monday = daysLater(of, -((weekday(of) + 6) % 7));
      return [monday, daysLater(monday, 7)];
    }
    case 'month': {
      const first = { ...of, day: 1 };
      return [first, monthsLater(first, 1)];
    }
  }
}

const nameOf = (span: Span, first: Day): string =>
  ({ day: dayText(first), week: `the week of ${dayText(first)}`, month: monthText(first) })[span];

/** 0 is Sunday. */
const weekday = ({ year, month, day }: Day): number => new Date(Date.UTC(year, month - 1, day)).getUTCDay();

// Parts of a report from the memory file's counts.

/** Money in quote; `horizon`: seconds after the fill; `bps`: gained of filled. */
export type MarkoutSum = ReturnType<typeof markoutsOf>[number];

/** Null: nothing was recorded, or there was none. */
function symbolCounts(all: readonly CountSum[], symbol: string) {
  const own = all.filter((each) => each.symbol === symbol);
  const sum = (kind: string, a = '', b = ''): number =>
    own.filter((each) => each.kind === kind && each.a === a && each.b === b).reduce((total, { n }) => total + n, 0);
  const mean = (part: string, weight: string): number | null =>
    sum('spread', weight) > 0 ? sum('spread', part) / sum('spread', weight) : null;
  const share = (track: string): TimeShare => ({
    freshMs: sum('presence', track, 'fresh'),
    lost: BLOCKS.map((reason) => ({ reason, ms: sum('presence', track, reason) }))
      .filter(({ ms }) => ms > 0)
      .sort((a, b) => b.ms - a.ms),
  });
  return {
    watchedMs: sum('watched'),
    /** Averages over time: of the market, of own quotes while both were live, and of the market at the same time. */
    spread: {
      marketBps: mean('market', 'ms'),
      quotedBps: mean('own', 'ms-quoted'),
      marketWhileQuotedBps: mean('market-meanwhile', 'ms-quoted'),
      quotedMs: sum('spread', 'ms-quoted'),
    },
    presence: { both: share('both'), buy: share('buy'), sell: share('sell') },
    markouts: markoutsOf(own),
  };
}

function markoutsOf(own: readonly CountSum[]) {
  const groups = Map.groupBy(
    own.filter(({ kind }) => kind === 'markout'),
    ({ a, b }) => `${b} ${a}`,
  );
  return [...groups.values()]
    .map((parts) => {
      const of = (name: string): number => parts.find(({ c }) => c === name)?.n ?? 0;
      const [gained, filled] = [of('gained'), of('filled')];
      const [{ a: side, b } = { a: '', b: '' }] = parts;
      const bps = filled > 0 ? (10_000 * gained) / filled : null;
      return { side, horizon: Number(b), fills: of('fills'), gained, filled, bps };
    })
    .sort((a, b) => a.horizon - b.horizon || (a.side < b.side ? -1 : 1));
}

/** The most frequent first. Notices about a symbol count for the account, too. */
function accountCounts(all: readonly CountSum[]) {
  const rows = (kind: string): readonly CountSum[] =>
    all.filter((each) => each.kind === kind).sort((a, b) => b.n - a.n);
  const notices = Map.groupBy(rows('notice'), ({ a, b }) => `${a} ${b}`);
  const requests = rows('request');
  return {
    requests: requests.map(({ a: lane, b: endpoint, c: outcome, n: count }) => ({ lane, endpoint, outcome, count })),
    purposes: rows('purpose').map(({ a: lane, b: purpose, n: count }) => ({ lane, purpose, count })),
    /** Answers of 429, 503 and 504. */
    refused: rows('throttled').map(({ a: lane, b: status, n: count }) => ({ lane, status, count })),
    notices: [...notices.values()].flatMap((alike) => {
      const [first] = alike;
      const count = alike.reduce((sum, { n }) => sum + n, 0);
      return first === undefined ? [] : [{ level: first.a, op: first.b, count }];
    }),
  };
}
