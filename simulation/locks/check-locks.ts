// K14: no order is written for a locked side, and a lock ends at its time, not before.
import { type DurationMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import type { CheckContext, Checker } from '../checks/context.ts';
import type { Told } from '../checks/journal-model.ts';

interface HeldLock {
  readonly symbol: string;
  readonly code: string;
  readonly side: string | null;
  /** By the bot's clock; null if it has no end, or the bot's clock was set since. */
  readonly until: number | null;
  /** By true time, whatever the bot's clock shows; null where it has no end, or that is not known. */
  readonly truly: number | null;
}

/** A lock is checked in each turn, and each book that the bot reads brings one. */
const LATE_MS: DurationMs = MINUTE;

interface Locks {
  readonly held: Map<string, HeldLock>;
  /** When a process last started: a start compares clocks before it ends a lock. */
  startedAt: number;
}

export function lockChecks(): Checker {
  const locks: Locks = { held: new Map(), startedAt: 0 };
  return {
    recorded: (context, told) => recorded(locks, context, told),
    sampled: (context) => judgeEnds(locks, context),
  };
}

const keyOf = ({ symbol, code, side }: Told['payload']): string => `${String(symbol)} ${String(code)} ${String(side)}`;

function recorded(locks: Locks, context: CheckContext, told: Told): void {
  const { type, payload } = told;
  if (type === 'intent') judgeIntent(locks, context, payload);
  if (type === 'session-started') locks.startedAt = context.now();
  if (type === 'lock' && payload.lock === null) ended(locks, context, payload);
  if (type === 'lock' && payload.lock !== null) begun(locks, context, payload);
  if (type === 'symbol-resumed')
    for (const [key, { symbol }] of locks.held) if (symbol === payload.symbol) locks.held.delete(key);
  if (type === 'clock-moved') for (const [key, lock] of locks.held) locks.held.set(key, { ...lock, until: null });
}

function judgeIntent(locks: Locks, context: CheckContext, { intentId, symbol, side }: Told['payload']): void {
  for (const lock of locks.held.values())
    if (lock.symbol === symbol && (lock.side === null || lock.side === side))
      context.violated('K14', `Intent ${String(intentId)} was written while its side was locked by ${lock.code}.`);
}

function begun(locks: Locks, context: CheckContext, payload: Told['payload']): void {
  const { symbol, code, side, lock, at } = payload;
  const { until } = lock as { readonly until: number | null };
  context.counters.add(`locked by ${String(code)}`);
  // A lock that a start found on the disk was written at another time.
  const isOfNow = Math.abs(context.now() + context.clockError() - Number(at)) < SECOND;
  locks.held.set(keyOf(payload), {
    ...{ symbol: String(symbol), code: String(code) },
    side: side === null ? null : String(side),
    until: until === null ? null : Number(until),
    truly: until === null || !isOfNow ? null : context.now() + Number(until) - Number(at),
  });
}

function ended(locks: Locks, context: CheckContext, payload: Told['payload']): void {
  const lock = locks.held.get(keyOf(payload));
  locks.held.delete(keyOf(payload));
  if (lock === undefined) return context.violated('K14', `A lock ended that was none: ${keyOf(payload)}.`);
  const at = Number(payload.at);
  if (payload.by === 'time' && lock.until !== null && at < lock.until)
    return context.violated('K14', `The lock ${keyOf(payload)} ended ${(lock.until - at) / SECOND} s too early.`);
  // A sleep of the machine shows in none of its clocks.
  if (payload.by !== 'time' || lock.truly === null || context.wokeAt() !== null) return;
  const earlyMs = lock.truly - context.now();
  if (earlyMs > likelyOffMs(context))
    context.violated('K14', `The lock ${keyOf(payload)} ended ${earlyMs / SECOND} s too early by true time.`);
}

/** Twice the error of an undetected clock step, and the drift of some minutes. */
const likelyOffMs = ({ settings: { assumptions } }: CheckContext): DurationMs =>
  2 * (assumptions.maxClockUncertaintyMs + assumptions.recvWindowMs) + SECOND;

/**
 * After a start the clocks are compared first, which takes as long as the wallet and the lists do. A stopped bot checks
 * nothing any more.
 */
function judgeEnds({ held, startedAt }: Locks, context: CheckContext): void {
  const { phase, now, clockError, journal } = context;
  if (journal.ended !== null) return;
  if (phase() !== 'calm' || !context.isUp() || now() < Math.max(context.calmSince(), startedAt) + 5 * LATE_MS) return;
  for (const { symbol, code, until } of held.values())
    if (until !== null && now() + clockError() > until + LATE_MS)
      context.violated('K14', `The lock of ${symbol} by ${code} lasts longer than it was to.`);
}
