import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import { Decimal, decimal } from '../../../src/domain/decimal.ts';
import {
  amountDecimal,
  amountOf,
  amountText,
  asValue,
  exactAmount,
  exactValue,
  times,
  valueText,
} from '../../../src/ledger/amount.ts';
import { amt, decimalText } from './fills.ts';

describe('an amount', () => {
  test.each([
    ['0', 0n, '0'],
    ['-0', 0n, '0'],
    ['1', 10n ** 18n, '1'],
    ['-0.5', -(10n ** 17n) * 5n, '-0.5'],
    ['0.000000000000000001', 1n, '0.000000000000000001'],
    ['-0.000000000000000001', -1n, '-0.000000000000000001'],
    ['1e-7', 10n ** 11n, '0.0000001'],
    ['9007199254740993.100', 90071992547409931n * 10n ** 17n, '9007199254740993.1'],
  ])('%s is %s units and reads %s', (text, units, plain) => {
    expect(exactAmount(text)).toBe(units);
    expect(amountText(amt(text))).toBe(plain);
  });

  test.each([
    ['0.0000000000000000001', '0.0000000000000000001 has 19 decimals, an amount holds at most 18.'],
    ['', "'' is not a decimal number."],
    ['1,234.5', "'1,234.5' is not a decimal number."],
    ['NaN', "'NaN' is not a decimal number."],
  ])('%s is refused: %s', (text, error) => {
    expect(() => exactAmount(text)).toThrow(error);
  });

  test('as a value has at most 36 decimals', () => {
    const smallest = `0.${'0'.repeat(35)}1`;
    expect(valueText(exactValue(`-${smallest}`))).toBe(`-${smallest}`);
    expect(() => exactValue(`${smallest}1`)).toThrow('has more than 36 decimals.');
    expect(() => exactValue('')).toThrow("'' is not a decimal number.");
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('%d is refused', (number) => {
    expect(amountOf(new Decimal(number))).toMatchObject({ ok: false, error: expect.stringContaining('not finite') });
  });

  test('survives the way to Decimal and text and back', () => {
    fc.assert(
      fc.property(decimalText(18, 10n ** 40n), fc.boolean(), (text, negative) => {
        const units = amt(negative ? `-${text}` : text);
        expect(amountOf(amountDecimal(units))).toEqual({ ok: true, value: units });
        expect(exactAmount(amountText(units))).toBe(units);
        expect(amountDecimal(units).eq(decimal(amountText(units)))).toBe(true);
      }),
    );
  });

  test('times a price is a value with all its digits', () => {
    expect(valueText(times(amt('0.123456789012345678'), amt('9876543.123456789012345678')))).toBe(
      '1219326.300563938372869990527968299765279684',
    );
    expect(valueText(asValue(amt('-12.5')))).toBe('-12.5');
  });
});
