// How fast a lane may go, learned from answers: pure. Slower at once where the venue says so, faster again bit by bit.
import type { DurationMs } from '../domain/time.ts';
import type { Random } from '../ports/random.ts';
import type { AnswerFacts } from '../venue/outcomes.ts';
import { PROBE_EVERY_MS } from '../venue/probe-pace.ts';
import { type BackoffSettings, backoffDelay } from './backoff.ts';

export interface PaceSettings {
  /** Time between two requests at the configured rate: never less. */
  readonly intervalMs: DurationMs;
  /** How many requests may follow each other at once after a quiet time. */
  readonly burst: number;
}

/** Times are monotonic. */
export interface Pace {
  /** Share of the configured rate that is in use, from `SLOWEST` to 1. */
  readonly rate: number;
  /** Throttled answers since the last other one. */
  readonly strikes: number;
  readonly pausedUntil: DurationMs;
  /** When the next request would be due if requests came at exactly the rate (generic cell rate algorithm). */
  readonly dueAt: DurationMs;
  readonly throttledTotal: number;
  readonly remaining: number | null;
  readonly limit: number | null;
}

/** After each 429 the rate is halved, after each good answer a fortieth of the configured rate is given back. */
const DECREASE = 0.5;
const INCREASE = 0.025;
const SLOWEST = 1 / 16;
/** A wait that the venue named is lengthened by up to this share, so that clients don't return at the same moment. */
const WAIT_JITTER = 0.1;
const BACKOFF: BackoffSettings = { baseMs: 1_000, capMs: 60_000 };
/** 503 and 504 may be a gateway's: cancels must be among the first requests that get through. */
const UNAVAILABLE_BACKOFF: BackoffSettings = { baseMs: 1_000, capMs: PROBE_EVERY_MS };
const TOO_MANY_REQUESTS = 429;

export const startPace = (now: DurationMs): Pace => ({
  rate: 1,
  strikes: 0,
  pausedUntil: now,
  dueAt: now,
  throttledTotal: 0,
  remaining: null,
  limit: null,
});

export interface LaneAnswer {
  readonly facts: AnswerFacts;
  /** Whether the venue refused for the rate or for its own state: 429, 503, 504. */
  readonly throttled: boolean;
  readonly now: DurationMs;
}

/** Learns from one answer. A throttled answer without a status counts as a 429. */
export function learn(pace: Pace, answer: LaneAnswer, random: Random): Pace {
  const reading = answer.facts.rateLimit;
  const seen = { remaining: reading?.remaining ?? pace.remaining, limit: reading?.limit ?? pace.limit };
  const windowEnds = answer.now + waitForReset(answer.facts);
  if (!answer.throttled) {
    // No answer, a failure or a ban says nothing of how much is allowed: only a good one gives something back.
    if (!isGood(answer.facts)) return { ...pace, ...seen, pausedUntil: Math.max(pace.pausedUntil, windowEnds) };
    const rate = Math.min(1, pace.rate + INCREASE);
    return { ...pace, ...seen, rate, strikes: 0, pausedUntil: Math.max(pace.pausedUntil, windowEnds) };
  }
  // Answers to requests that were on their way when the pause began tell nothing new.
  const first = answer.now >= pace.pausedUntil;
  const strikes = pace.strikes + (first ? 1 : 0);
  const tooMany = (answer.facts.status ?? TOO_MANY_REQUESTS) === TOO_MANY_REQUESTS;
  const slower = first && tooMany;
  // A 503 that names a wait is obeyed by reads (`Contact.readsFrom`); the lane goes on for the cancels.
  const named = tooMany ? (reading?.retryAfter ?? 0) * (1 + WAIT_JITTER * random.next()) : 0;
  const wait = Math.max(named, backoffDelay(strikes, tooMany ? BACKOFF : UNAVAILABLE_BACKOFF, random));
  return {
    ...pace,
    ...seen,
    rate: slower ? Math.max(SLOWEST, pace.rate * DECREASE) : pace.rate,
    strikes,
    pausedUntil: Math.max(pace.pausedUntil, windowEnds, answer.now + wait),
    throttledTotal: pace.throttledTotal + 1,
  };
}

/** The last status that is about what was asked; behind it come bans, and failures of the exchange's own. */
const NOT_FOUND = 404;

/** Taken, or refused for what it asked; not silence. */
const isGood = ({ status }: AnswerFacts): boolean => status !== undefined && status <= NOT_FOUND;

/** The time between two requests as learned, in ms. */
export function intervalOf(pace: Pace, settings: PaceSettings): DurationMs {
  return settings.intervalMs / pace.rate;
}

/** When the next request may leave. */
export function nextReleaseAt(pace: Pace, settings: PaceSettings): DurationMs {
  return Math.max(pace.pausedUntil, pace.dueAt - (settings.burst - 1) * intervalOf(pace, settings));
}

/** One request leaves now. */
export function released(pace: Pace, settings: PaceSettings, now: DurationMs): Pace {
  return { ...pace, dueAt: Math.max(pace.dueAt, now) + intervalOf(pace, settings) };
}

/** Nothing remains of this window: wait for the next one (N1: one request per window is what was seen). */
function waitForReset(facts: AnswerFacts): DurationMs {
  const { remaining, resetAt } = facts.rateLimit ?? {};
  return remaining === 0 && resetAt !== undefined ? Math.max(0, resetAt - facts.receivedAt) : 0;
}
