// Rate limits from headers: for any window, rounding and latency, the bounds contain the truth.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from '../../../src/bot/probe/answer.ts';
import { rateFindings } from '../../../src/bot/probe/rate-findings.ts';
import { answer, dateText, findingOf, NOON } from './probe-answers.ts';

interface Limiter {
  readonly limit: number;
  readonly windowMs: number;
  /** Begins with a request, or at whole multiples of the window. */
  readonly begins: 'request' | 'clock';
  readonly rounding: 'ceil' | 'floor' | 'round';
  /** The exchange's clock − ours. */
  readonly offsetMs: number;
}

/** A limiter's answers to requests at these times by our clock. */
function limited(limiter: Limiter, moments: readonly number[]): Answer[] {
  let begun = Number.NEGATIVE_INFINITY;
  let used = 0;
  return moments.map((at) => {
    const made = at + limiter.offsetMs + 15;
    const start = limiter.begins === 'request' ? made : Math.floor(made / limiter.windowMs) * limiter.windowMs;
    if (made >= begun + limiter.windowMs) [begun, used] = [start, 0];
    used += 1;
    const isOver = used > limiter.limit;
    return answer('tickers', {
      at,
      tookMs: 30,
      status: isOver ? 429 : 200,
      headers: {
        date: dateText(made),
        'x-ratelimit-limit': String(limiter.limit),
        'x-ratelimit-remaining': String(Math.max(0, limiter.limit - used)),
        'x-ratelimit-reset': String(Math[limiter.rounding]((begun + limiter.windowMs) / 1_000)),
        ...(isOver && { 'retry-after': '1' }),
      },
    });
  });
}

const every = (ms: number, count: number, spread = 0.618): number[] =>
  Array.from({ length: count }, (_, index) => NOON + 137 + index * ms + Math.round(((index * spread) % 1) * 900));

/** At the probe's pace: not before the reset in the last answer, and a little later each time. */
function asAsked(limiter: Limiter, count: number): Answer[] {
  const moments: number[] = [];
  for (let at = NOON + 137; moments.length < count; ) {
    moments.push(at);
    const last = limited(limiter, moments).at(-1)?.headers ?? {};
    const reset =
      last['x-ratelimit-remaining'] === '0' ? Number(last['x-ratelimit-reset']) * 1_000 - limiter.offsetMs + 60 : 0;
    const spread = moments.length > 10 ? 0 : ((moments.length * 0.618) % 1) * 1_000;
    at = Math.round(Math.max(at + 2_500, reset) + spread);
  }
  return limited(limiter, moments);
}

/** The clock is known to a tenth of a second, as after several answers. */
const inferred = (answers: readonly Answer[], offsetMs: number) =>
  rateFindings(
    answers,
    { offsetMs, uncertaintyMs: 100, samples: 9, confirmed: true },
    { lane: 'public', requestsPerSecond: 0.4 },
  );

const boundsOf = (answers: readonly Answer[], offsetMs: number): readonly [number, number] => {
  const { value } = findingOf(inferred(answers, offsetMs), 'rate-limit.public');
  if (typeof value !== 'object' || value === null || !('windowMs' in value)) throw new Error('No window was found.');
  const [low, high] = value.windowMs as readonly [number, number];
  return [low, high];
};

const limiters = fc.record<Limiter>({
  limit: fc.integer({ min: 1, max: 20 }),
  windowMs: fc.integer({ min: 500, max: 20_000 }),
  begins: fc.constantFrom('request', 'clock'),
  rounding: fc.constantFrom('ceil', 'floor', 'round'),
  offsetMs: fc.integer({ min: -5_000, max: 5_000 }),
});

/** Answers to allowed requests, at least one of which reveals a window. */
function expectTruth(limiter: Limiter, answers: readonly Answer[]): void {
  const finding = findingOf(inferred(answers, limiter.offsetMs), 'rate-limit.public');
  if (finding.confidence === 'unknown' || finding.confidence === 'suspected') return;
  const [low, high] = boundsOf(answers, limiter.offsetMs);
  expect(low).toBeLessThanOrEqual(limiter.windowMs + 1);
  expect(high).toBeGreaterThanOrEqual(limiter.windowMs - 1);
  const { setting } = finding;
  if (setting !== undefined)
    expect(Number(setting.value)).toBeLessThanOrEqual((limiter.limit * 1_000) / limiter.windowMs);
}

describe('whatever the limiter, its window is within the bounds, and it allows the resulting pace', () => {
  test('at the probe’s pace', () => {
    fc.assert(
      fc.property(limiters, (limiter) => expectTruth(limiter, asAsked(limiter, 16))),
      { numRuns: 60 },
    );
  });

  test('at a pace that uses up windows', () => {
    fc.assert(
      fc.property(limiters, (limiter) => {
        const pace = Math.ceil((limiter.windowMs / limiter.limit) * 1.2);
        expectTruth(
          limiter,
          limited(limiter, every(pace, 40, 0)).filter(({ status }) => status === 200),
        );
      }),
      { numRuns: 60 },
    );
  });
});

describe('certain findings', () => {
  test.each(['ceil', 'floor', 'round'] as const)(
    'one in 2.5 seconds, reset by %s: to a second or so, and the pace stays',
    (rounding) => {
      const field: Limiter = { limit: 1, windowMs: 2_500, begins: 'request', rounding, offsetMs: 40 };
      const answers = asAsked(field, 14);
      const finding = findingOf(inferred(answers, 40), 'rate-limit.public');
      expect(finding).toMatchObject({
        value: { limit: 1, throttled: 0 },
        confidence: expect.stringMatching(/proved|likely/),
      });
      const [low, high] = boundsOf(answers, 40);
      expect(high - low).toBeLessThan(2_500);
      expect(finding.setting).toBeUndefined();
    },
  );

  test('a limit without an observed end of a window', () => {
    const limiter: Limiter = { limit: 100, windowMs: 900_000, begins: 'clock', rounding: 'ceil', offsetMs: 0 };
    const { evidence, confidence } = findingOf(
      inferred(limited(limiter, every(2_500, 9)).slice(1), 0),
      'rate-limit.public',
    );
    expect({ evidence, confidence }).toEqual({
      evidence: expect.stringContaining('a limit of 100 requests and no window'),
      confidence: 'unknown',
    });
  });
});

describe('the resulting pace', () => {
  const slow: Limiter = { limit: 1, windowMs: 5_000, begins: 'request', rounding: 'ceil', offsetMs: 0 };
  const fast: Limiter = { limit: 10, windowMs: 1_000, begins: 'request', rounding: 'ceil', offsetMs: 0 };

  test('slower than configured becomes a setting, and never faster than allowed', () => {
    const { setting } = findingOf(inferred(limited(slow, every(6_100, 10)), 0), 'rate-limit.public');
    expect(setting).toMatchObject({ path: ['lanes', 'public', 'requestsPerSecond'] });
    expect(Number(setting?.value)).toBeGreaterThan(0.13);
    expect(Number(setting?.value)).toBeLessThanOrEqual(0.2);
  });

  test('faster than configured becomes a setting with some margin', () => {
    const { setting } = findingOf(inferred(limited(fast, every(2_500, 10)), 0), 'rate-limit.public');
    expect(Number(setting?.value)).toBeGreaterThan(2);
    expect(Number(setting?.value)).toBeLessThanOrEqual(9);
  });

  test('one answer is no reason to change anything', () => {
    const finding = findingOf(inferred(limited(slow, every(6_000, 1)), 0), 'rate-limit.public');
    expect([finding.confidence, finding.setting]).toEqual(['unknown', undefined]);
  });
});
