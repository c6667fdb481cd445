// The exchange's clock, and whether ours was set since the session before: what was noted then stands by another clock.
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import type { Completed } from '../../venue/outcomes.ts';
import { movedEnd, stampToCompare } from '../durable/fold/move-clock.ts';
import type { Stamp } from '../durable/journal-facts.ts';
import { type KnownClock, noteEarlierHorizons, type TraderState } from '../state/state.ts';
import { emit, notice, type Turn } from '../state/turn.ts';
import { readAnew } from './refusal.ts';

/**
 * Where it moves against ours the machine may have slept, and our clock with it: what was read is older than it looks
 * (F86).
 */
export function observeClock(
  state: TraderState,
  { offsetMs, uncertaintyMs, confirmed }: KnownClock,
  now: EpochMs,
): void {
  const { clock: before, settings } = state;
  state.clock = { offsetMs, uncertaintyMs, confirmed };
  if (before === null) return;
  if (Math.abs(offsetMs - before.offsetMs) > settings.assumptions.maxClockUncertaintyMs) readAnew(state, now);
}

/**
 * Compares our clock with that of the session before, once the exchange has taken a signed request of this one, and
 * before anything is concluded from its answer: a `Date` alone may be a cache's of half an hour ago (F88), a
 * stamp that was taken is right by its `recvWindow`. Nothing is created before own orders, trades and wallet were read:
 * every order that may be live is of a session before.
 */
export function compareClocks(turn: Turn, completed: Completed): void {
  const { state } = turn;
  if (state.session.clockCompared || state.clock === null) return;
  const proven = provenBy(completed, state.clock);
  if (proven === null) return;
  state.session.clockCompared = true;
  const newest = stampToCompare(state.durable);
  if (newest === null) return;
  const { timestamp, sentAt } = newest;
  const byMs = Math.round(leftAt(newest, proven.offsetMs) - sentAt);
  // Below this it is the estimates that differ: the one that stamped the create, and this one.
  if (Math.abs(byMs) <= state.settings.assumptions.maxClockUncertaintyMs + proven.uncertaintyMs) return;
  const { session, durable } = state;
  const { startedAt } = session;
  const endedAt = movedEnd(session.journalAge.endedAt, { byMs, startedAt, at: turn.now });
  session.journalAge = { ...session.journalAge, endedAt };
  const end = durable.journal.staleFrom === null ? {} : { journalEnd: endedAt };
  const stamp = { timestamp, sentAt };
  emit(turn, { type: 'clock-moved', payload: { byMs, startedAt, ...end, stamp, at: turn.now } });
  // All that left was of sessions before: nothing is created until more was read.
  for (const market of state.markets.values()) market.lastHorizon = 0;
  noteEarlierHorizons(state, turn.now, byMs);
  const message =
    `The clock of this machine was set by ${(byMs / SECOND).toFixed(0)} s since the last session: what is known of ` +
    `orders goes by the exchange's.`;
  notice(turn, { level: 'warn', op: 'clock-moved', message });
}

/**
 * The estimate where it agrees with the stamp that the exchange took, else the stamp: the answer's own `Date` may have
 * misled it.
 */
function provenBy({ request, outcome, facts }: Completed, estimate: KnownClock): KnownClock | null {
  const taken = outcome.kind === 'read' || outcome.kind === 'accepted' || outcome.kind === 'acknowledged';
  if (!taken || !('stamp' in request)) return null;
  const { timestamp, recvWindow } = request.stamp;
  const stamped = { offsetMs: timestamp - facts.sentAt, uncertaintyMs: recvWindow, confirmed: true };
  return Math.abs(stamped.offsetMs - estimate.offsetMs) <= recvWindow ? estimate : stamped;
}

/** When its create left, by our clock as it is now: the stamp is in the exchange's time. */
const leftAt = ({ timestamp }: Stamp, offsetMs: DurationMs): EpochMs => timestamp - offsetMs;
