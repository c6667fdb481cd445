// N1, Q14, Q15: how many requests each lane allows in which time, and when the headers say so.
import { readHttpDate } from '../../../client/outcomes/rate-limit-headers.ts';
import { type DurationMs, SECOND } from '../../../domain/time.ts';
import type { LaneName } from '../../../venue/requests.ts';
import type { Answer } from '../facts/answer.ts';
import { type Confidence, counted, type Finding, open, type Value } from '../facts/finding.ts';
import { type VenueTime, venueTimeOf } from '../facts/venue-time.ts';
import { isCounted, isLetThrough, samplesOf } from './lane-samples.ts';
import { legacyScope } from './legacy-scope.ts';
import { type RateWindow, rateWindow } from './rate-window.ts';

export interface LaneQuestion {
  readonly lane: 'public' | 'private';
  /** As configured. */
  readonly requestsPerSecond: number;
}

/** Windows seen from their beginning after which chance is ruled out. */
const SURE_WINDOWS = 3;
/** Of more than one request a window, a little is left free: clocks and roads differ. */
const USED_SHARE = 0.9;
/** A pace that is nearer than this to what is allowed is not worth a change. */
const NEAR_SHARE = 0.8;
export function rateLimitFindings(answers: readonly Answer[], questions: readonly LaneQuestion[]): readonly Finding[] {
  const time = venueTimeOf(answers);
  const counts = answers.filter(isCounted);
  const isShared = legacyScope(answers).scope === 'shared';
  const lanes = questions.flatMap((question) => {
    const ofLane = counts.filter(({ lane }) => lane === question.lane);
    if (ofLane.length === 0) return [];
    // One counter: the requests between those of this lane belong to its windows.
    const isCounterOf = ({ lane }: Answer): boolean =>
      lane === question.lane || (isShared && lane === 'legacy' && question.lane === 'public');
    return [headersFinding(ofLane, question.lane), limitFinding(counts.filter(isCounterOf), question, time)];
  });
  return [...lanes, retryAfterFinding(counts)];
}

const hasCounters = ({ headers }: Answer): boolean => headers.limit !== undefined || headers.remaining !== undefined;

/** Q14. */
function headersFinding(answers: readonly Answer[], lane: LaneName): Finding {
  const question = { id: `rate-limit-headers.${lane}`, question: `Q14 rate-limit headers, ${lane}` };
  const passed = answers.filter(isLetThrough);
  const throttled = answers.filter((answer) => !isLetThrough(answer));
  const seen = `on ${passed.filter(hasCounters).length} of ${counted(passed.length, 'answer')} that were let through`;
  const refused =
    throttled.length === 0
      ? 'none was throttled'
      : `on ${throttled.filter(hasCounters).length} of ${throttled.length} throttled`;
  const evidence = `${seen}; ${refused}`;
  const of = (finding: string, confidence: Confidence): Finding => ({
    ...question,
    finding,
    value: finding,
    evidence,
    confidence,
  });
  if (passed.length > 0 && passed.every(hasCounters)) return of('always', 'likely');
  if (passed.some(hasCounters)) return of('on some answers', 'proved');
  if (throttled.some(hasCounters)) return of('only when throttled', 'likely');
  if (throttled.length > 0) return of('never', 'likely');
  return open(question, `${evidence}: never, or only when throttled, which --provoke would tell`);
}

function limitFinding(answers: readonly Answer[], question: LaneQuestion, time: VenueTime): Finding {
  const { lane, requestsPerSecond } = question;
  const about = { id: `rate-limit.${lane}`, question: `N1 rate limit, ${lane}` };
  const passed = answers.filter(isLetThrough);
  const throttled = answers.length - passed.length;
  const pace = paceWords(passed, throttled);
  const samples = samplesOf(passed, time);
  const limits = [...new Set(samples.map(({ limit }) => limit))];
  if (limits.length > 1) return open(about, `the answers name several limits: ${limits.join(', ')}; ${pace}`);
  const window = rateWindow(samples);
  if (window === null) return open(about, `${limitWords(limits)} and no window; ${pace}`);
  const rate = rateOf(window);
  const confidence = confidenceOf(window);
  const fits = isWithin(requestsPerSecond, window);
  return {
    ...about,
    finding: `${counted(window.limit, 'request')} in ${windowWords(window)}`,
    value: windowValue(window, throttled),
    evidence: [
      `Remaining and Reset of ${counted(samples.length, 'answer')}`,
      `${counted(window.windows, 'window')} seen from the first request on`,
      BEGINNINGS[window.beginsWith],
      pace,
    ].join('; '),
    confidence,
    ...(!fits &&
      confidence !== 'suspected' && {
        setting: { at: 'configuration', path: ['lanes', lane, 'requestsPerSecond'], value: String(rate) } as const,
      }),
  };
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

function windowValue({ limit, lowMs, highMs, beginsWith, windows }: RateWindow, throttled: number): Value {
  return { limit, windowMs: [Math.round(lowMs), Math.round(highMs)], beginsWith, windows, throttled };
}

function paceWords(passed: readonly Answer[], throttled: number): string {
  const sent = passed.map(({ sentAt }) => sentAt);
  const gaps = sent.slice(1).map((at, index) => at - (sent[index] ?? at));
  const pace = gaps.length === 0 ? '' : `, the closest two ${seconds(Math.min(...gaps))} s apart`;
  return `${counted(passed.length, 'request')} let through${pace}, ${throttled} throttled`;
}

/** Q15. */
function retryAfterFinding(answers: readonly Answer[]): Finding {
  const question = { id: 'retry-after', question: 'Q15 Retry-After' };
  const throttled = answers.filter((answer) => !isLetThrough(answer));
  if (throttled.length === 0) return open(question, 'No request was throttled; --provoke would tell.');
  const seen = [...new Set(throttled.map(({ headers }) => headers.retryAfter ?? 'no header'))];
  const forms = [...new Set(throttled.map(({ headers }) => formOf(headers.retryAfter)))];
  return {
    ...question,
    finding: forms.join(', '),
    value: forms,
    evidence: `${counted(throttled.length, 'throttled answer')}: ${seen.slice(0, 3).join(', ')}`,
    confidence: 'proved',
  };
}

function formOf(text: string | undefined): string {
  if (text === undefined) return 'missing';
  if (/^\d+(?:\.\d+)?$/.test(text.trim())) return 'seconds';
  return readHttpDate(text.trim()) === undefined ? 'something else' : 'HTTP date';
}
