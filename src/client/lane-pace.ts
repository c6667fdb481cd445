// How fast a lane may go, learned from answers: pure. What is configured is believed until the exchange refuses it.
import type { DurationMs } from '../domain/time.ts';
import type { Random } from '../ports/random.ts';
import type { AnswerFacts } from '../venue/outcomes.ts';
import { PROBE_EVERY_MS } from '../venue/probe-pace.ts';
import { type BackoffSettings, backoffDelay } from './backoff.ts';
import { type LearnedRate, refused, relieved, startRate, taken } from './pace/learned-rate.ts';
import { heard, reopensAt, type ToldWindow, type Trip } from './pace/told-window.ts';

export interface PaceSettings {
  /** Time between two requests at the configured rate: never less. */
  readonly intervalMs: DurationMs;
  /** How many requests may follow each other at once after a quiet time. */
  readonly burst: number;
}

/** Times are monotonic. */
export interface Pace {
  readonly rate: LearnedRate;
  readonly window: ToldWindow | null;
  /** Throttled answers since the last other one. */
  readonly strikes: number;
  readonly pausedUntil: DurationMs;
  /** When the next request would be due if requests came at exactly the rate (generic cell rate algorithm). */
  readonly dueAt: DurationMs;
  /** From a request to its answer, where that was quick. */
  readonly quickMs: DurationMs | null;
  readonly throttledAt: DurationMs;
  readonly throttledTotal: number;
  readonly remaining: number | null;
  readonly limit: number | null;
}

/** A wait that the venue named is lengthened by up to this share, so that clients don't return at the same moment. */
const WAIT_JITTER = 0.1;
/** Where none is named: never less than the second that windows last at least, and longer by half each time. */
const UNTOLD_MS: DurationMs = 1_000;
const UNTOLD_GROWTH = 1.5;
const UNTOLD_LONGEST_MS: DurationMs = 60_000;
/** 503 and 504 may be a gateway's: cancels must be among the first requests that get through. */
const UNAVAILABLE_BACKOFF: BackoffSettings = { baseMs: 1_000, capMs: PROBE_EVERY_MS };
const TOO_MANY_REQUESTS = 429;
/** A request that took longer than others may have arrived later: the next one waits for it, up to this share. */
const LATE_SHARE = 0.05;
/** A trip may be quicker than all that were seen by so much. */
const QUICKER = 0.75;
/** So much of the difference becomes usual with each slower answer. */
const QUICK_EASE = 0.01;

export const startPace = (now: DurationMs): Pace => ({
  rate: startRate(now),
  window: null,
  strikes: 0,
  pausedUntil: now,
  dueAt: now,
  quickMs: null,
  throttledAt: Number.NEGATIVE_INFINITY,
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
export function learn(before: Pace, settings: PaceSettings, answer: LaneAnswer, random: Random): Pace {
  const { facts, now } = answer;
  // Our wall clock may have been set between the two.
  const leftAt = now - Math.max(0, facts.receivedAt - facts.sentAt);
  const trip: Trip = { leftAt, now, intervalMs: intervalOf(before, settings) };
  const reading = facts.rateLimit;
  const isRaised = before.limit !== null && (reading?.limit ?? 0) > before.limit;
  const pace: Pace = {
    ...before,
    rate: isRaised ? relieved(before.rate, now) : before.rate,
    window: heard(before.window, facts, trip),
    remaining: reading?.remaining ?? before.remaining,
    limit: reading?.limit ?? before.limit,
  };
  if (answer.throttled) return throttledBy(pace, settings, { facts, trip }, random);
  // No answer, a failure or a ban says nothing of how much is allowed: only a good one gives something back.
  const isGood = facts.status !== undefined && facts.status <= NOT_FOUND;
  const rate = isGood ? taken(pace.rate, trip.leftAt, now) : pace.rate;
  const spaced = { ...behindLate({ ...pace, rate }, settings, trip), strikes: isGood ? 0 : pace.strikes };
  return { ...spaced, pausedUntil: Math.max(pace.pausedUntil, opensAt(spaced, settings, facts, now)) };
}

/** The last status that is about what was asked; behind it come bans, and failures of the exchange's own. */
const NOT_FOUND = 404;

interface Heard {
  readonly facts: AnswerFacts;
  readonly trip: Trip;
}

function throttledBy(pace: Pace, settings: PaceSettings, { facts, trip }: Heard, random: Random): Pace {
  const { now } = trip;
  // Answers to requests that were on their way when the pause began tell nothing new.
  const first = trip.leftAt > pace.throttledAt && now >= pace.pausedUntil;
  const strikes = pace.strikes + (first ? 1 : 0);
  const tooMany = (facts.status ?? TOO_MANY_REQUESTS) === TOO_MANY_REQUESTS;
  const rate = first && tooMany ? refused(pace.rate, now) : pace.rate;
  const slower = { ...pace, rate };
  // A 503 that names a wait is obeyed by reads (`Contact.readsFrom`); the lane goes on for the cancels.
  const named = tooMany ? (facts.rateLimit?.retryAfter ?? 0) * (1 + WAIT_JITTER * random.next()) : 0;
  const untold = tooMany ? untoldWait(strikes, random) : backoffDelay(strikes, UNAVAILABLE_BACKOFF, random);
  const wait = Math.max(named, untold);
  const spacedFrom = tooMany ? now + settings.burst * intervalOf(slower, settings) : 0;
  return {
    ...slower,
    strikes,
    dueAt: Math.max(pace.dueAt, spacedFrom),
    pausedUntil: Math.max(pace.pausedUntil, toldReset(facts, now), now + wait),
    throttledAt: first ? now : pace.throttledAt,
    throttledTotal: pace.throttledTotal + 1,
  };
}

/** With jitter of a third, so that clients don't return at the same moment. */
function untoldWait(strikes: number, random: Random): DurationMs {
  const shortest = UNTOLD_MS * UNTOLD_GROWTH ** (Math.min(Math.max(strikes, 1), 32) - 1);
  return Math.min(UNTOLD_LONGEST_MS, shortest * (1 + random.next() / 2));
}

/** The time between two requests as learned, in ms. */
export function intervalOf(pace: Pace, settings: PaceSettings): DurationMs {
  return settings.intervalMs / pace.rate.share;
}

/** When the next request may leave. */
export function nextReleaseAt(pace: Pace, settings: PaceSettings): DurationMs {
  return Math.max(pace.pausedUntil, pace.dueAt - (settings.burst - 1) * intervalOf(pace, settings));
}

/** One request leaves now. */
export function released(pace: Pace, settings: PaceSettings, now: DurationMs): Pace {
  return { ...pace, dueAt: Math.max(pace.dueAt, now) + intervalOf(pace, settings) };
}

/**
 * The exchange counts from when a request arrives: where one left late, or was long on its way, a next one in time
 * would arrive early.
 */
function behindLate(pace: Pace, settings: PaceSettings, { leftAt, now }: Trip): Pace {
  const tookMs = now - leftAt;
  const quickMs = Math.min(pace.quickMs ?? tookMs, tookMs);
  const eased = quickMs + (tookMs - quickMs) * QUICK_EASE;
  const interval = intervalOf(pace, settings);
  const lateMs = Math.min(tookMs - QUICKER * quickMs, LATE_SHARE * interval);
  return { ...pace, quickMs: eased, dueAt: Math.max(pace.dueAt, leftAt + interval) + lateMs };
}

/** When the window has room again, where nothing remains of it (N1: one request per window is what was seen). */
function opensAt(pace: Pace, settings: PaceSettings, facts: AnswerFacts, now: DurationMs): DurationMs {
  const { limit, remaining, resetAt } = facts.rateLimit ?? {};
  if (remaining !== 0 || resetAt === undefined) return now;
  if (limit === undefined || pace.window === null) return toldReset(facts, now);
  return reopensAt(pace.window, intervalOf(pace, settings));
}

function toldReset(facts: AnswerFacts, now: DurationMs): DurationMs {
  const { remaining, resetAt } = facts.rateLimit ?? {};
  return remaining === 0 && resetAt !== undefined ? now + Math.max(0, resetAt - facts.receivedAt) : now;
}
