// What must have locked a symbol by now, counted from the records alone; and of each lock whether there was cause.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import { DAY } from '../../src/domain/time.ts';
import type { Answered, CheckContext } from '../checks/context.ts';
import { firstOwnFills } from '../checks/first-own-fills.ts';
import type { Told } from '../checks/journal-model.ts';

/** Profit from one moment on, by the bot's clock. */
interface Mark {
  readonly at: number;
  readonly total: Decimal;
  /** When it was last seen to hold; null while nothing says that it holds no longer. */
  readonly seenUntil: number | null;
  /** Whether the clock has been the same since. */
  readonly isDated: boolean;
}

interface Counted {
  refusals: number[];
  turnover: { day: number; notional: Decimal };
  /** Marks of profit since the last lock by its fall. */
  marks: Mark[];
  last: Decimal | null;
  /** How withheld tax counts in these. */
  treatment: unknown;
  /** What own buys cost at the most, and whether one was ever made. */
  dearest: Decimal;
  /** Own sales below that: when, by the exchange's clock, and when they were booked, by the bot's. */
  cheapSales: { readonly at: number; readonly bookedAt: number }[];
  /** The locks that are on, by code and side. */
  locks: Map<string, string>;
  /** Code of its halt; empty where it has none. */
  haltedAs: string;
}

export interface Dues {
  answered(message: Answered): void;
  recorded(context: CheckContext, told: Told): void;
  /** Why the symbol should be locked; null where nothing says so. */
  of(symbol: string): string | null;
}

/** A mark is written when profit has moved by a hundredth of what is asked for. */
const STEP_RATIO = 0.02;

export function createDues(): Dues {
  const counted = new Map<string, Counted>();
  const due = new Map<string, { readonly code: string; readonly words: string }>();
  const firstOwn = firstOwnFills();
  let startedAt = Number.NaN;
  /** With what status each create was answered, until the journal says so. */
  const statuses = new Map<string, number | null>();

  const of = (symbol: string): Counted => {
    const known = counted.get(symbol) ?? nothing();
    counted.set(symbol, known);
    return known;
  };

  function locked(context: CheckContext, { symbol: named, code, side, by, at }: Told['payload']): void {
    const symbol = String(named);
    if (due.get(symbol)?.code === code) due.delete(symbol);
    const cause =
      by === 'protection'
        ? needlessness(context, symbol, { code: String(code), counted: of(symbol), at: Number(at) })
        : null;
    if (cause !== null) context.violated('K14', `${symbol} was locked by ${String(code)} without cause: ${cause}.`);
    beginAnew(of(symbol), String(code), 'lock');
    of(symbol).locks.set(`${code} ${side}`, String(code));
  }

  /** With 200 as well, where its words say no; 429 asks for fewer requests. */
  function isRefusal({ intentId, outcome }: Told['payload']): boolean {
    const status = statuses.get(String(intentId));
    statuses.delete(String(intentId));
    return outcome === 'rejected' || (outcome === 'soft-rejected' && status === 200);
  }

  return {
    answered({ intent, endpoint, status }) {
      if (intent !== null && endpoint === 'create') statuses.set(intent.intentId, status);
    },
    recorded(context, told) {
      const { type, payload } = told;
      const symbol = String(payload.symbol);
      if (type === 'session-started') startedAt = Number(payload.at);
      // What a person has just called the bot's, at a start, counts and locks nothing by itself.
      if (firstOwn(told)) addFill(context, of, payload.at === startedAt ? new Map() : due, payload);
      if (type === 'create-outcome' && isRefusal(payload)) addRefusal(context, of, due, payload);
      if (type === 'profit-marked') addMark(context, of, due, payload);
      if (type === 'locked') locked(context, payload);
      if (type === 'unlocked') {
        beginAnew(of(symbol), String(payload.code), payload.by === 'time' ? 'time' : 'person');
        of(symbol).locks.delete(`${payload.code} ${payload.side}`);
        // What fell while it was locked had no other lock to come.
        if (due.get(symbol)?.code === payload.code) due.delete(symbol);
      }
      if (type === 'symbol-halted') of(symbol).haltedAs = String(payload.code);
      if (type === 'run-revised') lookAway(of(symbol));
      if (type === 'symbol-resumed') {
        resume(of(symbol));
        due.delete(symbol);
      }
      // Whoever begins anew knows less.
      if (type === 'session-started' || type === 'clock-moved') due.clear();
      if (type === 'session-started') for (const known of counted.values()) lookAway(known);
      if (type === 'clock-moved') for (const known of counted.values()) undate(known, Number(payload.at));
    },
    of: (symbol) => due.get(symbol)?.words ?? null,
  };
}

const nothing = (): Counted => ({
  ...{ refusals: [], turnover: { day: 0, notional: ZERO }, marks: [], last: null, treatment: null },
  ...{ dearest: ZERO, cheapSales: [], locks: new Map(), haltedAs: '' },
});

type Due = Map<string, { readonly code: string; readonly words: string }>;
type Of = (symbol: string) => Counted;

const rulesOf = ({ settings }: CheckContext, symbol: string) =>
  settings.runs.find(({ instrument }) => instrument.symbol === symbol)?.protections ?? {};

type Row = Readonly<Record<string, string | number>>;

function addFill(context: CheckContext, of: Of, due: Due, { fill, at: when }: Told['payload']): void {
  const row = fill as Row;
  const at = Number(when);
  const symbol = String(row.symbol);
  const known = of(symbol);
  const worth = new Decimal(String(row.price)).mul(String(row.quantity));
  const day = Math.floor(Number(row.venueTime) / DAY);
  if (day > known.turnover.day) known.turnover = { day, notional: ZERO };
  if (day === known.turnover.day) known.turnover = { day, notional: known.turnover.notional.add(worth) };
  const fee = new Decimal(String(row.commission)).mul(worthOfFee(symbol, row));
  if (row.side === 'buy') known.dearest = Decimal.max(known.dearest, worth.add(fee).div(String(row.quantity)));
  else if (worth.sub(fee).div(String(row.quantity)).lt(known.dearest))
    known.cheapSales.push({ at: Number(row.venueTime), bookedAt: at });
  const most = rulesOf(context, symbol).turnover?.quotePerDay;
  const isToday = at < (known.turnover.day + 1) * DAY;
  if (most !== undefined && isToday && known.turnover.notional.gte(most) && !due.has(symbol))
    due.set(symbol, { code: 'turnover', words: `the day's own fills are worth ${known.turnover.notional.toFixed(2)}` });
}

/** In quote, for one unit of what the fee was taken in; nothing for a third asset. */
function worthOfFee(symbol: string, row: Row): string | number {
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

function addMark(context: CheckContext, of: Of, due: Due, payload: Told['payload']): void {
  const { symbol: named, total, at: when, treatment } = payload;
  const symbol = String(named);
  const known = of(symbol);
  const [at, last] = [Number(when), new Decimal(String(total))];
  closeLast(known, at);
  // Tax that counts otherwise is neither lost nor won.
  const by = known.last === null || treatment === known.treatment ? ZERO : last.sub(known.last);
  known.marks = known.marks.map((mark) => ({ ...mark, total: mark.total.add(by) }));
  Object.assign(known, { last, treatment });
  known.marks.push({ at, total: last, seenUntil: null, isDated: true });
  const rule = rulesOf(context, symbol).drawdown;
  if (rule === undefined || due.has(symbol)) return;
  const seen = known.marks.filter((mark) => mark.isDated && (mark.seenUntil ?? at) >= at - rule.withinMs);
  const fall = Decimal.max(last, ...seen.map((mark) => mark.total)).sub(last);
  if (fall.gt(rule.quote)) due.set(symbol, { code: 'drawdown', words: `profit fell by ${fall.toFixed(2)}` });
}

function closeLast(known: Counted, at: number): void {
  const last = known.marks.at(-1);
  if (last?.seenUntil === null) known.marks.splice(-1, 1, { ...last, seenUntil: at });
}

/** From here to the next mark nobody can tell what profit was: other settings, or no bot that looks. */
function lookAway(known: Counted): void {
  const last = known.marks.at(-1);
  if (last !== undefined) closeLast(known, last.at);
}

/** By the new clock they may be as young as now. */
function undate(known: Counted, at: number): void {
  known.marks = known.marks.map((mark) => ({ ...mark, at, isDated: false }));
}

const within = (moments: readonly number[], ms: number): number => {
  const newest = Math.max(...moments);
  return moments.filter((moment) => moment >= newest - ms).length;
};

/** Why a lock has no cause; null where it has one, or nobody can tell from outside. */
function needlessness(
  context: CheckContext,
  symbol: string,
  { code, counted, at }: { readonly code: string; readonly counted: Counted; readonly at: number },
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
    const { count = Number.POSITIVE_INFINITY, withinMs = 0 } = rules.losingSales ?? {};
    const near = (sale: { readonly at: number }) =>
      counted.cheapSales.filter((each) => Math.abs(each.at - sale.at) <= withinMs).length;
    const hasCause = counted.cheapSales.some((sale) => sale.bookedAt === at && near(sale) >= count);
    return hasCause ? null : 'so many sales were not below any buy';
  }
  if (code !== 'drawdown' || counted.last === null) return 'there is no such protection';
  const { quote: asked, withinMs = 0 } = rules.drawdown ?? {};
  // A mark may hold until the next one, whoever looked.
  const recent = counted.marks.filter((_, index) => (counted.marks[index + 1]?.at ?? at) >= at - withinMs);
  const highest = Decimal.max(counted.last, ...recent.map(({ total }) => total));
  // The last mark may be a step behind.
  return asked === undefined || highest.sub(counted.last).lt(asked.mul(1 - STEP_RATIO)) ? 'profit fell by less' : null;
}

function beginAnew(known: Counted, code: string, by: 'lock' | 'time' | 'person'): void {
  if (code === 'refusals') known.refusals = [];
  if (code === 'losing-sales') known.cheapSales = [];
  // A mark since which nobody looked may count, and need not.
  if (code === 'drawdown')
    known.marks = known.marks.slice(-1).map((mark) => ({ ...mark, isDated: mark.isDated && mark.seenUntil === null }));
  if (code === 'turnover' && by === 'person') known.turnover = { ...known.turnover, notional: ZERO };
}

/** All locks are removed by hand; of what was only counted nothing is forgotten but what the halt was for. */
function resume(known: Counted): void {
  const { haltedAs, locks } = known;
  for (const code of locks.values()) beginAnew(known, code, 'person');
  const ofProfit = haltedAs === 'loss' || [...locks.values()].includes('drawdown');
  if (haltedAs === 'exchange') known.refusals = [];
  if (ofProfit) known.marks = [];
  else lookAway(known);
  known.locks = new Map();
  known.haltedAs = '';
}
