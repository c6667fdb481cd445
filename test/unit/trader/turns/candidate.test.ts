// What is asked for once at a time, by its key.
import { expect, test } from '@jest/globals';
import { type Candidate, keyOf } from '../../../../src/trader/turns/pick.ts';

test.each(['order-book', 'public-trades', 'spot-trades', 'cancel-symbol'] as const)('a %s of its symbol', (kind) => {
  expect(keyOf({ kind, symbol: 'BTC/INR', why: 'A test wants it.' } as Candidate)).toBe(`${kind} BTC/INR`);
});

test('own orders of one symbol, and of all', () => {
  const why = 'A test wants them.';
  expect(keyOf({ kind: 'open-orders', symbol: 'BTC/INR', why })).toBe('open-orders BTC/INR');
  expect(keyOf({ kind: 'open-orders', symbol: null, why })).toBe('open-orders *');
});
