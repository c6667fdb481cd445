import { describe, expect, test } from '@jest/globals';
import {
  backoffDelay,
  intervalOf,
  learn,
  nextReleaseAt,
  type Pace,
  type PaceSettings,
  released,
  returned,
  startPace,
} from '../../../src/client/pace/lane-pace.ts';
import type { RateLimitReading } from '../../../src/venue/outcomes.ts';

const settings: PaceSettings = { intervalMs: 1_000 };
const wall = 1_700_000_000_000;
const highest = { next: () => 1 };
const lowest = { next: () => 0 };

interface Told {
  readonly now: number;
  /** `null`: no answer at all. */
  readonly status?: number | null;
  readonly rateLimit?: RateLimitReading;
  /** So long after it arrived it is handled. */
  readonly heldMs?: number;
}

function told(pace: Pace, { now, status = 200, rateLimit, heldMs = 0 }: Told, random = highest): Pace {
  const facts = {
    ...{ sentAt: wall + now - 100, receivedAt: wall + now },
    ...(status !== null && { status }),
    ...(rateLimit && { rateLimit }),
  };
  const throttled = status === 429 || status === 503 || status === 504;
  return learn(pace, settings, { facts, throttled, now: now + heldMs, arrivedAt: now }, random);
}

describe('an answer that is handled 20 s after it arrived', () => {
  const late = (pace: Pace, arrivedAt: number, answer: Omit<Told, 'now'>): Pace =>
    told(pace, { ...answer, now: arrivedAt, heldMs: 20_000 }, lowest);

  test.each<[string, Omit<Told, 'now'>, number]>([
    ['the wait of a 429 that names one', { status: 429, rateLimit: { retryAfter: 30_000 } }, 31_000],
    ['the wait of a 429 that names none', { status: 429 }, 2_000],
    ['the wait of a 503', { status: 503 }, 1_000],
    ['a window that is used up', { rateLimit: { remaining: 0, resetAt: wall + 26_000 } }, 26_000],
  ])('%s counts from then', (_, answer, opens) => {
    expect(late(startPace(0), 1_000, answer).pausedUntil).toBe(opens);
  });

  test('tells how long the way took', () => {
    expect(late(startPace(0), 1_000, {}).arrivals.quickLately).toBe(100);
  });

  test('what left before it was known that the rate is too high tells nothing new', () => {
    const once = late(startPace(0), 1_000, { status: 429 });
    expect(late(once, 15_000, { status: 429 })).toMatchObject({ strikes: 1, rate: once.rate });
    expect(late(once, 15_000, {}).rate).toBe(once.rate);
  });
});

describe('the configured rate', () => {
  /** One that is answered at once. */
  const sent = (pace: Pace, at: number): Pace => returned(released(pace, settings, at), at, at);

  test('one request an interval', () => {
    const once = sent(startPace(0), 0);
    expect(nextReleaseAt(once, settings)).toBe(1_000);
    expect(nextReleaseAt(sent(once, 1_500), settings)).toBe(2_500);
  });

  test('good answers never make it faster', () => {
    let pace = startPace(0);
    for (let n = 0; n < 100; n++) pace = told(pace, { now: n * 1_000 });
    expect(intervalOf(pace, settings)).toBe(1_000);
  });
});

describe('429', () => {
  test('without a wait is asked more and more rarely, up to a minute: all requests are counted, cancels too', () => {
    let pace = startPace(0);
    const waits = Array.from({ length: 12 }, (_, n) => {
      const now = (n + 1) * 1_000_000;
      pace = told(pace, { now, status: 429 });
      return Math.round(pace.pausedUntil - now);
    });
    expect(waits.slice(0, 5)).toEqual([1_500, 2_250, 3_375, 5_063, 7_594]);
    expect(waits.slice(-2)).toEqual([60_000, 60_000]);
  });

  test('behind an outage is the first one: a row of 503 says nothing of how often too much was asked', () => {
    let pace = startPace(0);
    for (let n = 1; n <= 40; n++) pace = told(pace, { now: n * 10_000, status: n % 2 === 0 ? 503 : 504 });
    const now = 500_000;
    expect(told(pace, { now, status: 429 }).pausedUntil - now).toBe(1_500);
  });

  test('is never followed within the second that a window lasts at least', () => {
    expect(told(startPace(0), { now: 500, status: 429 }, lowest).pausedUntil).toBe(1_500);
  });

  test('for requests that were already on their way counts once', () => {
    let pace = told(startPace(0), { now: 1, status: 429 });
    pace = told(pace, { now: 2, status: 429 });
    expect(pace).toMatchObject({ strikes: 1, throttledTotal: 2, rate: { refusals: 1 } });
  });

  test('counts also while the lane rests because a window was used up: that pause is not its own', () => {
    const rateLimit = { limit: 1, remaining: 0, resetAt: wall + 3_000 };
    const used = told(startPace(0), { now: 1_000, rateLimit });
    expect(used.pausedUntil).toBeGreaterThan(1_050);
    const refused = told(used, { now: 1_050, status: 429 });
    expect(refused).toMatchObject({ strikes: 1, rate: { refusals: 1 } });
  });

  test.each([
    ['no answer', null],
    ['a failure of the exchange', 500],
    ['a ban', 418],
  ])('is neither over nor the first of a new row with %s', (_name, status) => {
    let pace = told(startPace(0), { now: 0, status: 429 });
    for (let n = 1; n <= 20; n++) pace = told(pace, { now: n * 10_000, status });
    expect(pace).toMatchObject({ strikes: 1, rate: { refusals: 1 } });
  });

  test('without a status is taken for one', () => {
    const facts = { sentAt: wall, receivedAt: wall };
    const pace = learn(startPace(0), settings, { facts, throttled: true, now: 0, arrivedAt: 0 }, highest);
    expect(pace.rate.refusals).toBe(1);
  });
});

describe('503 and 504', () => {
  test('leave the rate alone and wait longer each time, with jitter, up to five seconds', () => {
    let pace = startPace(0);
    const waits: number[] = [];
    for (let n = 1; n <= 9; n++) {
      const now = n * 1_000_000;
      pace = told(pace, { now, status: n % 2 === 0 ? 503 : 504 });
      waits.push(pace.pausedUntil - now);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 5_000, 5_000, 5_000, 5_000, 5_000, 5_000]);
    expect(intervalOf(pace, settings)).toBe(1_000);
    const now = 20_000_000;
    expect(told(pace, { now, status: 503 }, lowest).pausedUntil).toBe(now);
  });

  test('name no wait for the lane: it is obeyed where reads are chosen', () => {
    const rateLimit = { retryAfter: 300_000 };
    expect(told(startPace(0), { now: 0, status: 503, rateLimit }).pausedUntil).toBe(1_000);
  });

  test('one good answer ends the count', () => {
    let pace = told(startPace(0), { now: 1_000_000, status: 503 });
    pace = told(pace, { now: 2_000_000 });
    expect(pace.strikes).toBe(0);
  });
});

describe('what the headers say', () => {
  test('Retry-After is never cut short and lengthened by at most a tenth', () => {
    const rateLimit = { retryAfter: 10_000 };
    expect(told(startPace(0), { now: 0, status: 429, rateLimit }, lowest).pausedUntil).toBe(10_000);
    expect(told(startPace(0), { now: 0, status: 429, rateLimit }, highest).pausedUntil).toBe(11_000);
  });

  test('a short Retry-After, said again and again, does not end the growing waits', () => {
    const waits = (rateLimit: RateLimitReading): number[] => {
      let pace = startPace(0);
      return [1, 2, 3, 4].map((n) => {
        pace = told(pace, { now: n * 100_000, status: 429, rateLimit }, lowest);
        return pace.pausedUntil - n * 100_000;
      });
    };
    const [first = 0, , , last = 0] = waits({ retryAfter: 1_000 });
    expect(waits({ retryAfter: 1_000 })).toEqual(waits({}));
    expect(last).toBeGreaterThan(first);
  });

  test('nothing remaining waits for the reset, as a duration: our wall clock does not matter', () => {
    const rateLimit = { limit: 1, remaining: 0, resetAt: wall + 5_000 + 2_500 };
    const pace = told(startPace(0), { now: 5_000, rateLimit });
    expect(nextReleaseAt(pace, settings)).toBe(7_500);
    expect(pace).toMatchObject({ limit: 1, remaining: 0 });
  });

  test.each<[string, RateLimitReading]>([
    ['something remaining', { remaining: 1, resetAt: wall + 9_000 }],
    ['no reset', { remaining: 0 }],
    ['a reset that has passed', { remaining: 0, resetAt: wall - 1 }],
    ['nothing', {}],
  ])('%s does not pause', (_name, rateLimit) => {
    expect(told(startPace(0), { now: 0, rateLimit }).pausedUntil).toBe(0);
  });

  test('a pause is never shortened by a later answer', () => {
    const paused = told(startPace(0), { now: 0, status: 429, rateLimit: { retryAfter: 60_000 } });
    expect(told(paused, { now: 1, status: 429 }).pausedUntil).toBe(paused.pausedUntil);
    const later = told(paused, { now: 10, rateLimit: { remaining: 0, resetAt: wall + 20 } });
    expect(later.pausedUntil).toBe(paused.pausedUntil);
  });

  test('a limit of none at all is waited out, whatever window was told before', () => {
    const usual = { limit: 1, remaining: 0, resetAt: wall + 1_000 };
    const pace = told(startPace(0), { now: 100, rateLimit: usual });
    const none = { limit: 0, remaining: 0, resetAt: wall + 5_000 + 20_000 };
    expect(nextReleaseAt(told(pace, { now: 5_000, rateLimit: none }), settings)).toBe(25_000);
  });

  test('of one a second is not waited for where it is only rounded: nor where it is exact is it cut short', () => {
    const told429 = (resetAt: number, resetFrom?: number): number => {
      const rateLimit = { limit: 1, remaining: 0, resetAt, ...(resetFrom !== undefined && { resetFrom }) };
      const left = returned(released(startPace(0), settings, 0), 0, 50);
      return nextReleaseAt(told(left, { now: 100, rateLimit }), settings);
    };
    // It left at 0: the window ends between 0.95 and 1.95 s, and one a second is what is configured.
    expect(told429(wall + 1_950, wall + 950)).toBeLessThanOrEqual(1_050);
    expect(told429(wall + 1_950)).toBe(1_950);
    // Here it is proved to last for longer than the lane takes for it.
    expect(told429(wall + 3_500, wall + 2_500)).toBe(3_500);
  });

  test('nothing remaining before we used it up: others use it too, and the window is waited for', () => {
    const rateLimit = { limit: 5, remaining: 4, resetAt: wall + 5_900, resetFrom: wall + 4_900 };
    let pace = told(released(startPace(0), settings, 0), { now: 100, rateLimit });
    pace = told(released(pace, settings, 1_000), { now: 1_100, rateLimit: { ...rateLimit, remaining: 0 } });
    expect(nextReleaseAt(pace, settings)).toBe(5_000);
  });

  test('a wall clock that was set back while a request was on its way delays nothing', () => {
    const facts = { sentAt: wall + 3_600_000, receivedAt: wall, status: 200 };
    const left = returned(released(startPace(0), settings, 0), 0, 50);
    const pace = learn(left, settings, { facts, throttled: false, now: 50, arrivedAt: 50 }, lowest);
    expect(nextReleaseAt(pace, settings)).toBeLessThanOrEqual(1_050);
  });

  test('a request that took longer than others may have arrived later: the next one waits, within bounds', () => {
    const answered = (pace: Pace, sent: number, took: number): Pace => {
      const facts = { sentAt: wall, receivedAt: wall + took, status: 200 };
      const left = released(pace, settings, sent);
      return returned(
        learn(left, settings, { facts, throttled: false, now: sent + took, arrivedAt: sent + took }, lowest),
        sent,
        sent + took,
      );
    };
    // How quick a trip can be is known after a row of answers.
    expect(nextReleaseAt(answered(startPace(0), 0, 20), settings)).toBe(1_020);
    let quick = startPace(0);
    for (let n = 0; n < 64; n += 1) quick = answered(quick, n * 2_000, 20);
    expect(nextReleaseAt(quick, settings)).toBe(127_005);
    expect(nextReleaseAt(answered(quick, 200_000, 50), settings)).toBe(201_035);
    expect(nextReleaseAt(answered(quick, 200_000, 900), settings)).toBe(201_250);
    expect(nextReleaseAt(released(quick, settings, 200_000), settings)).toBe(201_250);
  });
});

const backoff = { baseMs: 1_000, capMs: 60_000 };
const always = (value: number) => ({ next: () => value });

test.each([
  [0, 0],
  [1, 1_000],
  [2, 2_000],
  [3, 4_000],
  [6, 32_000],
  [7, 60_000],
  [1_000, 60_000],
])('after %i strikes the delay is drawn from under %i ms', (strikes, bound) => {
  expect(backoffDelay(strikes, backoff, always(0))).toBe(0);
  expect(backoffDelay(strikes, backoff, always(0.5))).toBe(bound / 2);
  expect(backoffDelay(strikes, backoff, always(1))).toBe(bound);
});
