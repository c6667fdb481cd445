// Since when the exchange has been answering: while it is silent or holds the lane back, no read is possible and no
// bound runs.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../src/domain/time.ts';
import { type Answered, type CheckContext, isPrivate } from './context.ts';
import type { Told } from './journal-model.ts';

/**
 * How long a slowed lane takes to come near its pace again: a minute without tries, and then half of the way after some
 * answers each time.
 */
export const SLOW_START_MS: DurationMs = 3 * MINUTE;
/** The status that slows it down. */
export const TOO_MANY_REQUESTS = 429;
/**
 * After this many answers since the last refusal for the rate a lane has half of its pace back, and the rest a minute
 * later; except one whose tries were refused repeatedly: it keeps for eight minutes what held, a sixteenth at least.
 */
const ANSWERS_UNTIL_FAST = 20;
/** Two requests this close together show that it has more: half of the slowest pace that a plan configures. */
const CLOSE_MS: DurationMs = 6 * SECOND;
/** Longest time after the last refusal until its full rate is back (docs/decisions/0030). */
const SLOW_AT_MOST_MS: DurationMs = 20 * MINUTE;
const SILENCE_MS: DurationMs = MINUTE;
/** The bot obeys a Retry-After for at most five minutes. */
const LONGEST_SILENCE_MS: DurationMs = 6 * MINUTE;

export interface LaneHealth {
  answered(context: CheckContext, message: Answered): void;
  recorded(context: CheckContext, told: Told): void;
  /** The start, or the first answer after a minute without one. */
  since(): EpochMs;
  /**
   * When the lane was near its pace again after the faults last slowed it down: that takes answers, however long they
   * take. Infinite before that; the slowed process may have ended.
   */
  fastSince(): EpochMs;
  /**
   * The last answer was a refusal or missing, more than a minute ago, and a Retry-After from the faulty time may still
   * hold.
   */
  isHeldBack(context: CheckContext): boolean;
}

/** For the private lane, or for the one that reads books. */
export function createLaneHealth(lane: 'private' | 'public' = 'private'): LaneHealth {
  let at = 0;
  let since = 0;
  let refused = false;
  let refusedAt = Number.NEGATIVE_INFINITY;
  let fastSince = Number.NEGATIVE_INFINITY;
  /** Answers still owed by a slowed lane; null if it was not slowed or has recovered. */
  let slowed: { readonly since: EpochMs; owed: number; sentAt: EpochMs; isClose: boolean } | null = null;

  function countAnswer(now: EpochMs, sentAt: EpochMs): void {
    if (slowed === null) return;
    slowed.owed -= 1;
    slowed.isClose ||= sentAt - slowed.sentAt <= CLOSE_MS;
    slowed.sentAt = sentAt;
    if (slowed.owed > 0 || !(slowed.isClose || now - slowed.since > SLOW_AT_MOST_MS)) return;
    slowed = null;
    fastSince = now;
  }

  return {
    answered(context, message) {
      if (isPrivate(message) !== (lane === 'private')) return;
      // An answer after the refusal to a request sent before it proves no recovery.
      const wasSentBefore = message.sentAt - context.clockError() <= refusedAt;
      if (message.status !== 200) refusedAt = context.now();
      refused = message.status !== 200 || (refused && wasSentBefore);
      if (message.status === TOO_MANY_REQUESTS && context.phase() === 'chaos')
        slowed = { since: context.now(), owed: ANSWERS_UNTIL_FAST, sentAt: Number.NEGATIVE_INFINITY, isClose: false };
      if (message.status !== 200) return;
      if (context.now() - at > SILENCE_MS) since = context.now();
      at = context.now();
      countAnswer(at, message.sentAt);
    },
    recorded(context, { type }) {
      if (type !== 'session-started') return;
      at = since = context.now();
      refused = false;
      slowed = null;
    },
    since: () => since,
    fastSince: () => (slowed !== null ? Number.POSITIVE_INFINITY : fastSince),
    isHeldBack(context) {
      const waitedMs = context.now() - Math.max(at, context.calmSince());
      return refused && context.now() - at > SILENCE_MS && waitedMs <= LONGEST_SILENCE_MS;
    },
  };
}
