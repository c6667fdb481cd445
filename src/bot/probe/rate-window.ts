// How long a rate-limit window is, from Remaining and Reset of several answers: for both ways in which windows may
// begin, and for each way in which resets may be rounded. What no reading of the answers excludes is within the bounds.
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { Moment } from './venue-time.ts';

/** One answer of one lane that carried all three headers. */
export interface RateSample {
  /** When it was made, by the exchange's clock. */
  readonly made: Moment;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: EpochMs;
  /** How far `resetAt` may be off by its rounding. */
  readonly roundingMs: DurationMs;
}

interface Bounds {
  readonly lowMs: DurationMs;
  readonly highMs: DurationMs;
}

/** The window is within the bounds. */
export interface RateWindow extends Bounds {
  readonly limit: number;
  /** `request`: with the first request after a quiet time. `clock`: at fixed times. `either`: the answers fit both. */
  readonly beginsWith: 'request' | 'clock' | 'either';
  /** How many windows were seen from their first request on. */
  readonly windows: number;
}

/** A sample under one reading of its reset: the window ends within these. */
interface EndedSample extends RateSample {
  readonly end: Moment;
}

/** The first request of its window. */
const isFresh = ({ limit, remaining }: RateSample): boolean => remaining === limit - 1;

/** How far the true end may be from a reset of whole seconds: rounded up, down, to the nearest. */
const ROUNDINGS: readonly (readonly [number, number])[] = [
  [-1, 0],
  [0, 1],
  [-0.5, 0.5],
];

/** `null` where the samples tell nothing. They are of answers that were let through, in order, all of one limit. */
export function rateWindow(samples: readonly RateSample[]): RateWindow | null {
  const [first] = samples;
  if (first === undefined) return null;
  const readings = ROUNDINGS.map((rounding) => samples.map((sample) => ended(sample, rounding)));
  const byRequest = united(readings.map(requestBounds));
  const byClock = united(readings.map(clockLengths));
  const bounds = united([byRequest, byClock]);
  if (bounds === null) return null;
  const beginsWith = byClock === null ? 'request' : byRequest === null ? 'clock' : 'either';
  return { limit: first.limit, ...bounds, beginsWith, windows: samples.filter(isFresh).length };
}

function ended(sample: RateSample, [low, high]: readonly [number, number]): EndedSample {
  const { resetAt, roundingMs } = sample;
  return { ...sample, end: { low: resetAt + low * roundingMs, high: resetAt + high * roundingMs } };
}

function united(all: readonly (Bounds | null)[]): Bounds | null {
  const some = all.filter((each) => each !== null);
  if (some.length === 0) return null;
  return {
    lowMs: Math.min(...some.map(({ lowMs }) => lowMs)),
    highMs: Math.max(...some.map(({ highMs }) => highMs)),
  };
}

/** If each window begins with a request, its whole length lies between the first answer of the window and its end. */
function requestBounds(samples: readonly EndedSample[]): Bounds | null {
  const fresh = samples.filter(isFresh);
  if (fresh.length === 0) return null;
  const nextWindows = fresh.slice(1).map((later, index) => later.made.high - (fresh[index]?.made.low ?? 0));
  const sameWindow = samples.map((sample) => {
    const begun = fresh.findLast((each) => each.made.high <= sample.made.low);
    const isIn = begun !== undefined && sample.remaining < begun.remaining && sample.resetAt === begun.resetAt;
    return isIn ? sample.made.low - begun.made.high : 0;
  });
  const lowMs = Math.max(0, ...samples.map(({ end, made }) => end.low - made.high), ...sameWindow);
  const highMs = Math.min(...fresh.map(({ end, made }) => end.high - made.low), ...nextWindows);
  return lowMs <= highMs ? { lowMs, highMs } : null;
}

/** Lengths are tried so finely that the last window of all is off by no more than this. */
const SLACK_MS: DurationMs = 20;
const MOST_TRIED = 4_000;
/** Shorter than two roundings every length fits: nothing is tried. */
const ROUNDINGS_TOLD = 2;

/**
 * If windows begin at fixed times: which lengths fit, so that every answer names the next of these times. `null` where
 * none does, or where only one window was seen: one window alone has no length.
 */
function clockLengths(samples: readonly EndedSample[]): Bounds | null {
  const resets = [...new Set(samples.map(({ resetAt }) => resetAt))].sort((a, b) => a - b);
  const [first] = samples;
  if (first === undefined || resets.length < 2) return null;
  const roundingMs = Math.max(...samples.map((sample) => sample.roundingMs));
  const apart = resets.slice(1).map((reset, index) => reset - (resets[index] ?? reset));
  const lowMs = Math.max(0, ...samples.map(({ end, made }) => end.low - made.high));
  const highMs = Math.min(Math.min(...apart) + roundingMs, ...windowsBetween(samples));
  if (lowMs > highMs) return null;
  const told = Math.max(lowMs, ROUNDINGS_TOLD * roundingMs, SLACK_MS);
  if (highMs <= told) return { lowMs, highMs };
  const longest = longestFit(samples, { lowMs: told, highMs });
  if (lowMs < told) return { lowMs, highMs: longest?.highMs ?? told };
  return longest;
}

/** Each first request of a window came after a beginning, which came after the request before. */
function windowsBetween(samples: readonly EndedSample[]): readonly DurationMs[] {
  const fresh = samples.flatMap((sample, index) => (isFresh(sample) ? [index] : []));
  return fresh.slice(1).flatMap((later, index) => {
    const before = samples[(fresh[index] ?? 0) - 1];
    return before === undefined ? [] : [(samples[later]?.made.high ?? 0) - before.made.low];
  });
}

function longestFit(samples: readonly EndedSample[], { lowMs, highMs }: Bounds): Bounds | null {
  const span = (samples.at(-1)?.made.high ?? 0) - (samples[0]?.made.low ?? 0);
  const step = Math.max((SLACK_MS * lowMs) / (span + lowMs), (highMs - lowMs) / MOST_TRIED);
  const fitting: DurationMs[] = [];
  for (let length = lowMs; length <= highMs; length += step) if (fits(samples, length)) fitting.push(length);
  const [shortest] = fitting;
  if (shortest === undefined) return null;
  return { lowMs: Math.max(0, shortest - step), highMs: (fitting.at(-1) ?? shortest) + step };
}

/** Where the first window may end, narrowed by every answer. */
function fits(samples: readonly EndedSample[], length: DurationMs): boolean {
  const [anchor] = samples;
  if (anchor === undefined) return false;
  let [low, high] = [anchor.end.low - SLACK_MS, anchor.end.high + SLACK_MS];
  for (const { end, made } of samples) {
    let [nextLow, nextHigh] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const from = Math.ceil((end.low - high) / length - 1e-9);
    const to = Math.floor((end.high - low) / length + 1e-9);
    for (let count = from; count <= to; count += 1) {
      // The window ends as named, and after the answer.
      const least = Math.max(low, end.low - SLACK_MS - count * length, made.low - SLACK_MS - count * length);
      const most = Math.min(high, end.high + SLACK_MS - count * length);
      if (least > most) continue;
      nextLow = Math.min(nextLow, least);
      nextHigh = Math.max(nextHigh, most);
    }
    if (nextLow > nextHigh) return false;
    [low, high] = [nextLow, nextHigh];
  }
  return true;
}
