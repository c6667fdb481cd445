import { expect, test } from '@jest/globals';
import { backoffDelay } from '../../../src/client/pace/lane-pace.ts';

const settings = { baseMs: 1_000, capMs: 60_000 };
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
  expect(backoffDelay(strikes, settings, always(0))).toBe(0);
  expect(backoffDelay(strikes, settings, always(0.5))).toBe(bound / 2);
  expect(backoffDelay(strikes, settings, always(1))).toBe(bound);
});
