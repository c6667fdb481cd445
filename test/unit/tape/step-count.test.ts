import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { stepCounter } from '../../../src/tape/row-checks.ts';

describe('counting the steps in a number', () => {
  test.each([
    ['61741.25', '0.01', 6_174_125, true],
    ['61742', '0.01', 6_174_200, true],
    ['61742.000', '0.01', 6_174_200, true],
    ['.5', '0.25', 2, true],
    ['5.', '0.25', 20, true],
    ['0.3', '0.1', 3, true],
    ['100.05', '0.1', 1_000, false],
    ['0.00009', '0.0001', 0, false],
    ['7', '5', 1, false],
    ['1e-05', '0.00001', 1, true],
    ['1.5E+3', '0.5', 3_000, true],
    ['0.12345678901234567', '0.00000001', 12_345_678, false],
    ['90071992547409.91', '0.01', 9_007_199_254_740_991, true],
    ['0', '0.01', 0, true],
  ])('%s in steps of %s is %d, exact: %s', (text, step, whole, exact) => {
    expect(stepCounter(decimal(step))(text)).toEqual({ whole, exact });
  });

  test.each([
    '',
    '.',
    'abc',
    '-1',
    '1,5',
    ' 1',
    '1 ',
    'NaN',
    'Infinity',
    '0x10',
    '1.2.3',
    '9e99',
    '99999999999999999999',
  ])('"%s" is no count', (text) => {
    expect(stepCounter(decimal('0.01'))(text)).toBeNull();
  });
});
