// How many requests each lane allows in which time (N1), and the pace that follows.
import { readRateLimit } from '../../client/outcomes/rate-limit-headers.ts';
import { type DurationMs, SECOND } from '../../domain/time.ts';
import type { Answer, Lane } from './answer.ts';
import { type Confidence, counted, type Finding, open } from './finding.ts';
import { type RateSample, type RateWindow, rateWindow } from './rate-window.ts';
import { type VenueTime, venueTimeOf } from './venue-time.ts';

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
