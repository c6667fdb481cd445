// Amounts as the wire writes them.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { plain } from '../../../src/domain/decimal.ts';
import { fromUnits } from '../../../src/matching/conversion.ts';
import { unitsText } from '../../../src/paper/state/amounts.ts';

test.each<[bigint, number, string]>([
  [0n, 8, '0'],
  [1n, 8, '0.00000001'],
  [-1n, 8, '-0.00000001'],
  [100_000_000n, 8, '1'],
  [150_000_000n, 8, '1.5'],
  [-120n, 0, '-120'],
  [10n, 1, '1'],
])('%s units of 10^-%s are %s', (units, decimals, expected) => {
  expect(unitsText(units, decimals)).toBe(expected);
});

test('any amount reads as its decimal does', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
      fc.integer({ min: 0, max: 30 }),
      (units, decimals) => {
        expect(unitsText(units, decimals)).toBe(plain(fromUnits(units, decimals)));
      },
    ),
  );
});
