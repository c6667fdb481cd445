import { describe, expect, test } from '@jest/globals';
import { assertSameOrder } from '../../../src/client/wire/outgoing-check.ts';
import { decimal } from '../../../src/domain/decimal.ts';

const order = { symbol: 'BTC/INR', side: 'buy', price: decimal('5000000'), quantity: decimal('0.01') } as const;
const body = { symbol: 'BTC/INR', action: 'BUY', type: 'LIMIT', price: '5000000', quantity: '0.01' };

describe('the last look at an order', () => {
  test('lets the approved order pass, however its numbers are written', () => {
    expect(() => assertSameOrder(JSON.stringify(body), order)).not.toThrow();
    expect(() => assertSameOrder(JSON.stringify({ ...body, quantity: '0.010' }), order)).not.toThrow();
  });

  test.each([
    ['another symbol', { symbol: 'ETH/INR' }],
    ['the other side', { action: 'SELL' }],
    ['another type', { type: 'MARKET' }],
    ['another price', { price: '5000001' }],
    ['ten times the quantity', { quantity: '0.1' }],
    ['a number instead of text', { quantity: 0.01 }],
    ['a field more', { note: 'x' }],
  ])('stops %s', (_what, change) => {
    expect(() => assertSameOrder(JSON.stringify({ ...body, ...change }), order)).toThrow(
      'not the approved order BTC/INR buy 0.01 @ 5000000',
    );
  });

  test('stops a request without a body', () => {
    expect(() => assertSameOrder(null, order)).toThrow('not the approved order');
  });
});
