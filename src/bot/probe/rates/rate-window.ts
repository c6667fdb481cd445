// How long a rate-limit window is, from Remaining and Reset of several answers: for both ways in which windows may
// begin, and for each way in which resets may be rounded. What no reading of the answers excludes is within the bounds.
import { type DurationMs, SECOND } from '../../../domain/time.ts';
import { clockLengths } from './clock-windows.ts';
import { type Bounds, type EndedSample, isFresh, type RateSample } from './rate-sample.ts';

export interface RateWindow {
  readonly limit: number;
  /** The window is within these. */
  readonly lowMs: DurationMs;
  readonly highMs: DurationMs;
  /** `request`: with the first request after a quiet time. `clock`: at fixed times. `either`: the answers fit both. */
  readonly beginsWith: 'request' | 'clock' | 'either';
  /** How many windows were seen from their first request on. */
  readonly windows: number;
}

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
  const readings = roundingsOf(samples).map((rounding) => samples.map((sample) => ended(sample, rounding)));
  const byRequest = united(readings.map(requestBounds));
  const byClock = united(readings.map(clockLengths));
  const bounds = united([byRequest, byClock]);
  if (bounds === null) return null;
  const beginsWith = byClock === null ? 'request' : byRequest === null ? 'clock' : 'either';
  return { limit: first.limit, ...bounds, beginsWith, windows: samples.filter(isFresh).length };
}

function roundingsOf(samples: readonly RateSample[]): typeof ROUNDINGS {
  return samples.every(({ roundingMs }) => roundingMs === SECOND) ? ROUNDINGS : [[-1, 1]];
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
