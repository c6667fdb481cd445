import { describe, expect, test } from '@jest/globals';
import {
  intervalOf,
  learn,
  nextReleaseAt,
  type Pace,
  type PaceSettings,
  released,
  startPace,
} from '../../../src/client/lane-pace.ts';
import type { RateLimitReading } from '../../../src/venue/outcomes.ts';

const settings: PaceSettings = { intervalMs: 1_000, burst: 1 };
const wall = 1_700_000_000_000;
const highest = { next: () => 1 };
const lowest = { next: () => 0 };

interface Told {
  readonly now: number;
  readonly status?: number;
  readonly rateLimit?: RateLimitReading;
}

function told(pace: Pace, { now, status = 200, rateLimit }: Told, random = highest): Pace {
  const facts = { sentAt: wall + now - 100, receivedAt: wall + now, status, ...(rateLimit && { rateLimit }) };
  return learn(pace, { facts, throttled: status !== 200, now }, random);
}

describe('the configured rate', () => {
  test('one request an interval', () => {
    const once = released(startPace(0), settings, 0);
    expect(nextReleaseAt(once, settings)).toBe(1_000);
    expect(nextReleaseAt(released(once, settings, 1_500), settings)).toBe(2_500);
  });

  test('a burst, then one an interval, and the burst again after a quiet time', () => {
    const bursting = { intervalMs: 1_000, burst: 3 };
    let pace = startPace(0);
    const at: number[] = [];
    for (let n = 0; n < 5; n++) {
      const now = Math.max(nextReleaseAt(pace, bursting), 0);
      at.push(now);
      pace = released(pace, bursting, now);
    }
    expect(at).toEqual([0, 0, 0, 1_000, 2_000]);
    expect(nextReleaseAt(pace, bursting)).toBe(3_000);
    for (let n = 0; n < 2; n++) pace = released(pace, bursting, 20_000);
    expect(nextReleaseAt(pace, bursting)).toBeLessThanOrEqual(20_000);
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
    const waits = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => {
      pace = told(pace, { now: n * 1_000_000, status: 429 });
      return pace.pausedUntil - n * 1_000_000;
    });
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
  });

  test('halves the rate, and good answers give it back bit by bit', () => {
    let pace = told(startPace(0), { now: 0, status: 429 });
    expect(intervalOf(pace, settings)).toBe(2_000);
    pace = told(pace, { now: 10_000 });
    expect(intervalOf(pace, settings)).toBeCloseTo(1_000 / 0.525);
    for (let n = 0; n < 18; n++) pace = told(pace, { now: 20_000 + n });
    expect(intervalOf(pace, settings)).toBeGreaterThan(1_000);
    pace = told(pace, { now: 30_000 });
    expect(intervalOf(pace, settings)).toBeCloseTo(1_000);
  });

  test('again and again ends at a sixteenth', () => {
    let pace = startPace(0);
    for (let n = 1; n < 20; n++) pace = told(pace, { now: n * 1_000_000, status: 429 });
    expect(intervalOf(pace, settings)).toBe(16_000);
  });

  test('for requests that were already on their way counts once', () => {
    let pace = told(startPace(0), { now: 1, status: 429 });
    pace = told(pace, { now: 2, status: 429 });
    expect(intervalOf(pace, settings)).toBe(2_000);
    expect(pace).toMatchObject({ strikes: 1, throttledTotal: 2 });
  });

  test('without a status is taken for one', () => {
    const facts = { sentAt: wall, receivedAt: wall };
    expect(intervalOf(learn(startPace(0), { facts, throttled: true, now: 0 }, highest), settings)).toBe(2_000);
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
    const later = told(paused, { now: 10, rateLimit: { remaining: 0, resetAt: wall + 20 } });
    expect(later.pausedUntil).toBe(paused.pausedUntil);
  });
});
