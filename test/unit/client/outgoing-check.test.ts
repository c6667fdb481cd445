import { describe, expect, test } from '@jest/globals';
import { assertSameWrite } from '../../../src/client/wire/signed-request.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId } from '../../../src/domain/ids.ts';
import type { CancelRequest, CreateRequest } from '../../../src/venue/requests.ts';

const stamp = { timestamp: 1_700_000_000_000, recvWindow: 2_500 };
const order = { symbol: 'BTC/INR', side: 'buy', price: decimal('5000000'), quantity: decimal('0.01') } as const;
const create: CreateRequest = { kind: 'create', order, stamp };
const fields = { symbol: 'BTC/INR', action: 'BUY', type: 'LIMIT', price: '5000000', quantity: '0.01' };

const PATHS = {
  create: '/order/create',
  cancel: '/order/cancel',
  'cancel-symbol': '/orders/cancel',
  'cancel-all': '/orders/cancel/all',
};
function post(kind: keyof typeof PATHS, body: unknown) {
  const url = `https://exchange.example/api/v1/spot${PATHS[kind]}?timestamp=1&signature=ab`;
  return { method: 'POST', url, body: body === null ? null : JSON.stringify(body) } as const;
}

describe('the last look at an order', () => {
  test('lets the approved order pass, however its numbers are written', () => {
    expect(() => assertSameWrite(post('create', fields), create)).not.toThrow();
    expect(() => assertSameWrite(post('create', { ...fields, quantity: '0.010' }), create)).not.toThrow();
  });

  test.each([
    ['another symbol', { symbol: 'ETH/INR' }],
    ['the other side', { action: 'SELL' }],
    ['a side in lower case', { action: 'buy' }],
    ['no side', { action: undefined }],
    ['another type', { type: 'MARKET' }],
    ['another price', { price: '5000001' }],
    ['ten times the quantity', { quantity: '0.1' }],
    ['a number instead of text', { quantity: 0.01 }],
    ['a field more', { note: 'x' }],
  ])('stops %s', (_what, change) => {
    expect(() => assertSameWrite(post('create', { ...fields, ...change }), create)).toThrow(
      'not the approved order BTC/INR buy 0.01 @ 5000000',
    );
  });

  test('stops what was made of a side that is none, whichever action that became', () => {
    const odd: CreateRequest = { ...create, order: { ...order, side: JSON.parse('"BUY"') } };
    for (const action of ['BUY', 'SELL', undefined])
      expect(() => assertSameWrite(post('create', { ...fields, action }), odd)).toThrow('not the approved order');
  });

  test('stops a request without a body', () => {
    expect(() => assertSameWrite(post('create', null), create)).toThrow('not the approved order');
  });

  test('stops an order on its way to another endpoint, or by another method', () => {
    expect(() => assertSameWrite(post('cancel', fields), create)).toThrow('not the approved order');
    expect(() => assertSameWrite({ ...post('create', fields), method: 'GET' }, create)).toThrow('not the approved');
  });
});

describe('the last look at a cancel', () => {
  const one: CancelRequest = { kind: 'cancel', orderId: orderId('1-7-1'), stamp };
  const symbol: CancelRequest = { kind: 'cancel-symbol', symbol: 'BTC/INR', stamp };
  const all: CancelRequest = { kind: 'cancel-all', stamp };

  test.each<[CancelRequest, unknown]>([
    [one, { order_id: '1-7-1' }],
    [symbol, { symbol: 'BTC/INR' }],
    [all, null],
  ])('lets what was asked for pass: %j', (asked, body) => {
    expect(() => assertSameWrite(post(asked.kind, body), asked)).not.toThrow();
  });

  test.each<[string, CancelRequest, ReturnType<typeof post>]>([
    ['another order', one, post('cancel', { order_id: '1-8-1' })],
    ['a field more', one, post('cancel', { order_id: '1-7-1', symbol: 'BTC/INR' })],
    ['everything instead of one', one, post('cancel-all', null)],
    ['another symbol', symbol, post('cancel-symbol', { symbol: 'ETH/INR' })],
    ['everything instead of a symbol', symbol, post('cancel-all', { symbol: 'BTC/INR' })],
    ['a symbol where everything was meant', all, post('cancel-all', { symbol: 'BTC/INR' })],
  ])('stops %s', (_what, asked, http) => {
    expect(() => assertSameWrite(http, asked)).toThrow(`not the ${asked.kind} that was asked for`);
  });
});
