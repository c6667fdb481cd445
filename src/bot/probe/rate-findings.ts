// How many requests each lane allows in which time (N1), and the pace that follows.
import { readRateLimit } from '../../client/outcomes/rate-limit-headers.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import type { Answer, Lane } from './answer.ts';
import { type Confidence, counted, type Finding, open } from './finding.ts';
import { type Moment, type VenueTime, venueTimeOf } from './venue-talk.ts';

const THROTTLED = 429;
/** Resets above this are milliseconds since epoch, under the other one no moment. */
const MILLISECONDS_FROM = 100_000_000_000;
const EPOCH_FROM = 1_000_000_000;
/** Windows seen from their beginning after which chance is ruled out. */
const SURE_WINDOWS = 3;
/** Of more than one request a window, a little is left free: clocks and roads differ. */
const USED_SHARE = 0.9;
/** A pace that is nearer than this to what is allowed is not worth a change. */
const NEAR_SHARE = 0.8;

/** The rate limit of one lane against the configured pace. Empty if the lane was not asked. */
export function rateFindings(answers: readonly Answer[], lane: Lane, requestsPerSecond: number): readonly Finding[] {
  const ofLane = answers.filter((answer) => answer.lane === lane && answer.status !== null);
  if (ofLane.length === 0) return [];
  const about = { id: `rate-limit.${lane}`, question: `N1 rate limit, ${lane}` };
  const passed = ofLane.filter(({ status }) => status !== THROTTLED);
  const throttled = ofLane.length - passed.length;
  const pace = `${counted(passed.length, 'request')} let through, ${throttled} throttled`;
  const samples = samplesOf(passed, venueTimeOf(answers));
  const limits = [...new Set(samples.map(({ limit }) => limit))];
  if (limits.length > 1) return [open(about, `the answers name several limits: ${limits.join(', ')}; ${pace}`)];
  const window = rateWindow(samples);
  if (window === null) return [open(about, `${limitWords(limits)} and no window; ${pace}`)];
  const { limit, lowMs, highMs, beginsWith, windows } = window;
  const confidence = confidenceOf(window);
  const isChange = confidence !== 'suspected' && !isWithin(requestsPerSecond, window);
  const setting = { symbol: null, path: ['lanes', lane, 'requestsPerSecond'], value: String(rateOf(window)) };
  const evidence = [
    `Remaining and Reset of ${counted(samples.length, 'answer')}`,
    `${counted(windows, 'window')} seen from the first request on`,
    BEGINNINGS[beginsWith],
    pace,
  ].join('; ');
  const finding = `${counted(limit, 'request')} in ${windowWords(window)}`;
  const value = { limit, windowMs: [Math.round(lowMs), Math.round(highMs)], beginsWith, windows, throttled };
  return [{ ...about, finding, value, evidence, confidence, ...(isChange && { setting }) }];
}

/** The answers that carry a limit, a remainder and a reset, in order. */
function samplesOf(answers: readonly Answer[], time: VenueTime): readonly RateSample[] {
  return answers.flatMap((answer) => {
    const { headers, receivedAt } = answer;
    const { limit, remaining } = readRateLimit(headers, { receivedAt }) ?? {};
    const [made, reset] = [time.made(answer), resetOf(headers['x-ratelimit-reset'])];
    return made === null || reset === null || limit === undefined || remaining === undefined
      ? []
      : [{ made, limit, remaining, ...reset }];
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

const BEGINNINGS = {
  request: 'a window begins with a request',
  clock: 'windows begin at fixed times',
  either: 'whether windows begin with a request or at fixed times cannot be told',
};

function confidenceOf({ windows, lowMs, highMs, beginsWith }: RateWindow): Confidence {
  if (beginsWith === 'clock' || windows >= SURE_WINDOWS) return highMs - lowMs <= SECOND ? 'proved' : 'likely';
  return windows === SURE_WINDOWS - 1 ? 'likely' : 'suspected';
}

/** The rate that the longest possible window allows, rounded down to what a person would write. */
function rateOf({ limit, highMs }: RateWindow): number {
  const perSecond = (limit * SECOND) / highMs;
  const used = limit === 1 ? perSecond : perSecond * USED_SHARE;
  const scale = 10 ** (2 - Math.ceil(Math.log10(used)));
  return Math.floor(used * scale) / scale;
}

/** A configured pace that the window may well allow, and not much less than it surely does, is left as it is. */
function isWithin(requestsPerSecond: number, window: RateWindow): boolean {
  const atMost = window.lowMs > 0 ? rateOf({ ...window, highMs: window.lowMs }) : Number.POSITIVE_INFINITY;
  return requestsPerSecond >= NEAR_SHARE * rateOf(window) && requestsPerSecond <= atMost;
}

const seconds = (ms: DurationMs): string => (Math.round(ms / 10) / 100).toString();

function windowWords({ lowMs, highMs }: RateWindow): string {
  return highMs - lowMs < 50 ? `${seconds(highMs)} s` : `${seconds(lowMs)} to ${seconds(highMs)} s`;
}

// How long a rate-limit window is, from Remaining and Reset of several answers: for both ways in which windows may
// begin, and for each way in which resets may be rounded. What no reading of the answers excludes is within the bounds.

/** One answer of one lane that carried all three headers. */
interface RateSample {
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
interface RateWindow extends Bounds {
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
function rateWindow(samples: readonly RateSample[]): RateWindow | null {
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
