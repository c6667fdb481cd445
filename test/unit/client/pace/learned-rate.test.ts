// What refusals for the rate teach, episode by episode.
import { describe, expect, test } from '@jest/globals';
import {
  heard,
  isRaise,
  type LearnedRate,
  limitTold,
  NO_LIMITS,
  refused,
  relieved,
  reopensAt,
  startRate,
  type ToldWindow,
  taken,
} from '../../../../src/client/pace/learned-rate.ts';
import type { RateLimitReading } from '../../../../src/venue/outcomes.ts';
import { minutes, play, within } from './busy-lane.ts';
import { fixedWindow } from './simulated-limiter.ts';

const SECOND = 1_000;
const MINUTE = 60_000;

/** Good answers, ten a second, to requests that left just before. */
function good(rate: LearnedRate, from: number, to: number): LearnedRate {
  let after = rate;
  for (let now = from; now < to; now += 100) after = taken(after, { leftAt: now, now });
  return after;
}

/** Cycles one after the other, from a minute on: for how long all is taken, then for how long all is refused. */
function lived(cycles: readonly (readonly [takenMs: number, lostMs: number])[], before = startRate(0), from = MINUTE) {
  return cycles.reduce(
    ({ rate, now }, [takenMs, lostMs]) => {
      const calm = good(rate, now, now + takenMs);
      const refusals = refused(refused(calm, now + takenMs), now + takenMs + lostMs / 2);
      const over = now + takenMs + lostMs;
      return { rate: taken(refusals, { leftAt: over, now: over }), now: over };
    },
    { rate: before, now: from },
  );
}

const share = (rate: LearnedRate): number => Math.round(rate.share * 1_000) / 1_000;

test('what is configured is believed, and never passed', () => {
  expect(good(startRate(0), 0, 20 * MINUTE).share).toBe(1);
});

describe('an episode', () => {
  test.each([
    ['one refusal', [[30_000, 1_000]]],
    ['many refusals', [[30_000, 20_000]]],
    [
      'the second one, however soon',
      [
        [30_000, 2_000],
        [1_000, 2_000],
      ],
    ],
  ] as const)('%s leaves the share', (_name, cycles) => {
    expect(lived(cycles).rate.share).toBe(1);
  });

  test('an answer to what left before the last refusal does not end it', () => {
    const stormy = refused(startRate(0), 10_000);
    expect(taken(stormy, { leftAt: 9_999, now: 10_100 })).toBe(stormy);
  });
});

describe('two cycles lower the share to the part of the time in which requests were taken', () => {
  const first = [30_000, 2_000] as const;
  test.each<[string, number, number, number]>([
    ['a tenth was refused', 9_000, 1_000, 0.9],
    ['a third', 4_000, 2_000, 0.667],
    ['more than half: to a little less than half', 1_000, 3_000, 0.48],
  ])('%s', (_name, takenMs, lostMs, expected) => {
    expect(share(lived([first, [takenMs, lostMs], [takenMs, lostMs]]).rate)).toBe(expected);
  });

  test('what headers held the lane for was not taken', () => {
    const held = (rate: LearnedRate, at: number) => taken(rate, { leftAt: at, now: at, heldMs: 1_500 });
    let { rate, now } = lived([first]);
    for (let n = 0; n < 2; n += 1) {
      rate = held(rate, now + 100);
      ({ rate, now } = lived([[4_000, 1_000]], rate, now + 200));
    }
    expect(share(rate)).toBeCloseTo(2.7 / 5.2);
  });

  test('cycles of hours between single refusals lower nothing', () => {
    expect(lived(Array.from({ length: 20 }, () => [60 * MINUTE, 1_500] as const)).rate.share).toBeGreaterThan(0.99);
  });
});

describe('a lower share', () => {
  const lowered = lived([
    [30_000, 3_000],
    [27_000, 3_000],
    [27_000, 3_000],
  ]);

  test('that yields less than the higher one is given up: refusals do not depend on the pace', () => {
    expect(share(lowered.rate)).toBe(0.9);
    const after = lived(
      [
        [27_000, 3_000],
        [27_000, 3_000],
      ],
      lowered.rate,
      lowered.now,
    );
    expect(after.rate.share).toBe(1);
    expect(lived(Array(8).fill([27_000, 3_000]), after.rate, after.now).rate.share).toBe(1);
  });

  test('is kept, and lowered further, where it yields as much', () => {
    const after = lived(
      [
        [27_000, 1_000],
        [27_000, 1_000],
      ],
      lowered.rate,
      lowered.now,
    );
    expect(share(after.rate)).toBe(0.868);
  });

  test('in storms is looked for again where less is taken than before: something else changed', () => {
    const stormy = lived(
      [
        [27_000, 3_000],
        [27_000, 3_000],
      ],
      lowered.rate,
      lowered.now,
    );
    const halved = lived(
      [
        [1_000, 1_200],
        [1_000, 1_200],
        [1_000, 1_200],
      ],
      stormy.rate,
      stormy.now,
    );
    expect(halved.rate.share).toBe(0.48);
  });

  test('never is less than a sixteenth, and more is tried from there', () => {
    let { rate, now } = lived([[30_000, 2_000]]);
    const shares: number[] = [];
    for (let n = 0; n < 40; n += 1) {
      // Three hundredths of what is configured are allowed: in each ten seconds, the first of them.
      const over = now + 10_000;
      for (let left = 300; left > 0; left -= 100 * rate.share) {
        rate = taken(rate, { leftAt: now, now });
        shares.push(rate.share);
        now += 100;
      }
      rate = taken(refused(refused(rate, now), over - 1_000), { leftAt: over, now: over });
      now = over;
    }
    expect(Math.min(...shares)).toBe(1 / 16);
    expect(shares.filter((each) => each === 1 / 16).length).toBeGreaterThan(shares.length / 2);
    expect(good(rate, now, now + 11 * MINUTE).share).toBe(1);
  });
});

describe('more is tried', () => {
  const half = lived([
    [30_000, 2_000],
    [1_000, 2_000],
    [1_000, 2_000],
  ]);

  test('after a minute, half of the way; what holds for a minute and a half is followed by the whole', () => {
    const at = (ms: number) => share(good(half.rate, half.now, half.now + ms));
    expect([59, 61, 149, 152].map((seconds) => at(seconds * SECOND))).toEqual([0.48, 0.74, 0.74, 1]);
  });

  test('and given up at the first refusal; the next goes half as far, after two, four, then each eight minutes', () => {
    let rate = half.rate;
    const tries: [number, number][] = [];
    for (let now = half.now; now < half.now + 30 * MINUTE; now += 100) {
      rate = taken(rate, { leftAt: now, now });
      if (rate.firm === null) continue;
      tries.push([Math.round((now - half.now) / MINUTE), share(rate)]);
      rate = taken(refused(rate, now), { leftAt: now, now });
      expect(share(rate)).toBe(0.48);
    }
    expect(tries).toEqual([
      [1, 0.74],
      [3, 0.61],
      [7, 0.74],
      [15, 0.61],
      [23, 0.74],
    ]);
  });

  test('at once where the exchange says that it allows more', () => {
    const now = half.now + SECOND;
    expect(good(relieved(half.rate, now), now, now + SECOND).share).toBe(1);
  });

  test('after a minute again once the whole rate held', () => {
    const whole = good(half.rate, half.now, half.now + 10 * MINUTE);
    expect(whole).toMatchObject({ share: 1, firm: null, tryAfterMs: half.rate.tryAfterMs });
  });
});

// The limits that headers tell: a raise is one over time, not between two kinds of answers.

describe('a limit is raised', () => {
  /** One second after the other. */
  const heard = (told: readonly number[]) =>
    told.reduce((limits, limit, n) => limitTold(limits, limit, n * 1_000), NO_LIMITS);

  test('where it is higher than all that were told lately', () => {
    expect(isRaise(heard([5]), 6)).toBe(true);
    expect(isRaise(heard([5, 6]), 6)).toBe(false);
    expect(isRaise(heard([10, 5, 5]), 6)).toBe(false);
  });

  test('where a higher one was told more than four minutes ago', () => {
    const fives = Array.from({ length: 241 }, () => 5);
    expect(isRaise(heard([10, ...fives.slice(0, 119)]), 10)).toBe(false);
    expect(isRaise(heard([10, ...fives]), 10)).toBe(true);
  });

  test('where anything was told before, however long ago', () => {
    expect(isRaise(NO_LIMITS, 10)).toBe(false);
    expect(isRaise(limitTold(NO_LIMITS, 5, 0), 10)).toBe(true);
  });
});

test.each([[2], [7], [50]])(
  'a limit that is half of what is configured is not unlearned where each %ith answer names a higher one',
  (each) => {
    const { refused } = play({
      settings: { intervalMs: 1_000, burst: 1 },
      limit: { requests: 2, perMs: 4_000 },
      limiter: fixedWindow,
      telling: 'nothing',
      lastsMs: minutes(180),
      says: (nth) => ({ limit: nth % each === 0 ? 10 : 5 }),
    });
    expect(within(refused, minutes(60), minutes(180))).toBeLessThanOrEqual(18);
  },
);

const RECEIVED = 1_800_000_000_000;
const TRIP = { leftAt: 900, arrivedAt: 1_000, intervalMs: 100 };
const FIRST: ToldWindow = {
  ...{ limit: 10, leastMs: 501, mostMs: 1_600 },
  ...{ firstLeftAt: 900, endsFrom: 1_501, endsAt: 2_500 },
};
/** An answer whose window ends in so long at the latest, and at the earliest. */
const answer = (limits: RateLimitReading, resetInMs?: number, fromInMs?: number) => ({
  ...{ sentAt: RECEIVED - 100, receivedAt: RECEIVED },
  rateLimit: {
    ...limits,
    ...(resetInMs !== undefined && { resetAt: RECEIVED + resetInMs }),
    ...(fromInMs !== undefined && { resetFrom: RECEIVED + fromInMs }),
  },
});

describe('what headers tell of the window of the exchange', () => {
  test('is its limit, when it ends and since when it lasts, each between two bounds', () => {
    expect(heard(null, answer({ limit: 10, remaining: 9 }, 1_500, 501), TRIP)).toEqual(FIRST);
  });

  test.each<[string, ReturnType<typeof answer> | { sentAt: number; receivedAt: number }]>([
    ['no headers', { sentAt: RECEIVED, receivedAt: RECEIVED }],
    ['no limit', answer({ remaining: 9 }, 1_500)],
    ['a limit of none', answer({ limit: 0, remaining: 0 }, 1_500)],
    ['no reset', answer({ limit: 10, remaining: 9 })],
  ])('is what it was after an answer with %s', (_, facts) => {
    expect(heard(FIRST, facts, TRIP)).toBe(FIRST);
    expect(heard(null, facts, TRIP)).toBeNull();
  });

  test.each<[string, RateLimitReading, number]>([
    ['one that was counted before it', { limit: 10, remaining: 8 }, 800],
    ['two', { limit: 10, remaining: 7 }, 700],
    ['all of them, where none remains', { limit: 10, remaining: 0 }, 0],
    ['all of them, where nobody says what remains', { limit: 10 }, 0],
    ['none, where more remains than there is', { limit: 10, remaining: 12 }, 900],
    ['none of a limit of one', { limit: 1, remaining: 0 }, 900],
  ])('begins earlier by the pace of the lane for %s', (_, limits, firstLeftAt) => {
    expect(heard(null, answer(limits, 1_500, 501), TRIP)).toMatchObject({ firstLeftAt, mostMs: 2_500 - firstLeftAt });
  });

  test('ends at one moment where nobody says that it was rounded, and never before the answer', () => {
    expect(heard(null, answer({ limit: 10, remaining: 9 }, 1_500), TRIP)).toMatchObject({
      ...{ endsFrom: 2_500, endsAt: 2_500, leastMs: 1_500 },
    });
    expect(heard(null, answer({ limit: 10, remaining: 9 }, -1, -1_000), TRIP)).toMatchObject({
      ...{ endsFrom: 1_000, endsAt: 1_000, leastMs: 0, mostMs: 100 },
    });
  });

  test.each<[string, RateLimitReading, { leftAt: number; arrivedAt: number }, number]>([
    ['the same window', { limit: 10, remaining: 8 }, { leftAt: 1_200, arrivedAt: 1_300 }, 900],
    ['the same until its end', { limit: 10, remaining: 8 }, { leftAt: 2_499, arrivedAt: 2_500 }, 900],
    ['a new one, from the end of the last on', { limit: 10, remaining: 8 }, { leftAt: 2_500, arrivedAt: 2_600 }, 2_400],
    [
      'a new one where nothing was counted before',
      { limit: 10, remaining: 9 },
      { leftAt: 1_200, arrivedAt: 1_300 },
      1_200,
    ],
    [
      'another one where its limit is another',
      { limit: 20, remaining: 18 },
      { leftAt: 1_200, arrivedAt: 1_300 },
      1_100,
    ],
  ])('is of %s', (_, limits, moment, firstLeftAt) => {
    expect(heard(FIRST, answer(limits, 1_200, 201), { ...moment, intervalMs: 100 })).toMatchObject({ firstLeftAt });
  });

  test('is known better with each answer of the same limit', () => {
    const later = { leftAt: 1_200, arrivedAt: 1_300, intervalMs: 100 };
    expect(heard(FIRST, answer({ limit: 10, remaining: 8 }, 1_200, 201), later)).toMatchObject({
      ...{ leastMs: 501, mostMs: 1_600 },
    });
    expect(heard(FIRST, answer({ limit: 10, remaining: 8 }, 1_000, 700), later)).toMatchObject({
      ...{ leastMs: 700, mostMs: 1_400 },
    });
    expect(heard(FIRST, answer({ limit: 20, remaining: 19 }, 900, 0), later)).toMatchObject({
      ...{ leastMs: 0, mostMs: 1_000 },
    });
  });

  test('is begun anew where the bounds contradict each other: the window has changed', () => {
    const later = { leftAt: 5_000, arrivedAt: 5_100, intervalMs: 100 };
    const shorter = answer({ limit: 10, remaining: 9 }, 400, 0);
    expect(heard(FIRST, shorter, later)).toMatchObject({ leastMs: 0, mostMs: 500 });
    expect(heard(FIRST, answer({ limit: 10, remaining: 9 }, 401, 0), later)).toMatchObject({
      leastMs: 501,
      mostMs: 501,
    });
    expect(heard(FIRST, answer({ limit: 10, remaining: 9 }, 1_900, 1_601), later)).toMatchObject({
      ...{ leastMs: 1_601, mostMs: 2_000 },
    });
    expect(heard(FIRST, answer({ limit: 10, remaining: 9 }, 1_900, 1_600), later)).toMatchObject({
      ...{ leastMs: 1_600, mostMs: 1_600 },
    });
  });
});

test.each([
  [100, 1_900, 'after as long as the lane takes for what the window allows'],
  [60, 1_501, 'not before the earliest end that was told'],
  [50.1, 1_501, 'at a pace that the shortest window just allows'],
  [50, 2_500, 'at a pace that no such window can have, after the longest'],
  [300, 2_500, 'at the latest end that was told'],
])('at a request every %d ms a full window opens again at %i: %s', (intervalMs, at) => {
  expect(reopensAt(FIRST, intervalMs)).toBe(at);
});

test('a window opens at the latest when it ends', () => {
  expect(reopensAt({ ...FIRST, mostMs: 9_000 }, 300)).toBe(2_500);
});
