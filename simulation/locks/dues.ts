// What must have locked a symbol by now, counted from the records alone; and of each lock whether there was cause.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import { DAY } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';

interface Counted {
  refusals: number[];
  turnover: { day: number; notional: Decimal };
  /** Marks of profit since the last lock by its fall. */
  marks: { readonly at: number; readonly total: Decimal }[];
  last: Decimal | null;
  /** How withheld tax counts in these. */
  treatment: unknown;
  /** What own buys cost at the most, and whether one was ever made. */
  dearest: Decimal;
  /** Own sales below that. */
  cheapSales: number[];
}

export interface Dues {
  recorded(context: CheckContext, told: Told): void;
  /** Why the symbol should be locked; null where nothing says so. */
  of(symbol: string): string | null;
}

/** A mark is written when profit has moved by a hundredth of what is asked for. */
const STEP_RATIO = 0.02;

export function createDues(): Dues {
  const counted = new Map<string, Counted>();
  const due = new Map<string, { readonly code: string; readonly words: string }>();

  const of = (symbol: string): Counted => {
    const known = counted.get(symbol) ?? nothing();
    counted.set(symbol, known);
    return known;
  };

  function locked(context: CheckContext, { symbol: named, code, by }: Told['payload']): void {
    const symbol = String(named);
    if (due.get(symbol)?.code === code) due.delete(symbol);
    const cause =
      by === 'protection' ? needlessness(context, symbol, { code: String(code), counted: of(symbol) }) : null;
    if (cause !== null) context.violated('K14', `${symbol} was locked by ${String(code)} without cause: ${cause}.`);
    beginAnew(of(symbol), String(code), 'lock');
  }

  return {
    recorded(context, told) {
      const { type, payload } = told;
      const symbol = String(payload.symbol);
      if (type === 'fill') addFill(context, of, due, payload);
      if (type === 'create-outcome' && payload.outcome === 'rejected') addRefusal(context, of, due, payload);
      if (type === 'profit-marked') addMark(of(symbol), payload);
      if (type === 'locked') locked(context, payload);
      if (type === 'unlocked') beginAnew(of(symbol), String(payload.code), payload.by === 'time' ? 'time' : 'person');
      if (type === 'symbol-resumed') {
        counted.set(symbol, { ...nothing(), dearest: of(symbol).dearest });
        due.delete(symbol);
      }
      // Neither the bot nor the judge counts what was corrected a second time; whoever begins anew knows less.
      if (type === 'session-started' || type === 'clock-moved') due.clear();
    },
    of: (symbol) => due.get(symbol)?.words ?? null,
  };
}

const nothing = (): Counted => ({
  ...{ refusals: [], turnover: { day: 0, notional: ZERO }, marks: [], last: null, treatment: null },
  ...{ dearest: ZERO, cheapSales: [] },
});

type Due = Map<string, { readonly code: string; readonly words: string }>;
type Of = (symbol: string) => Counted;

const rulesOf = ({ settings }: CheckContext, symbol: string) =>
  settings.runs.find(({ instrument }) => instrument.symbol === symbol)?.protections ?? {};

function addFill(context: CheckContext, of: Of, due: Due, { fill, intentId, at }: Told['payload']): void {
  if (intentId === null) return;
  const row = fill as Readonly<Record<string, string | number>>;
  const symbol = String(row.symbol);
  const known = of(symbol);
  const worth = new Decimal(String(row.price)).mul(String(row.quantity));
  const day = Math.floor(Number(row.venueTime) / DAY);
  if (day > known.turnover.day) known.turnover = { day, notional: ZERO };
  if (day === known.turnover.day) known.turnover = { day, notional: known.turnover.notional.add(worth) };
  const fee = new Decimal(String(row.commission)).mul(worthOfFee(symbol, row));
  if (row.side === 'buy') known.dearest = Decimal.max(known.dearest, worth.add(fee).div(String(row.quantity)));
  else if (worth.sub(fee).div(String(row.quantity)).lt(known.dearest)) known.cheapSales.push(Number(row.venueTime));
  const most = rulesOf(context, symbol).turnover?.quotePerDay;
  const isToday = Number(at) < (known.turnover.day + 1) * DAY;
  if (most !== undefined && isToday && known.turnover.notional.gte(most) && !due.has(symbol))
    due.set(symbol, { code: 'turnover', words: `the day's own fills are worth ${known.turnover.notional.toFixed(2)}` });
}

/** In quote, for one unit of what the fee was taken in; nothing for a third asset. */
function worthOfFee(symbol: string, row: Readonly<Record<string, string | number>>): string | number {
  if (symbol.endsWith(`/${row.commissionAsset}`)) return 1;
  return symbol.startsWith(`${row.commissionAsset}/`) ? (row.price ?? 0) : 0;
}

function addRefusal(context: CheckContext, of: Of, due: Due, { intentId, at }: Told['payload']): void {
  const symbol = context.journal.intents.get(String(intentId))?.symbol;
  if (symbol === undefined) return;
  const known = of(symbol);
  known.refusals.push(Number(at));
  const rule = rulesOf(context, symbol).refusals;
  if (rule === undefined || within(known.refusals, rule.withinMs) < rule.count || due.has(symbol)) return;
  due.set(symbol, { code: 'refusals', words: `${rule.count} creates were refused` });
}

function addMark(known: Counted, { total: text, at, treatment }: Told['payload']): void {
  const total = new Decimal(String(text));
  // Tax that counts otherwise is neither lost nor won.
  const by = known.last === null || treatment === known.treatment ? ZERO : total.sub(known.last);
  known.marks = known.marks.map((mark) => ({ ...mark, total: mark.total.add(by) }));
  Object.assign(known, { last: total, treatment });
  known.marks.push({ at: Number(at), total });
}

const within = (moments: readonly number[], ms: number): number => {
  const newest = Math.max(...moments);
  return moments.filter((moment) => moment >= newest - ms).length;
};

/** Why a lock has no cause; null where it has one, or nobody can tell from outside. */
function needlessness(
  context: CheckContext,
  symbol: string,
  { code, counted }: { readonly code: string; readonly counted: Counted },
): string | null {
  const rules = rulesOf(context, symbol);
  if (code === 'turnover') {
    const most = rules.turnover?.quotePerDay;
    return most === undefined || counted.turnover.notional.lt(most) ? 'the fills are worth less' : null;
  }
  if (code === 'refusals') {
    const { count = Number.POSITIVE_INFINITY, withinMs = 0 } = rules.refusals ?? {};
    return counted.refusals.length < count || within(counted.refusals, withinMs) < count ? 'too few refusals' : null;
  }
  if (code === 'losing-sales') {
    const { count = Number.POSITIVE_INFINITY } = rules.losingSales ?? {};
    return counted.cheapSales.length < count ? 'so many sales were not below any buy' : null;
  }
  if (code !== 'drawdown' || counted.last === null) return 'there is no such protection';
  const asked = rules.drawdown?.quote;
  const highest = Decimal.max(counted.last, ...counted.marks.map(({ total }) => total));
  // The last mark may be a step behind.
  return asked === undefined || highest.sub(counted.last).lt(asked.mul(1 - STEP_RATIO)) ? 'profit fell by less' : null;
}

function beginAnew(known: Counted, code: string, by: 'lock' | 'time' | 'person'): void {
  if (code === 'refusals') known.refusals = [];
  if (code === 'losing-sales') known.cheapSales = [];
  if (code === 'drawdown') known.marks = known.last === null ? [] : [{ at: 0, total: known.last }];
  if (code === 'turnover' && by === 'person') known.turnover = { ...known.turnover, notional: ZERO };
}
