// Learns a lane's pace from answers: pure. The configured rate is used until the exchange refuses it.
import { type DurationMs, SECOND } from '../../domain/time.ts';
import type { Random } from '../../ports/random.ts';
import type { AnswerFacts } from '../../venue/outcomes.ts';
import { PROBE_EVERY_MS } from '../../venue/refusals.ts';
import {
  heard,
  type LearnedRate,
  refused,
  reopensAt,
  startRate,
  type ToldWindow,
  type Trip,
  taken,
} from './learned-rate.ts';

export interface PaceSettings {
  /** Time between two requests at the configured rate: never less. */
  readonly intervalMs: DurationMs;
}

/** Times are monotonic. */
export interface Pace {
  readonly rate: LearnedRate;
  readonly window: ToldWindow | null;
  /** Throttled answers since the last other one. */
  readonly strikes: number;
  readonly pausedUntil: DurationMs;
  /** When the next request would be due at exactly the rate (generic cell rate algorithm). */
  readonly dueAt: DurationMs;
  readonly arrivals: Arrivals;
  readonly throttledAt: DurationMs;
  readonly throttledTotal: number;
  readonly remaining: number | null;
  readonly limit: number | null;
}

/** A wait that the venue named is lengthened by up to this share, so that clients don't return at the same moment. */
const WAIT_JITTER = 0.1;
/** Shortest window, unless the answers show another. */
const WINDOW_MS: DurationMs = SECOND;
/** Growth of unnamed waits: never less than a window, and half longer each time. */
const UNTOLD_GROWTH = 1.5;
const UNTOLD_LONGEST_MS: DurationMs = 60_000;
/** 503 and 504 may be a gateway's: cancels must be among the first requests that get through. */
const UNAVAILABLE_BACKOFF: BackoffSettings = { baseMs: 1_000, capMs: PROBE_EVERY_MS };
const TOO_MANY_REQUESTS = 429;
/** Most requests that a lane remembers individually. */
const QUOTA_MOST = 100;
/** Rounding: a second divided by a ninth of it may be slightly less than nine. */
const ROUNDING = 1e-9;

export const startPace = (now: DurationMs): Pace => ({
  rate: startRate(now),
  window: null,
  strikes: 0,
  pausedUntil: now,
  dueAt: now,
  arrivals: startArrivals,
  throttledAt: Number.NEGATIVE_INFINITY,
  throttledTotal: 0,
  remaining: null,
  limit: null,
});

interface LaneAnswer {
  readonly facts: AnswerFacts;
  /** Whether the venue refused for the rate or its own state: 429, 503, 504. */
  readonly throttled: boolean;
  readonly now: DurationMs;
  /** When it arrived; it may be processed later. */
  readonly arrivedAt: DurationMs;
}

/** Learns from one answer. A throttled answer without a status counts as a 429. */
export function learn(before: Pace, settings: PaceSettings, answer: LaneAnswer, random: Random): Pace {
  const { facts, now, arrivedAt } = answer;
  // Our wall clock may have been set between the two.
  const leftAt = arrivedAt - Math.max(0, facts.receivedAt - facts.sentAt);
  const trip: Trip = { leftAt, arrivedAt, intervalMs: intervalOf(before, settings) };
  const reading = facts.rateLimit;
  const pace: Pace = {
    ...before,
    window: heard(before.window, facts, trip),
    arrivals: facts.status === undefined ? before.arrivals : heardAfter(before.arrivals, arrivedAt - leftAt),
    remaining: reading?.remaining ?? before.remaining,
    limit: reading?.limit ?? before.limit,
  };
  if (answer.throttled) return throttledBy(pace, settings, { facts, trip, now }, random);
  // No answer, a failure or a ban is no evidence about the allowed rate: only a good answer restores pace.
  const isGood = facts.status !== undefined && facts.status <= NOT_FOUND;
  const pausedUntil = Math.max(pace.pausedUntil, opensAt(pace, settings, facts, arrivedAt));
  if (!isGood) return { ...pace, pausedUntil };
  const heldMs = Math.max(0, pausedUntil - Math.max(now, pace.dueAt, pace.pausedUntil));
  return { ...pace, rate: taken(pace.rate, { leftAt, now, heldMs }), strikes: 0, pausedUntil };
}

/** The last status about the request itself; above it are bans and the exchange's own failures. */
const NOT_FOUND = 404;

interface Heard {
  readonly facts: AnswerFacts;
  readonly trip: Trip;
  readonly now: DurationMs;
}

function throttledBy(pace: Pace, settings: PaceSettings, { facts, trip, now }: Heard, random: Random): Pace {
  const { arrivedAt } = trip;
  // Answers to requests sent before the last refusal was known are no new evidence. A resting lane is no excuse: it may
  // rest because a window was used up, and a refusal then means that the pace is too fast.
  const first = trip.leftAt > pace.throttledAt;
  const strikes = pace.strikes + (first ? 1 : 0);
  const tooMany = (facts.status ?? TOO_MANY_REQUESTS) === TOO_MANY_REQUESTS;
  const rate = first && tooMany ? refused(pace.rate, now) : pace.rate;
  const slower = { ...pace, rate };
  // Reads obey a wait named by a 503 (`Contact.readsFrom`); the lane goes on for cancels.
  const named = tooMany ? (facts.rateLimit?.retryAfter ?? 0) * (1 + WAIT_JITTER * random.next()) : 0;
  // 429s alone: an outage before them is no evidence of how often the rate was exceeded.
  const untold = tooMany ? untoldWait(rate.refusals, random) : backoffDelay(strikes, UNAVAILABLE_BACKOFF, random);
  const wait = Math.max(named, untold);
  const spacedFrom = tooMany ? arrivedAt + intervalOf(slower, settings) : 0;
  return {
    ...slower,
    strikes,
    dueAt: Math.max(pace.dueAt, spacedFrom),
    pausedUntil: Math.max(pace.pausedUntil, toldReset(facts, arrivedAt), arrivedAt + wait),
    throttledAt: first ? now : pace.throttledAt,
    throttledTotal: pace.throttledTotal + 1,
  };
}

/** With jitter of a third, so that clients don't return at the same moment. */
function untoldWait(refusals: number, random: Random): DurationMs {
  const shortest = WINDOW_MS * UNTOLD_GROWTH ** (Math.min(Math.max(refusals, 1), 32) - 1);
  return Math.min(UNTOLD_LONGEST_MS, shortest * (1 + random.next() / 2));
}

/** The time between two requests as learned, in ms. */
export function intervalOf(pace: Pace, settings: PaceSettings): DurationMs {
  return settings.intervalMs / pace.rate.share;
}

/** When the next request may leave. */
export function nextReleaseAt(pace: Pace, settings: PaceSettings): DurationMs {
  return Math.max(pace.pausedUntil, pace.dueAt, mayLeaveAt(pace.arrivals, quotaOf(pace, settings)));
}

/** Records that one request leaves now. */
export function released(pace: Pace, settings: PaceSettings, now: DurationMs): Pace {
  const dueAt = Math.max(pace.dueAt, now) + intervalOf(pace, settings);
  return { ...pace, dueAt, arrivals: departed(pace.arrivals, quotaOf(pace, settings), now) };
}

/** The request released at `leftAt` was answered, given up, or never sent. */
export function returned(pace: Pace, leftAt: DurationMs, now: DurationMs): Pace {
  return { ...pace, arrivals: arrived(pace.arrivals, leftAt, now) };
}

/**
 * The limit on arrivals: as many as the pace allows in a window, and no more in any stretch of that length. A shorter
 * stretch than the exchange's own window is safe; a longer one loses less to late arrivals.
 */
function quotaOf(pace: Pace, settings: PaceSettings): Quota {
  const interval = intervalOf(pace, settings);
  const inWindow = Math.floor(WINDOW_MS / interval + ROUNDING);
  const requests = Math.max(1, Math.min(inWindow, pace.limit ?? inWindow, QUOTA_MOST));
  return { requests, perMs: requests * interval };
}

/** When the window has room again once nothing remains of it (observed, N1: one request per window). */
function opensAt(pace: Pace, settings: PaceSettings, facts: AnswerFacts, arrivedAt: DurationMs): DurationMs {
  const { limit, remaining, resetAt } = facts.rateLimit ?? {};
  if (remaining !== 0 || resetAt === undefined) return arrivedAt;
  // An earlier window with another limit is no evidence about this one.
  if (limit === undefined || pace.window?.limit !== limit) return toldReset(facts, arrivedAt);
  return reopensAt(pace.window, intervalOf(pace, settings));
}

function toldReset(facts: AnswerFacts, arrivedAt: DurationMs): DurationMs {
  const { remaining, resetAt } = facts.rateLimit ?? {};
  return remaining === 0 && resetAt !== undefined ? arrivedAt + Math.max(0, resetAt - facts.receivedAt) : arrivedAt;
}

// Bounds when the exchange has counted each request: pure. It counts a request on arrival, at an unknown moment between
// departure and answer. Times are monotonic.

interface Departure {
  readonly leftAt: DurationMs;
  /** Answered or given up, so it has arrived or never will; null while it is on its way. */
  readonly overAt: DurationMs | null;
}

interface Arrivals {
  /** Departures that may still count in a window, in order. */
  readonly departures: readonly Departure[];
  /** The quickest round trips: of one row of answers, and of the row since then. */
  readonly quickBefore: DurationMs;
  readonly quickLately: DurationMs;
  readonly heardLately: number;
}

/** At most this many requests arrive in any stretch of `perMs`. */
interface Quota {
  readonly requests: number;
  readonly perMs: DurationMs;
}

/** Answers in a row: after this many, the quickest is close to the quickest possible. */
const ROW = 64;
/** The quickest possible trip, as a share of the quickest observed. */
const QUICKER = 0.75;
/**
 * A trip longer than the quickest by more than this is no longer in transit but being processed. A share of the
 * stretch, so that a lane keeps four fifths of its pace whatever the answers, and at least the usual network delay.
 */
const LATE_SHARE = 0.25;
const LATE_MS: DurationMs = SECOND / 4;

/** The quickest possible trip is unknown: a request may arrive at once. */
const startArrivals: Arrivals = {
  departures: [],
  quickBefore: 0,
  quickLately: Number.POSITIVE_INFINITY,
  heardLately: 0,
};

function departed(arrivals: Arrivals, { perMs }: Quota, leftAt: DurationMs): Arrivals {
  const counting = arrivals.departures.filter((each) => each.leftAt + latestMs(arrivals, perMs) + perMs > leftAt);
  return { ...arrivals, departures: [...counting, { leftAt, overAt: null }] };
}

/** The request that left at `leftAt` is over. */
function arrived(arrivals: Arrivals, leftAt: DurationMs, now: DurationMs): Arrivals {
  const index = arrivals.departures.findIndex((each) => each.leftAt === leftAt && each.overAt === null);
  if (index < 0) return arrivals;
  return { ...arrivals, departures: arrivals.departures.with(index, { leftAt, overAt: now }) };
}

/** Records how long an answer took. */
function heardAfter(arrivals: Arrivals, tookMs: DurationMs): Arrivals {
  const quickLately = Math.min(arrivals.quickLately, tookMs);
  const heardLately = arrivals.heardLately + 1;
  if (heardLately < ROW) return { ...arrivals, quickLately, heardLately };
  return { ...arrivals, quickBefore: quickLately, quickLately: Number.POSITIVE_INFINITY, heardLately: 0 };
}

/**
 * When the next request may leave: even if it is the quickest possible, and the request it must keep clear of was as
 * late as possible, the two arrive far enough apart.
 */
function mayLeaveAt(arrivals: Arrivals, { requests, perMs }: Quota): DurationMs {
  const { departures } = arrivals;
  const away = departures.slice(0, Math.max(0, departures.length - (requests - 1)));
  const arrivedBy = away.map(({ leftAt, overAt }) =>
    Math.min(leftAt + latestMs(arrivals, perMs), overAt ?? Number.POSITIVE_INFINITY),
  );
  return Math.max(...arrivedBy) + perMs - quickest(arrivals);
}

const quickest = ({ quickBefore, quickLately }: Arrivals): DurationMs => QUICKER * Math.min(quickBefore, quickLately);

/** From departure to the latest arrival, plus the quickest way back. */
function latestMs(arrivals: Arrivals, perMs: DurationMs): DurationMs {
  return quickest(arrivals) + Math.max(LATE_MS, LATE_SHARE * perMs);
}

// Wait before a retry: exponential, with full jitter, capped.

interface BackoffSettings {
  /** Upper bound of the first delay. */
  readonly baseMs: DurationMs;
  /** Upper bound of every delay. */
  readonly capMs: DurationMs;
}

/** Uniform in [0, min(cap, base × 2^(strikes − 1))), so that clients that failed together don't return together. */
export function backoffDelay(strikes: number, settings: BackoffSettings, random: Random): DurationMs {
  if (strikes < 1) return 0;
  return random.next() * Math.min(settings.capMs, settings.baseMs * 2 ** Math.min(strikes - 1, 52));
}
