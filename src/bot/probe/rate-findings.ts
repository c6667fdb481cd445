// Each lane's rate limit: how many requests in which time (N1), and the resulting pace.
import type { ClockEstimate } from '../../client/clock/server-clock.ts';
import { readRateLimit } from '../../client/outcomes/rate-limit-headers.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import type { Answer, Lane } from './answer.ts';
import { type Confidence, counted, type Finding, open } from './finding.ts';

const THROTTLED = 429;
/** Resets above this are milliseconds since epoch; below the other they are no time at all. */
const MILLISECONDS_FROM = 100_000_000_000;
const EPOCH_FROM = 1_000_000_000;
/** Observed ends of windows that rule out a coincidence. */
const SURE_WINDOWS = 3;
/** If a window allows more than one request, leaves some unused: clocks and networks vary. */
const USED_SHARE = 0.9;
/** A configured pace at least this close to the allowed one is not worth a change. */
const NEAR_SHARE = 0.8;

/** Compares a lane's rate limit with the configured pace. Empty if the lane was not used. */
export function rateFindings(
  answers: readonly Answer[],
  clock: ClockEstimate | null,
  { lane, requestsPerSecond }: Readonly<{ lane: Lane; requestsPerSecond: number }>,
): readonly Finding[] {
  const ofLane = answers.filter((answer) => answer.lane === lane && answer.status !== null);
  if (ofLane.length === 0) return [];
  const about = { id: `rate-limit.${lane}`, question: `N1 rate limit, ${lane}` };
  const passed = ofLane.filter(({ status }) => status !== THROTTLED);
  const throttled = ofLane.length - passed.length;
  const pace = `${counted(passed.length, 'request')} let through, ${throttled} throttled`;
  const samples = samplesOf(passed, clock);
  const limits = [...new Set(samples.map(({ limit }) => limit))];
  if (limits.length > 1) return [open(about, `the answers name several limits: ${limits.join(', ')}; ${pace}`)];
  const window = rateWindow(samples);
  if (window === null) return [open(about, `${limitWords(limits)} and no window; ${pace}`)];
  const { limit, lowMs, highMs, ends } = window;
  const isSure = ends >= SURE_WINDOWS;
  const confidence: Confidence = isSure ? (highMs - lowMs <= SECOND ? 'proved' : 'likely') : 'suspected';
  const isChange = confidence !== 'suspected' && !isWithin(requestsPerSecond, window);
  const setting = { symbol: null, path: ['lanes', lane, 'requestsPerSecond'], value: String(rateOf(window)) };
  const from = `Remaining and Reset of ${counted(samples.length, 'answer')}`;
  const evidence = `${from}; ${counted(ends, 'window')} seen; ${pace}`;
  const finding = `${counted(limit, 'request')} in ${seconds(lowMs)} to ${seconds(highMs)} s`;
  const value = { limit, windowMs: [Math.round(lowMs), Math.round(highMs)], windows: ends, throttled };
  return [{ ...about, finding, value, evidence, confidence, ...(isChange && { setting }) }];
}

/** One answer of one lane with all three headers. */
interface RateSample {
  /** When the answer was made at the latest, by the exchange's clock. */
  readonly madeBy: EpochMs;
  readonly limit: number;
  readonly resetAt: EpochMs;
  /** Greatest rounding error of `resetAt` in any direction. */
  readonly roundingMs: DurationMs;
}

/** The answers with a limit, a remainder and a reset, in order. */
function samplesOf(answers: readonly Answer[], clock: ClockEstimate | null): readonly RateSample[] {
  if (clock === null) return [];
  return answers.flatMap(({ headers, receivedAt }) => {
    const { limit, remaining } = readRateLimit(headers, { receivedAt }) ?? {};
    const reset = resetOf(headers['x-ratelimit-reset']);
    const madeBy = receivedAt + clock.offsetMs + clock.uncertaintyMs;
    return reset === null || limit === undefined || remaining === undefined ? [] : [{ madeBy, limit, ...reset }];
  });
}

/** By the exchange's clock, from seconds or milliseconds since epoch. */
function resetOf(text = ''): Pick<RateSample, 'resetAt' | 'roundingMs'> | null {
  const value = /^\d{1,16}(?:\.\d{1,6})?$/.test(text.trim()) ? Number(text) : 0;
  if (value < EPOCH_FROM) return null;
  const isExact = value >= MILLISECONDS_FROM;
  return isExact ? { resetAt: value, roundingMs: 0 } : { resetAt: value * SECOND, roundingMs: SECOND };
}

const limitWords = ([limit]: readonly number[]): string =>
  limit === undefined ? 'the headers tell no limit' : `the headers tell a limit of ${counted(limit, 'request')}`;

interface RateWindow {
  readonly limit: number;
  /** Bounds of its length. */
  readonly lowMs: DurationMs;
  readonly highMs: DurationMs;
  /** Number of windows whose ends were stated. */
  readonly ends: number;
}

/**
 * Holds whether windows begin with a request or at fixed times: a window is longer than the rest that any answer
 * stated, and no longer than the distance of two ends. Null if only one end was stated: that has no length.
 */
function rateWindow(samples: readonly RateSample[]): RateWindow | null {
  const [first] = samples;
  const ends = [...new Set(samples.map(({ resetAt }) => resetAt))].sort((a, b) => a - b);
  if (first === undefined || ends.length < 2) return null;
  const roundingMs = Math.max(...samples.map((sample) => sample.roundingMs));
  const left = samples.map(({ resetAt, madeBy }) => resetAt - roundingMs - madeBy);
  const apart = ends.slice(1).map((end, index) => end - (ends[index] ?? end));
  const [lowMs, highMs] = [Math.max(0, ...left), Math.min(...apart) + roundingMs];
  return lowMs > highMs ? null : { limit: first.limit, lowMs, highMs, ends: ends.length };
}

/** The rate that the longest possible window allows, rounded down to a simple number. */
function rateOf({ limit, highMs }: Pick<RateWindow, 'limit' | 'highMs'>): number {
  const perSecond = (limit * SECOND) / highMs;
  const used = limit === 1 ? perSecond : perSecond * USED_SHARE;
  const scale = 10 ** (2 - Math.ceil(Math.log10(used)));
  return Math.floor(used * scale) / scale;
}

/**
 * Whether the configured pace can stay: the window may allow it, and it is not much below the certainly allowed one.
 */
function isWithin(requestsPerSecond: number, window: RateWindow): boolean {
  const atMost = window.lowMs > 0 ? rateOf({ ...window, highMs: window.lowMs }) : Number.POSITIVE_INFINITY;
  return requestsPerSecond >= NEAR_SHARE * rateOf(window) && requestsPerSecond <= atMost;
}

const seconds = (ms: DurationMs): string => (Math.round(ms / 10) / 100).toString();
