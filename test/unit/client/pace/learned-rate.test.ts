// The window of the exchange as its headers tell it, and limits that answers name in turns. How refusals move the rate
// is in hidden-limits, long-windows and storms.
import { describe, expect, test } from '@jest/globals';
import { heard, reopensAt, type ToldWindow } from '../../../../src/client/pace/learned-rate.ts';
import type { RateLimitReading } from '../../../../src/venue/outcomes.ts';
import { minutes, play, within } from './busy-lane.ts';
import { fixedWindow } from './simulated-limiter.ts';

test.each([[2], [7], [50]])('half of what is configured is kept though each %ith answer names more', (each) => {
  const { refused } = play({
    settings: { intervalMs: 1_000 },
    limit: { requests: 2, perMs: 4_000 },
    limiter: fixedWindow,
    telling: 'nothing',
    lastsMs: minutes(180),
    says: (nth) => ({ limit: nth % each === 0 ? 10 : 5 }),
  });
  expect(within(refused, minutes(60), minutes(180))).toBeLessThanOrEqual(18);
});

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
