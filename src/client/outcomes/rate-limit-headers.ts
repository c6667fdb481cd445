// Reads the usable X-RateLimit-* and Retry-After headers (specification §8), among seconds, dates and nonsense.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../domain/time.ts';
import type { AnswerFacts, Completed, RateLimitReading } from '../../venue/outcomes.ts';
import type { ClockEstimate } from '../clock/server-clock.ts';
import type { Stamper } from '../clock/stamper.ts';

/** The longest wait by a header: one absurd number must not stop the program for a day. */
export const LONGEST_WAIT_MS: DurationMs = 5 * MINUTE;
/** Longest wait taken from a window's end: given as a moment, it may look minutes away by a wrong clock (F88). */
export const LONGEST_WINDOW_MS: DurationMs = MINUTE;
/** `Date` is floored to the second, and a reset in seconds is rounded up to it. */
const ROUNDING_MS: DurationMs = SECOND;
/** Numbers above this are milliseconds since epoch, below it seconds. */
const MILLISECONDS_FROM = 100_000_000_000;
const LARGEST_COUNT = 1_000_000_000;

interface ReceivedAnswer {
  readonly receivedAt: EpochMs;
  /** The answer's `Date` header: the venue's times are relative to it, so that a wrong clock here does not matter. */
  readonly venueDate?: EpochMs;
}

type Headers = Readonly<Record<string, string>>;

/**
 * The facts with the earliest provable reset. `Date` is floored to the second, so a wait counted from it is up to a
 * second too long, and minutes if a cache froze it; when the answer came, the venue's clock showed at least the minimum
 * that all answers together allow.
 */
export function withProvenReset(facts: AnswerFacts, clock: ClockEstimate | null): AnswerFacts {
  const { rateLimit, receivedAt, venueDate } = facts;
  if (clock === null || venueDate === undefined || rateLimit?.resetAt === undefined) return facts;
  const venueAtLeast = receivedAt + clock.offsetMs - clock.uncertaintyMs;
  const { resetFrom, cutMs = 0 } = rateLimit;
  // Time already cut off the wait is not deducted twice.
  const behind = Math.floor(venueAtLeast - venueDate) - cutMs;
  if (behind <= 0) return facts;
  const resetAt = rateLimit.resetAt - behind;
  if (resetFrom === undefined) return { ...facts, rateLimit: { ...rateLimit, resetAt } };
  // Counted from the latest time that the venue's clock may show; it is not proved that `Date` is less than a second
  // old.
  const sooner = Math.ceil(behind + 2 * clock.uncertaintyMs - ROUNDING_MS);
  return { ...facts, rateLimit: { ...rateLimit, resetAt, resetFrom: Math.min(resetFrom - sooner, resetAt) } };
}

/**
 * The same by the venue's clock as known before or after the answer, whichever gives the earlier reset: a `Date` that
 * contradicts all earlier ones is trusted for the clock, but not for how long to stay silent.
 */
export function withKnownReset(
  facts: AnswerFacts,
  before: ClockEstimate | null,
  since: ClockEstimate | null,
): AnswerFacts {
  const [a, b] = [withProvenReset(facts, before), withProvenReset(facts, since)];
  const earlier = (a.rateLimit?.resetAt ?? 0) < (b.rateLimit?.resetAt ?? 0) ? a : b;
  return withProvenWait(earlier, [before, since]);
}

/**
 * A `Retry-After` date, too, is counted from the earliest time that the venue's clock may show. Dates are floored to
 * the second.
 */
function withProvenWait(facts: AnswerFacts, clocks: readonly (ClockEstimate | null)[]): AnswerFacts {
  const { rateLimit, receivedAt } = facts;
  if (rateLimit?.retryDate === undefined || rateLimit.retryAfter === undefined) return facts;
  const { retryDate, retryAfter: told } = rateLimit;
  const endsBy = retryDate + ROUNDING_MS;
  const proven = clocks.flatMap((clock) =>
    clock === null ? [] : [Math.max(0, Math.ceil(endsBy - receivedAt - clock.offsetMs + clock.uncertaintyMs))],
  );
  return { ...facts, rateLimit: { ...rateLimit, retryAfter: Math.min(told, ...proven) } };
}

/** Lets the stamper learn from an answer; returns the facts with the reset corrected by that knowledge. */
export function learnedFacts(stamper: Stamper, completed: Completed): AnswerFacts {
  const before = stamper.estimate();
  stamper.learn(completed);
  return withKnownReset(completed.facts, before, stamper.estimate());
}

/** The reading with times by our clock, or `undefined` if no header was usable. */
export function readRateLimit(headers: Headers, answer: ReceivedAnswer): RateLimitReading | undefined {
  const limit = count(headers['x-ratelimit-limit']);
  const remaining = count(headers['x-ratelimit-remaining']);
  const reset = resetTimes(headers['x-ratelimit-reset'], answer);
  const retryAfter = readRetryAfter(headers['retry-after'], answer);
  const retryDate = readHttpDate(headers['retry-after']?.trim());
  const reading: RateLimitReading = {
    ...(limit !== undefined && { limit }),
    ...(remaining !== undefined && { remaining }),
    ...reset,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(retryDate !== undefined && { retryDate }),
  };
  return Object.keys(reading).length > 0 ? reading : undefined;
}

/**
 * Seconds or an HTTP date, as a wait of at most `LONGEST_WAIT_MS`; `undefined` for anything else, a negative number
 * included.
 */
export function readRetryAfter(text: string | undefined, answer: ReceivedAnswer): DurationMs | undefined {
  if (text === undefined) return undefined;
  const trimmed = text.trim();
  if (/^\d{1,12}(?:\.\d{1,6})?$/.test(trimmed)) return Math.min(Number(trimmed) * SECOND, LONGEST_WAIT_MS);
  const date = readHttpDate(trimmed);
  return date === undefined ? undefined : waitUntil(date, answer);
}

/** `Sun Nov  6 08:49:37 1994`, the form of `asctime`: it names no zone, and is UTC (RFC 9110, 5.6.7). */
const WITHOUT_ZONE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** An HTTP date as epoch ms. Names of days and months are required: a bare number is not a date. */
export function readHttpDate(text: string | undefined): EpochMs | undefined {
  if (text === undefined || !/^[A-Z][a-z]{2,8},? /.test(text)) return undefined;
  const at = Date.parse(WITHOUT_ZONE.test(text) ? `${text} GMT` : text);
  return Number.isFinite(at) ? at : undefined;
}

function count(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{1,15}$/.test(text.trim())) return undefined;
  const value = Number(text);
  return value <= LARGEST_COUNT ? value : undefined;
}

/** When the window ends at the latest and, where given in whole seconds, at the earliest. */
function resetTimes(
  text: string | undefined,
  answer: ReceivedAnswer,
): Pick<RateLimitReading, 'resetAt' | 'resetFrom' | 'cutMs'> {
  if (text === undefined || !/^\d{1,16}(?:\.\d{1,6})?$/.test(text.trim())) return {};
  const value = Number(text);
  const at = value >= MILLISECONDS_FROM ? value : value * SECOND;
  const told = at - venueNowOf(answer);
  if (told <= 0) return {};
  const wait = Math.min(told, LONGEST_WINDOW_MS);
  const resetAt = answer.receivedAt + wait;
  const cut = told > wait ? { cutMs: told - wait } : {};
  if (at % SECOND !== 0) return { resetAt, ...cut };
  const early = ROUNDING_MS + (answer.venueDate === undefined ? 0 : ROUNDING_MS);
  return { resetAt, resetFrom: answer.receivedAt + Math.max(0, wait - early), ...cut };
}

function waitUntil(venueTime: EpochMs, answer: ReceivedAnswer): DurationMs {
  return Math.min(Math.max(venueTime - venueNowOf(answer), 0), LONGEST_WAIT_MS);
}

const venueNowOf = ({ venueDate, receivedAt }: ReceivedAnswer): EpochMs => venueDate ?? receivedAt;
