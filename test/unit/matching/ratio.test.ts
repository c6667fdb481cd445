import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { ceilShare, floorShare, halfUpShare, ratioOf } from '../../../src/matching/charges.ts';

describe('shares of an amount', () => {
  test.each([
    ['0', 999n, 0n, 0n, 0n],
    ['1', 999n, 999n, 999n, 999n],
    ['0.5', 3n, 1n, 2n, 2n],
    ['0.1', 4n, 0n, 0n, 1n],
    ['0.1', 5n, 0n, 1n, 1n],
    ['0.1', 10n, 1n, 1n, 1n],
    ['0.00472', 1_000_000n, 4_720n, 4_720n, 4_720n],
    ['0.00472', 1_000_100n, 4_720n, 4_720n, 4_721n],
    ['0.25', 10n ** 40n + 2n, 25n * 10n ** 38n, 25n * 10n ** 38n + 1n, 25n * 10n ** 38n + 1n],
  ])('%s of %p: %p down, %p half up, %p up', (value, amount, floor, halfUp, ceil) => {
    const ratio = ratioOf(decimal(value), 'The ratio');
    expect([floorShare(amount, ratio), halfUpShare(amount, ratio), ceilShare(amount, ratio)]).toEqual([
      floor,
      halfUp,
      ceil,
    ]);
  });

  test.each(['-0.001', '1.001', 'NaN', 'Infinity'])('%s is no share', (value) => {
    expect(() => ratioOf(decimal(value), 'The maker fee ratio')).toThrow(`The maker fee ratio is ${value}`);
  });
});
