// Numbers that went through floats: what is nearer to one of eight decimals than a float can tell is that one.
import { describe, expect, test } from '@jest/globals';
import { readAmount } from '../../../../src/venue/parsers/fields.ts';

const read = (value: unknown): string | undefined => readAmount(value)?.toFixed();

describe('a number that is off by what a float cannot tell', () => {
  test.each([
    ['0.30000000000000004', '0.3'],
    ['5000000.000000001', '5000000'],
    ['0.012620000000000002', '0.01262'],
    ['0.0126200000000000013882', '0.01262'],
    ['8.999999999999998', '9'],
    [0.1 + 0.2, '0.3'],
    ['1.00000000999999999', '1.00000001'],
    ['-0.30000000000000004', '-0.3'],
  ])('%s is %s', (text, is) => expect(read(text)).toBe(is));
});

describe('every other number is read to its last digit', () => {
  test.each([
    '0.00000001',
    '90000000.00000003',
    '12345678.12345678',
    '0.000000000123',
    '1.123456789',
    '0.3000000000000005',
    '123456789.123456781234567812',
    '0',
  ])('%s', (text) => expect(read(text)).toBe(text));

  test('whatever notation it is in', () => {
    expect(read('1.262E-2')).toBe('0.01262');
    expect(read('5000000.00000000')).toBe('5000000');
    expect(read(`0.5${'0'.repeat(36)}`)).toBe('0.5');
  });
});
