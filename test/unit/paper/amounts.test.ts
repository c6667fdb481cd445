// Amounts as the wire writes them.
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decimal, parseDecimal, plain } from '../../../src/domain/decimal.ts';
import { fromUnits } from '../../../src/matching/conversion.ts';
import { readSteps, unitsText } from '../../../src/paper/state/amounts.ts';

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

// Prices and quantities read as whole steps, and the engine's own conversion as the second opinion.

test.each<[unknown, string, ReturnType<typeof readSteps>]>([
  ['5000.5', '0.5', 10_001],
  ['5000.50000', '0.5', 10_001],
  ['05', '5', 1],
  ['100', '10', 10],
  ['0.00000003', '0.00000001', 3],
  ['9007199254740991', '1', 9_007_199_254_740_991],
  ['9007199254740992', '1', 'malformed'],
  ['9'.repeat(30), '0.1', 'malformed'],
  ['9'.repeat(400), '1', 'malformed'],
  ['5000.25', '0.5', 'off-step'],
  ['5000.51', '0.5', 'off-step'],
  ['95', '10', 'off-step'],
  ['0', '1', 'malformed'],
  ['0.000', '1', 'malformed'],
  ['', '1', 'malformed'],
  ['5.', '1', 'malformed'],
  ['.5', '0.5', 'malformed'],
  ['+5', '1', 'malformed'],
  ['1e3', '1', 'malformed'],
  [' 5', '1', 'malformed'],
  [5, '1', 'malformed'],
  [null, '1', 'malformed'],
])('%p in steps of %s is %s', (given, step, expected) => {
  expect(readSteps(given, decimal(step))).toBe(expected);
});

test('any positive decimal is as many steps as the engine says', () => {
  const digits = (min: number, max: number) =>
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: min, maxLength: max }).map((list) => list.join(''));
  const text = fc
    .tuple(digits(1, 20), digits(0, 10))
    .map(([whole, part]) => (part === '' ? whole : `${whole}.${part}`));
  const step = fc.constantFrom('1', '10', '0.5', '0.1', '0.25', '0.00000001', '0.003', '12.5').map(decimal);
  fc.assert(
    fc.property(text, step, (given, tickSize) => {
      const value = parseDecimal(given);
      fc.pre(value !== null && !value.isZero());
      const quotient = (value ?? tickSize).div(tickSize);
      const isWhole = quotient
        .trunc()
        .mul(tickSize)
        .eq(value ?? tickSize);
      const steps = quotient.gt(Number.MAX_SAFE_INTEGER) ? 'malformed' : isWhole ? quotient.toNumber() : 'off-step';
      expect(readSteps(given, tickSize)).toBe(steps);
    }),
    { numRuns: 2_000 },
  );
});
