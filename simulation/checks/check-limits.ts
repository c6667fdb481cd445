// Limits that look back (order-truth §10, checks 7, 8 and 14), judged from the journal's own words and the bytes that
// left.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import { DAY, HOUR, MINUTE } from '../../src/domain/time.ts';
import type { RunSettings } from '../../src/trader/state/settings.ts';
import type { CheckContext, Checker } from './context.ts';
import { type FirstOwn, firstOwnFills } from './first-own-fills.ts';
import type { Told } from './journal-model.ts';

/**
 * The bot's clock may step or stall against true time: so many more than allowed within a true minute are none too
 * many.
 */
const SLACK_RATIO = 1.1;

interface Marks {
  session: Decimal | null;
  day: { readonly number: number; readonly from: Decimal };
  peak: Decimal;
  /** How withheld tax counts in these. */
  treatment: unknown;
  /** Null while nothing is marked, as no limit asks for it. */
  last: Decimal | null;
}

/** What must have halted a symbol by now: the invariant and a sentence. */
interface Due {
  readonly invariant: 'K6' | 'K7';
  readonly sentence: string;
}

/** A fill of an order of the bot's. */
interface Part {
  readonly at: number;
  readonly side: string;
  readonly notional: Decimal;
}

interface Limits {
  /** Creates, and the first cancel of each order. */
  readonly messages: number[];
  readonly canceled: Set<string>;
  /** By symbol and side: why it must be locked by now. */
  readonly locksDue: Map<string, string>;
  /** By symbol: what filled of the bot's orders, and when the oldest of those did that are not judged yet. */
  readonly parts: Map<string, readonly Part[]>;
  readonly unjudgedFrom: Map<string, number>;
  readonly marks: Map<string, Marks>;
  readonly due: Map<string, Due>;
  readonly codes: Map<string, string>;
  endedFlat: boolean;
  /** By the bot's clock. */
  startedAt: number;
  readonly firstOwn: FirstOwn;
}

export function limitChecks(): Checker {
  const limits: Limits = {
    messages: [],
    canceled: new Set(),
    locksDue: new Map(),
    parts: new Map(),
    unjudgedFrom: new Map(),
    marks: new Map(),
    due: new Map(),
    codes: new Map(),
    endedFlat: false,
    startedAt: Number.NaN,
    firstOwn: firstOwnFills(),
  };
  return {
    recorded: (context, told) => recorded(limits, context, told),
    sent(context, { endpoint, body }) {
      if (endpoint !== 'create' && endpoint !== 'cancel') return;
      const orderId = String(body.order_id);
      if (endpoint === 'cancel' && limits.canceled.has(orderId)) return;
      if (endpoint === 'cancel') limits.canceled.add(orderId);
      const now = context.now();
      limits.messages.push(now);
      while ((limits.messages[0] ?? now) <= now - MINUTE) limits.messages.shift();
      const most = context.settings.messageRate.maxPerMinute * SLACK_RATIO;
      if (endpoint === 'create' && limits.messages.length > most)
        context.violated('K6', `A create left as message ${limits.messages.length} within a minute.`);
    },
  };
}

function recorded(limits: Limits, context: CheckContext, told: Told): void {
  const { type, payload } = told;
  const symbol = String(payload.symbol);
  if (type === 'session-started' && limits.endedFlat) for (const each of limits.marks.values()) each.session = null;
  if (type === 'session-started') limits.startedAt = Number(payload.at);
  // A start that compared nothing with the account, and placed nothing, leaves the clean end before it what it was.
  const isWhole = type === 'reconciled' && payload.assets === undefined;
  if (isWhole || type === 'opened' || type === 'intent' || type === 'order-taken-over') limits.endedFlat = false;
  if (type === 'session-ended') limits.endedFlat = payload.flat === true;
  if (limits.firstOwn(told)) fill(limits, context, payload);
  if (type === 'profit-marked') mark(limits, context, symbol, payload);
  const marks = limits.marks.get(symbol);
  if (type === 'profit-unwatched' && marks !== undefined) limits.marks.set(symbol, { ...marks, last: null });
  if (type === 'symbol-halted') {
    limits.codes.set(symbol, String(payload.code));
    if (payload.code === 'repeated-fills') needed(limits, context, symbol);
    context.counters.add(`halted by ${String(payload.code)}`);
  }
  if (type === 'symbol-resumed') resumed(limits, symbol);
  if (type === 'locked' || type === 'unlocked') locked(limits, context, told);
  if (type === 'intent') addUp(limits, context, symbol);
  const lock = limits.locksDue.get(`${symbol} ${String(payload.side)}`);
  if (type === 'intent' && lock !== undefined && !context.journal.halts.has(symbol))
    context.violated('K6', `Intent ${String(payload.intentId)} was written, and no lock after ${lock} more filled.`);
  const halt = limits.due.get(symbol);
  if (type === 'intent' && halt !== undefined && !context.journal.halts.has(symbol))
    context.violated(halt.invariant, `Intent ${String(payload.intentId)} was written after ${halt.sentence}`);
}

/** L4: it halts for what filled, and for nothing else. */
function needed(limits: Limits, context: CheckContext, symbol: string): void {
  addUp(limits, context, symbol);
  if (limits.due.get(symbol)?.invariant !== 'K6')
    context.violated('L4', `Needless: ${symbol} is halted for repeated fills, and they are fewer than the limit.`);
}

/** L4 once more: a side is locked for what filled. A person who takes the lock off begins the count anew. */
function locked(limits: Limits, context: CheckContext, { type, payload }: Told): void {
  if (payload.code !== 'repeated-fills') return;
  const symbol = String(payload.symbol);
  const key = `${symbol} ${String(payload.side)}`;
  addUp(limits, context, symbol);
  if (type === 'locked' && !limits.locksDue.has(key))
    context.violated('L4', `Needless: ${key} is locked for repeated fills, and they are fewer than the limit.`);
  limits.locksDue.delete(key);
  if (type === 'unlocked' && payload.by !== 'time') limits.parts.delete(symbol);
}

/** A person begins anew what halted the symbol, and nothing else. */
function resumed(limits: Limits, symbol: string): void {
  const code = limits.codes.get(symbol) ?? '';
  if (code === 'repeated-fills') {
    limits.parts.delete(symbol);
  }
  for (const side of ['buy', 'sell']) limits.locksDue.delete(`${symbol} ${side}`);
  if (code === 'loss') limits.marks.delete(symbol);
  if (code !== 'halted') limits.due.delete(symbol);
}

function fill(limits: Limits, context: CheckContext, { fill: row, at: bookedAt }: Told['payload']): void {
  const { symbol, side, venueTime, price, quantity } = row as Readonly<Record<string, unknown>>;
  const run = runOf(context, String(symbol));
  if (!run) return;
  const at = Number(venueTime);
  const notional = new Decimal(String(price)).mul(String(quantity));
  const kept = (limits.parts.get(String(symbol)) ?? []).filter((part) => part.at >= at - 2 * HOUR);
  limits.parts.set(String(symbol), [...kept, { at, side: String(side), notional }]);
  // What a person has just called the bot's, at a start, halts nothing by itself.
  if (bookedAt === limits.startedAt) return;
  limits.unjudgedFrom.set(String(symbol), Math.min(at, limits.unjudgedFrom.get(String(symbol)) ?? at));
}

/** Before an intent, when all fills of a turn are known: no window may hold so much more of one side. */
function addUp(limits: Limits, context: CheckContext, symbol: string): void {
  const run = runOf(context, symbol);
  const from = limits.unjudgedFrom.get(symbol);
  if (!run || from === undefined || limits.due.has(symbol)) return;
  limits.unjudgedFrom.delete(symbol);
  const most = run.limits.maxOrderNotional.mul(run.limits.repeatedFills);
  const all = limits.parts.get(symbol) ?? [];
  for (const { at: end, side } of all) {
    if (end < from || end > from + HOUR) continue;
    const worth = (ms: number): Decimal => oneSided(all, side, { from: end - ms, to: end });
    const [hour, minutes] = [worth(HOUR), worth(5 * MINUTE)];
    if (hour.gte(most.mul(3)))
      limits.due.set(symbol, { invariant: 'K6', sentence: `${hour.toFixed()} more of the ${side} side filled.` });
    if (minutes.gte(most)) limits.locksDue.set(`${symbol} ${side}`, minutes.toFixed());
  }
}

const oneSided = (parts: readonly Part[], side: string, { from, to }: { from: number; to: number }): Decimal =>
  parts
    .filter(({ at }) => at >= from && at <= to)
    .reduce((sum, part) => (part.side === side ? sum.add(part.notional) : sum.sub(part.notional)), new Decimal(0));

function mark(limits: Limits, context: CheckContext, symbol: string, payload: Told['payload']): void {
  const run = runOf(context, symbol);
  if (!run) return;
  const total = new Decimal(String(payload.total));
  const number = Math.floor(Number(payload.at) / DAY);
  const before = countedBy(limits.marks.get(symbol), payload.treatment, total);
  const now: Marks = {
    session: before?.session ?? total,
    day: before !== undefined && before.day.number >= number ? before.day : { number, from: before?.last ?? total },
    peak: before === undefined ? total : Decimal.max(before.peak, total),
    treatment: payload.treatment,
    last: total,
  };
  limits.marks.set(symbol, now);
  const { maxSessionLoss, maxDayLoss, maxDrawdown } = run.limits;
  const over = [
    { from: now.session, limit: maxSessionLoss },
    { from: now.day.from, limit: maxDayLoss },
    { from: now.peak, limit: maxDrawdown },
  ].some(({ from, limit }) => from !== null && limit !== undefined && from.sub(total).gte(limit));
  if (over) limits.due.set(symbol, { invariant: 'K7', sentence: `profit had fallen to ${total.toFixed(2)}.` });
}

/**
 * Where tax counts otherwise than at the last mark, these move with it: what was lost since is not told apart from
 * what is counted otherwise.
 */
function countedBy(marks: Marks | undefined, treatment: unknown, total: Decimal): Marks | undefined {
  if (marks === undefined || marks.treatment === treatment) return marks;
  const by = marks.last === null ? ZERO : total.sub(marks.last);
  return {
    session: marks.session?.add(by) ?? null,
    day: { ...marks.day, from: marks.day.from.add(by) },
    peak: marks.peak.add(by),
    treatment,
    last: marks.last === null ? null : total,
  };
}

const runOf = ({ settings }: CheckContext, symbol: string): RunSettings | undefined =>
  settings.runs.find(({ instrument }) => instrument.symbol === symbol);
