// How long a kill may take, by hand.
import { expect, test } from '@jest/globals';
import { killBound } from '../../../src/watchdog/kill-bound.ts';

const TIMES = { ttlMs: 45_000, lookEveryMs: 500, termGraceMs: 2_000, horizonMs: 14_000, deadlineMs: 1_000 };
const SWEEP = { whose: 'own', symbols: ['BTC/INR', 'ETH/INR'], intervalMs: 250, readLagBoundMs: 30_000 } as const;

const bound = (sweep: Partial<Parameters<typeof killBound>[0]['sweep']> = {}, ttlMs = 45_000): number[] =>
  Object.values(killBound({ ...TIMES, latchMs: 0, ttlMs, mostOrders: 8, sweep: { ...SWEEP, ...sweep } }));

test('own orders: the horizon is longer than the first cancels; lists of each symbol; what lists show late', () => {
  // 45 + 2 × 0.5; + 2 + 3; + 14, then eight cancels at four a second, an answer and slack; + 2 × 30, six lists, a
  // cancel each.
  expect(bound()).toEqual([46_000, 51_000, 71_000, 134_500]);
});

test('many orders at a slow pace: the first pass is longer than the horizon', () => {
  expect(bound({ intervalMs: 2_000 })).toEqual([46_000, 51_000, 91_000, 179_000]);
});

test('one symbol: a list of all is enough', () => {
  expect(bound({ symbols: ['BTC/INR'] })).toEqual([46_000, 51_000, 71_000, 133_500]);
});

test('an account of its own: one cancel takes everything, and nothing is found late', () => {
  expect(bound({ whose: 'account', intervalMs: 10_000 })).toEqual([46_000, 51_000, 95_000, 165_000]);
});

test('is whole milliseconds, never too short', () => {
  expect(bound({}, 45_000.2).every(Number.isInteger)).toBe(true);
  expect(bound({}, 45_000.2)[0]).toBe(46_001);
});
