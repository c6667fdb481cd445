import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { fromLots, fromTicks, fromUnits, toLots, toTicks, toUnits } from '../../../src/matching/conversion.ts';
import type { Lots, Ticks } from '../../../src/matching/types.ts';

const instrument = { tickSize: decimal('0.05'), lotSize: decimal('0.0001') };

describe('prices and quantities become whole steps or nothing', () => {
  test.each([
    ['100', 2_000],
    ['100.05', 2_001],
    ['0', 0],
    ['-0.05', -1],
    ['100.06', null],
    ['0.01', null],
    ['100.05000000000000000000000000000000000000000001', null],
    ['450359962737049.55', Number.MAX_SAFE_INTEGER],
    ['450359962737049.60', null],
    ['NaN', null],
    ['Infinity', null],
  ])('price %s → %p ticks', (price, ticks) => {
    expect(toTicks(decimal(price), instrument)).toBe(ticks);
  });

  test.each([
    ['1', 10_000],
    ['0.0001', 1],
    ['0.00015', null],
    ['1e-5', null],
  ])('quantity %s → %p lots', (quantity, lots) => {
    expect(toLots(decimal(quantity), instrument)).toBe(lots);
  });

  test('and back', () => {
    expect(fromTicks(2_001 as Ticks, instrument).toFixed()).toBe('100.05');
    expect(fromLots(15_001 as Lots, instrument).toFixed()).toBe('1.5001');
  });
});

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
