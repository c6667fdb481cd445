// The limits that headers tell: a raise is one over time, not between two kinds of answers.
import { describe, expect, test } from '@jest/globals';
import { isRaise, limitTold, NO_LIMITS } from '../../../../src/client/pace/learned-rate.ts';
import { minutes, play, within } from './busy-lane.ts';
import { fixedWindow } from './simulated-limiter.ts';

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
