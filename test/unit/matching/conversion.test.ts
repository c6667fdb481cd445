import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { fromUnits, toUnits } from '../../../src/matching/conversion.ts';

describe('amounts become whole units or nothing', () => {
  test.each([
    ['1', 8, 100_000_000n],
    ['-1.5', 8, -150_000_000n],
    ['0.00000001', 8, 1n],
    ['0.000000001', 8, null],
    ['7', 0, 7n],
    ['7.0', 0, 7n],
    ['7.5', 0, null],
    [
      '123456789012345678901234567890123456789012345678.12345678',
      8,
      12345678901234567890123456789012345678901234567812345678n,
    ],
    ['NaN', 8, null],
  ])('%s with %d decimals → %p', (amount, decimals, units) => {
    expect(toUnits(decimal(amount), decimals)).toBe(units);
  });

  test.each([
    [0n, 8, '0'],
    [1n, 8, '0.00000001'],
    [-150_000_000n, 8, '-1.5'],
    [7n, 0, '7'],
    [
      12345678901234567890123456789012345678901234567812345678n,
      8,
      '123456789012345678901234567890123456789012345678.12345678',
    ],
  ])('%p units with %d decimals → %s', (units, decimals, amount) => {
    expect(fromUnits(units, decimals).toFixed()).toBe(amount);
  });
});
