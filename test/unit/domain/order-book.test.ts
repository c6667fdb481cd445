// What a book says of a price: there, not there, or nothing, as it ends before.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { showsPrice } from '../../../src/domain/order-book.ts';

test.each([
  ['buy', '100', true],
  ['buy', '98', true],
  ['buy', '99', false],
  ['buy', '101', false],
  ['buy', '97', null],
  ['sell', '102', true],
  ['sell', '103', false],
  ['sell', '105', null],
] as const)('a book shows %s %s: %s', (side, price, shows) => {
  const level = (text: string) => ({ price: decimal(text), quantity: decimal('1') });
  const book = { bids: ['100', '98'].map(level), asks: ['102', '104'].map(level) };
  expect(showsPrice(book, { side, price: decimal(price) })).toBe(shows);
  expect(showsPrice({ bids: [], asks: [] }, { side, price: decimal(price) })).toBeNull();
});
