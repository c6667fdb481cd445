// Quantities that tell like orders apart.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { saltedQuantity } from '../../../src/quoting/salt.ts';
import { instrument } from './market.ts';

const quote = { price: decimal(100_000), quantity: decimal('1') };
const salted = (mostLots: number, createNumber: number, of = quote): string =>
  saltedQuantity(of, instrument, { mostLots, createNumber }).toFixed();

describe('a salted quantity', () => {
  test('is another one for each of as many creates as there are salts, never more than was wanted', () => {
    expect([4, 5, 6, 7, 8].map((number) => salted(3, number))).toEqual(['1', '0.999', '0.998', '0.997', '1']);
  });

  test('is what was wanted when no lot may be taken off', () => {
    expect(salted(0, 7)).toBe('1');
  });

  test('keeps the least notional, and at least a lot', () => {
    const least = { ...quote, quantity: instrument.minNotional.div(quote.price) };
    expect(salted(9, 7, least)).toBe(least.quantity.toFixed());
    const lot = { price: decimal('1e12'), quantity: instrument.lotSize };
    expect(salted(9, 7, lot)).toBe(lot.quantity.toFixed());
  });
});
