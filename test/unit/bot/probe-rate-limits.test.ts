// Rate limits from headers: whatever the exchange's window, its rounding and the road between, the bounds hold the
// truth.
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Answer } from '../../../src/bot/probe/facts/answer.ts';
import { venueTimeOf } from '../../../src/bot/probe/facts/venue-time.ts';
import { legacyFindings } from '../../../src/bot/probe/findings/legacy-findings.ts';
import { blockedUntil } from '../../../src/bot/probe/rates/rate-block.ts';
import { rateLimitFindings } from '../../../src/bot/probe/rates/rate-limit-findings.ts';
import type { LaneName } from '../../../src/venue/requests.ts';
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

/** What a limiter would have answered to requests that came at these moments by our clock. */
function limited(
  limiter: Limiter,
  moments: readonly number[],
  lane: (index: number) => LaneName = () => 'public',
): Answer[] {
  let begun = Number.NEGATIVE_INFINITY;
  let used = 0;
  return moments.map((at, index) => {
    const made = at + limiter.offsetMs + 15;
    const start = limiter.begins === 'request' ? made : Math.floor(made / limiter.windowMs) * limiter.windowMs;
    if (made >= begun + limiter.windowMs) [begun, used] = [start, 0];
    used += 1;
    const isOver = used > limiter.limit;
    return answer('symbols', {
      at,
      tookMs: 30,
      lane: lane(index),
      status: isOver ? 429 : 200,
      headers: {
        date: dateText(made),
        limit: String(limiter.limit),
        remaining: String(Math.max(0, limiter.limit - used)),
        reset: String(Math[limiter.rounding]((begun + limiter.windowMs) / 1_000)),
        ...(isOver && { retryAfter: '1' }),
      },
    });
  });
}

const every = (ms: number, count: number, spread = 0.618): number[] =>
  Array.from({ length: count }, (_, index) => NOON + 137 + index * ms + Math.round(((index * spread) % 1) * 900));

/**
 * As the probe asks: not before the reset that the last answer named, a little later each time, and twice much later.
 */
function asAsked(limiter: Limiter, count: number): Answer[] {
  const moments: number[] = [];
  for (let at = NOON + 137; moments.length < count; ) {
    moments.push(at);
    const last = limited(limiter, moments).at(-1)?.headers;
    const reset = last?.remaining === '0' ? Number(last.reset) * 1_000 - limiter.offsetMs + 60 : 0;
    const late = [3, 6].includes(moments.length) ? 1_750 : 0;
    const spread = moments.length > 10 ? 0 : ((moments.length * 0.618) % 1) * 1_000 + late;
    at = Math.round(Math.max(at + 2_500, reset) + spread);
  }
  return limited(limiter, moments);
}

const inferred = (answers: readonly Answer[], requestsPerSecond = 0.4) =>
  rateLimitFindings(answers, [{ lane: 'public', requestsPerSecond }]);

const boundsOf = (answers: readonly Answer[]): readonly [number, number] => {
  const { value } = findingOf(inferred(answers), 'rate-limit.public');
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

/** Answers that were let through, of which at least one tells a window. */
function expectTruth(limiter: Limiter, answers: readonly Answer[]): void {
  const finding = findingOf(inferred(answers), 'rate-limit.public');
  if (finding.confidence === 'unknown' || finding.confidence === 'suspected') return;
  const [low, high] = boundsOf(answers);
  expect(low).toBeLessThanOrEqual(limiter.windowMs + 1);
  expect(high).toBeGreaterThanOrEqual(limiter.windowMs - 1);
  const { setting } = finding;
  if (setting !== undefined)
    expect(Number(setting.value)).toBeLessThanOrEqual((limiter.limit * 1_000) / limiter.windowMs);
}

describe('whatever the limiter, its window is within the bounds, and it allows the pace that follows', () => {
  test('asked as the probe asks', () => {
    fc.assert(
      fc.property(limiters, (limiter) => expectTruth(limiter, asAsked(limiter, 16))),
      { numRuns: 60 },
    );
  });

  test('asked so often that windows are used up', () => {
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

describe('what is known well', () => {
  test.each(['ceil', 'floor', 'round'] as const)(
    'one in 2.5 seconds, reset by %s: to a second or so, and the pace stays',
    (rounding) => {
      const field: Limiter = { limit: 1, windowMs: 2_500, begins: 'request', rounding, offsetMs: 40 };
      const answers = asAsked(field, 14);
      const finding = findingOf(inferred(answers), 'rate-limit.public');
      expect(finding).toMatchObject({
        value: { limit: 1, throttled: 0 },
        confidence: expect.stringMatching(/proved|likely/),
      });
      const [low, high] = boundsOf(answers);
      expect(high - low).toBeLessThan(1_500);
      expect(finding.setting).toBeUndefined();
    },
  );

  test.each([10, 30, 60])('a hundred in %i seconds that begin at fixed times', (seconds) => {
    const limiter: Limiter = { limit: 100, windowMs: seconds * 1_000, begins: 'clock', rounding: 'ceil', offsetMs: 0 };
    const answers = limited(limiter, every(2_900, 80));
    expect(findingOf(inferred(answers), 'rate-limit.public').value).toMatchObject({ limit: 100, beginsWith: 'clock' });
    const [low, high] = boundsOf(answers);
    expect(low).toBeLessThanOrEqual(seconds * 1_000);
    expect(high).toBeGreaterThanOrEqual(seconds * 1_000);
    expect(high - low).toBeLessThan(1_000);
  });

  test('a limit without a window that was seen to end', () => {
    const limiter: Limiter = { limit: 100, windowMs: 900_000, begins: 'clock', rounding: 'ceil', offsetMs: 0 };
    const { evidence, confidence } = findingOf(
      inferred(limited(limiter, every(2_500, 9)).slice(1)),
      'rate-limit.public',
    );
    expect({ evidence, confidence }).toEqual({
      evidence: expect.stringContaining('a limit of 100 requests and no window'),
      confidence: 'unknown',
    });
  });
});

describe('what follows for the pace', () => {
  const slow: Limiter = { limit: 1, windowMs: 5_000, begins: 'request', rounding: 'ceil', offsetMs: 0 };
  const fast: Limiter = { limit: 10, windowMs: 1_000, begins: 'request', rounding: 'ceil', offsetMs: 0 };

  test('slower than configured is written, and never faster than allowed', () => {
    const { setting } = findingOf(inferred(limited(slow, every(6_100, 10))), 'rate-limit.public');
    expect(setting).toMatchObject({ path: ['lanes', 'public', 'requestsPerSecond'] });
    expect(Number(setting?.value)).toBeGreaterThan(0.15);
    expect(Number(setting?.value)).toBeLessThanOrEqual(0.2);
  });

  test('faster than configured is written with room to spare', () => {
    const { setting } = findingOf(inferred(limited(fast, every(2_500, 10))), 'rate-limit.public');
    expect(Number(setting?.value)).toBeGreaterThan(2);
    expect(Number(setting?.value)).toBeLessThanOrEqual(9);
  });

  test('a pace that fits is left as it is', () => {
    expect(findingOf(inferred(limited(fast, every(2_500, 10)), 9), 'rate-limit.public').setting).toBeUndefined();
  });

  test('one answer is no reason to change anything', () => {
    const finding = findingOf(inferred(limited(slow, every(6_000, 1))), 'rate-limit.public');
    expect(finding.confidence).toBe('suspected');
    expect(finding.setting).toBeUndefined();
  });
});

describe('when the headers say it (Q14), and what a refusal says (Q15)', () => {
  const bare = (status: number, headers = {}) =>
    answer('symbols', { status, headers: { date: dateText(NOON), ...headers } });
  const counters = { limit: '5', remaining: '3', reset: '1772433001' };

  test.each<[string, Answer[], string, string]>([
    ['always', [bare(200, counters), bare(400, counters)], 'always', 'likely'],
    ['on some', [bare(200, counters), bare(200)], 'on some answers', 'proved'],
    ['only when throttled', [bare(200), bare(429, counters)], 'only when throttled', 'likely'],
    ['never', [bare(200), bare(429)], 'never', 'likely'],
    ['nothing throttled', [bare(200), bare(200)], 'not known', 'unknown'],
  ])('%s', (_what, answers, finding, confidence) => {
    expect(findingOf(inferred(answers), 'rate-limit-headers.public')).toMatchObject({ finding, confidence });
  });

  test('an unknown path, which the limiter may not see, does not count', () => {
    const answers = [bare(200, counters), answer('unknown-path', { status: 404, headers: {} })];
    expect(findingOf(inferred(answers), 'rate-limit-headers.public').finding).toBe('always');
  });

  test.each([
    ['2', 'seconds'],
    ['Mon, 02 Mar 2026 06:30:05 GMT', 'HTTP date'],
    ['soon', 'something else'],
    [undefined, 'missing'],
  ])('Retry-After: %s is %s', (retryAfter, form) => {
    const headers = retryAfter === undefined ? {} : { retryAfter };
    expect(findingOf(inferred([bare(200), bare(429, headers)]), 'retry-after').finding).toBe(form);
  });

  test('a lane that was not asked has no finding', () => {
    expect(rateLimitFindings([bare(200)], [{ lane: 'private', requestsPerSecond: 1 }]).map(({ id }) => id)).toEqual([
      'retry-after',
    ]);
  });
});

describe('whether the legacy interface counts apart (Q18)', () => {
  const limiter: Limiter = { limit: 10, windowMs: 1_000, begins: 'request', rounding: 'ceil', offsetMs: 0 };
  const scope = (answers: readonly Answer[]) => findingOf(legacyFindings(answers, 'versioned'), 'legacy-limit');
  /** A legacy request 50 ms after each public one. */
  const moments = every(2_500, 6).flatMap((at) => [at, at + 50]);
  const lane = (index: number): LaneName => (index % 2 === 0 ? 'public' : 'legacy');

  test('one counter that goes on', () => {
    expect(scope(limited(limiter, moments, lane))).toMatchObject({ value: 'shared', confidence: 'proved' });
  });

  test('two counters', () => {
    const own = limited(
      limiter,
      moments.filter((_, index) => index % 2 === 0),
    );
    const legacy = limited(
      limiter,
      moments.filter((_, index) => index % 2 === 1),
      () => 'legacy',
    );
    expect(scope([...own, ...legacy])).toMatchObject({ value: 'separate', confidence: 'proved' });
  });

  test('another limit', () => {
    const legacy = limited({ ...limiter, limit: 3 }, [NOON + 200], () => 'legacy');
    expect(scope([...limited(limiter, [NOON + 100]), ...legacy])).toMatchObject({ value: 'separate' });
  });

  test('one request a window each: neighbors in different windows tell nothing', () => {
    const single: Limiter = { ...limiter, limit: 1, windowMs: 2_500 };
    const answers = limited(single, every(4_000, 6), lane);
    expect(scope(answers)).toMatchObject({ confidence: 'unknown' });
    expect(scope(answers).evidence).toContain('no two neighbors fell into one window');
  });

  test('windows shorter than the rounding of the reset do not look like two counters', () => {
    const short: Limiter = { ...limiter, windowMs: 40 };
    expect(scope(limited(short, moments, lane)).value).not.toBe('separate');
  });
});

describe('how long an answer asks to be left in peace', () => {
  const until = (made: Answer): number => blockedUntil(made, venueTimeOf([made])) - made.receivedAt;

  test('nothing, while something remains', () => {
    expect(until(answer('symbols', { headers: { date: dateText(NOON), remaining: '1', reset: '1772433009' } }))).toBe(
      0,
    );
  });

  test('until the reset by the exchange’s clock at its least favorable, when nothing remains', () => {
    const seconds = NOON / 1_000;
    const wait = until(
      answer('symbols', {
        at: NOON + 100,
        headers: { date: dateText(NOON), remaining: '0', reset: String(seconds + 3) },
      }),
    );
    expect(wait).toBeGreaterThanOrEqual(2_880);
    expect(wait).toBeLessThanOrEqual(4_000);
  });

  test('ten seconds at least after a refusal, longer if it says so', () => {
    expect(until(answer('symbols', { status: 429 }))).toBe(10_000);
    expect(until(answer('symbols', { status: 429, headers: { retryAfter: '2' } }))).toBe(10_000);
    expect(until(answer('symbols', { status: 503, headers: { retryAfter: '30' } }))).toBe(30_000);
  });

  test('a minute at most for an absurd reset', () => {
    expect(until(answer('symbols', { headers: { date: dateText(NOON), remaining: '0', reset: '1999999999' } }))).toBe(
      60_000,
    );
  });
});
