// What crosses the boundary of the public client: one sentence, and nothing sent, for all that is not of its form.
import { describe, expect, test } from '@jest/globals';
import { Decimal as Foreign } from 'decimal.js';
import fc from 'fast-check';
import { ArgumentError } from '../../../src/client/asked/arguments.ts';
import { Decimal, decimal } from '../../../src/domain/decimal.ts';
import { anyRequest } from './any-request.ts';
import { recordingApi, sentenceOn, toldOf } from './call-of.ts';

const symbol = 'BTC/INR';
const order = { symbol, side: 'buy', price: decimal('5'), quantity: decimal('1') };
const AMOUNT = 'a Decimal or decimal text above zero of at most 64 characters';
const MOMENT = 'whole milliseconds since epoch, a Date, or text such as 2026-11-01 or 2026-11-01T09:30:00+05:30';

test.each<[string, unknown, string]>([
  ['orderBook', { symbol: 'BTCINR' }, 'symbol is "BTCINR"; expected BASE/QUOTE in upper case.'],
  ['orderBook', 'BTC/INR', 'the argument is "BTC/INR"; expected an object with symbol, limit.'],
  ['orderBook', undefined, 'the argument is missing; expected an object with symbol, limit.'],
  ['orderBook', [symbol], 'the argument is a list; expected an object with symbol, limit.'],
  ['orderBook', { symbol: null }, 'symbol is null; expected BASE/QUOTE in upper case.'],
  ['orderBook', { symbol, limit: 51 }, 'limit is 51; expected a whole number from 1 to 50.'],
  ['orderBook', { symbol, limit: '5' }, 'limit is "5"; expected a whole number from 1 to 50.'],
  ['orderBook', { symbol, limit: 0.5 }, 'limit is 0.5; expected a whole number from 1 to 50.'],
  ['orderBook', { symbol, depth: 5 }, 'depth is 5; expected only symbol, limit.'],
  ['orderBook', { symbol: 'BTC/INR\n' }, 'symbol is "BTC/INR\\n"; expected BASE/QUOTE in upper case.'],
  ['orderBook', { symbol: 'hush-hush' }, 'symbol is "[secret]"; expected BASE/QUOTE in upper case.'],
  [
    'orderBook',
    { symbol: 'hush-hush/hush-hush key-of-a-test' },
    'symbol is "[secret]/[secret] [secret]"; expected BASE/QUOTE in upper case.',
  ],
  ['orderBook', { symbol: 'x'.repeat(500) }, `symbol is "${'x'.repeat(59)}…; expected BASE/QUOTE in upper case.`],
  ['tickers', null, 'the argument is null; expected an object with symbol.'],
  ['legacyDepth', { symbol: '' }, 'symbol is ""; expected BASE/QUOTE in upper case.'],
  ['assets', { asset: 'btc' }, 'asset is "btc"; expected an asset in upper case.'],
  ['wallet', { omitZeroBalances: 'no' }, 'omitZeroBalances is "no"; expected true or false.'],
  ['symbols options', { symbol }, 'symbol is "BTC/INR"; expected only signal, timeoutMs, retry.'],
  ['symbols options', { retry: 0.5 }, 'retry is 0.5; expected a whole number from 0 to 100.'],
  ['symbols options', { timeoutMs: '5' }, 'timeoutMs is "5"; expected milliseconds from 1 to 2147483647.'],
  [
    'symbols options',
    { signal: new AbortController() },
    'signal is an object that is not plain; expected an AbortSignal.',
  ],
  ['cryptoDeposits', { asset: 'B TC' }, 'asset is "B TC"; expected an asset in upper case.'],
  ['cryptoDeposits', { status: 'rejected' }, 'status is "rejected"; expected "success", "pending" or "failed".'],
  ['cryptoDeposits', { status: 'PENDING' }, 'status is "PENDING"; expected "success", "pending" or "failed".'],
  ['fiatDeposits', { asset: 'INR' }, 'asset is "INR"; expected only status, time, limit.'],
  ['fiatDeposits', { time: { by: 'start', startTime: -1 } }, `time.startTime is -1; expected ${MOMENT}.`],
  [
    'fiatDeposits',
    { time: { by: 'start', startTime: 1e16 } },
    `time.startTime is 10000000000000000; expected ${MOMENT}.`,
  ],
  ['fiatDeposits', { time: { by: 'start', startTime: 5n } }, `time.startTime is 5; expected ${MOMENT}.`],
  ['fiatDeposits', { time: { by: 'day' } }, 'time.by is "day"; expected "all", "start", "end" or "range".'],
  [
    'fiatDeposits',
    { time: { by: 'range', range: { startTime: 5, endTime: 4 } } },
    'time.range.endTime is 4; expected startTime (5) or later.',
  ],
  ['spotTrades', { symbol, filter: { by: 'end', endTime: Number.NaN } }, `filter.endTime is NaN; expected ${MOMENT}.`],
  ['spotTrades', { symbol, filter: { by: 'end', endTime: 1.5 } }, `filter.endTime is 1.5; expected ${MOMENT}.`],
  [
    'spotTrades',
    { symbol, filter: { by: 'from-id', fromId: '1-2' } },
    'filter.fromId is "1-2"; expected a text of plain digits.',
  ],
  [
    'spotTrades',
    { symbol, filter: { by: 'from-id', fromId: 7 } },
    'filter.fromId is 7; expected a text of plain digits.',
  ],
  [
    'spotTrades',
    { symbol, filter: { by: 'order', orderId: '1-7-1', startTime: 5 } },
    'filter.startTime is 5; expected only by, orderId.',
  ],
  [
    'spotTradesHistorical',
    { symbol, filter: { by: 'window', window: { startTime: 0, endTime: 259_200_001 } } },
    'filter.window.endTime is 259200001; expected startTime (0) or at most 72 hours later.',
  ],
  ['spotTrades', { symbol, orderId: '1-7-1' }, 'orderId is "1-7-1"; expected only symbol, filter, limit.'],
  ['sbsTrades', { symbol, orderId: '1-7-1' }, 'orderId is "1-7-1"; expected a text of plain digits.'],
  ['sbsTrades', { symbol: 'BTC/USDT' }, 'symbol is "BTC/USDT"; expected COIN/INR in upper case.'],
  ['openOrders', { kind: 'cancel-all' }, 'kind is "cancel-all"; expected only symbol.'],
  ['createOrder', { ...order, side: 'BUY' }, 'side is "BUY"; expected "buy" or "sell".'],
  ['createOrder', { ...order, side: undefined }, 'side is missing; expected "buy" or "sell".'],
  ['createOrder', { ...order, side: ['buy'] }, 'side is a list; expected "buy" or "sell".'],
  ['createOrder', { ...order, side: 'constructor' }, 'side is "constructor"; expected "buy" or "sell".'],
  ['createOrder', { ...order, price: '5 INR' }, `price is "5 INR"; expected ${AMOUNT}.`],
  ['createOrder', { ...order, price: new Date(0) }, `price is a Date; expected ${AMOUNT}.`],
  ['createOrder', { ...order, price: 5 }, `price is 5; expected ${AMOUNT}.`],
  ['createOrder', { ...order, price: decimal('0') }, `price is 0; expected ${AMOUNT}.`],
  ['createOrder', { ...order, price: new Decimal(Number.NaN) }, `price is NaN; expected ${AMOUNT}.`],
  ['createOrder', { ...order, price: new Decimal('Infinity') }, `price is Infinity; expected ${AMOUNT}.`],
  ['createOrder', { ...order, quantity: decimal('-1') }, `quantity is -1; expected ${AMOUNT}.`],
  ['createOrder', { ...order, quantity: new Foreign('-2') }, `quantity is -2; expected ${AMOUNT}.`],
  ['createOrder', { ...order, quantity: decimal('1e-9000000') }, `quantity is 1e-9000000; expected ${AMOUNT}.`],
  ['createOrder', { ...order, quantity: decimal('1e70') }, `quantity is 1e+70; expected ${AMOUNT}.`],
  ['createOrder', { ...order, postOnly: true }, 'postOnly is true; expected only symbol, side, price, quantity.'],
  ['createOrder', { ...order, 'hush-hush': 1 }, '[secret] is 1; expected only symbol, side, price, quantity.'],
  ['cancelOrder', { orderId: '1 2' }, 'orderId is "1 2"; expected a text of 1 to 64 characters without white space.'],
  ['cancelOrder', { orderId: 17 }, 'orderId is 17; expected a text of 1 to 64 characters without white space.'],
  ['cancelSymbol', { symbol: undefined }, 'symbol is missing; expected BASE/QUOTE in upper case.'],
  ['cancelAll options', { symbol }, 'symbol is "BTC/INR"; expected only signal, timeoutMs.'],
])('%s of %p', async (place, given, sentence) => {
  const [method = ''] = place.split(' ');
  expect(await toldOf(method, given)).toEqual({ sentence: `${place}: ${sentence}`, asked: [] });
});

describe('what is right', () => {
  test('leaves as it was asked', async () => {
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => expect(await sentenceOn(request)).toBeNull()),
      { numRuns: 1_000 },
    );
  });

  test('a decimal of another copy of decimal.js is the same number', async () => {
    const { asked } = await toldOf('createOrder', { ...order, price: new Foreign('5e-7') });
    expect(asked).toMatchObject([{ kind: 'create', order: { ...order, price: decimal('0.0000005') } }]);
  });

  test('a field that is undefined is absent', async () => {
    const { asked } = await toldOf('orderBook', { symbol, limit: undefined });
    expect(asked).toEqual([{ kind: 'order-book', symbol }]);
  });

  test('an order id of any shape that the exchange gave can be canceled', async () => {
    expect(await toldOf('cancelOrder', { orderId: '9007199254740993' })).toMatchObject({ sentence: null });
  });

  test('what the caller changes afterward is not what was asked', async () => {
    const { api, asked } = recordingApi();
    const changed = { symbol, side: 'buy' as 'buy' | 'sell', price: decimal('5'), quantity: decimal('1') };
    const answer = api.createOrder(changed);
    changed.side = 'sell';
    await answer;
    expect(asked).toMatchObject([{ order: { side: 'buy' } }]);
  });
});

test('no value of any kind gets past a method in another form, nor ends it but by a sentence', async () => {
  const methods = Object.keys(recordingApi().api);
  const values = fc.anything({ withBigInt: true, withNullPrototype: true, withDate: true, withMap: true });
  const given = fc.oneof(
    values,
    fc.dictionary(fc.constantFrom('symbol', 'side', 'price', 'quantity', 'orderId', 'filter', 'time', 'limit'), values),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...methods), given, async (method, value) => {
      const { sentence, asked } = await toldOf(method, value);
      if (sentence === null) return expect(asked).toHaveLength(1);
      expect(asked).toEqual([]);
      expect(sentence).toMatch(new RegExp(`^${method}(?: options)?: .* is .*; expected .*\\.$`));
    }),
    { numRuns: 2_000 },
  );
});

/** Objects whose fields are no fields of an argument. */
const NOT_PLAIN: readonly (readonly [string, object])[] = [
  ['a Map', new Map([['symbol', symbol]])],
  ['a promise', Promise.resolve({ symbol })],
  ['a boxed number', Object(5)],
  ['a query', new URLSearchParams({ symbol })],
  ['an inherited field', Object.create({ symbol })],
];

test.each(NOT_PLAIN)('%s is no argument, and no field of one', async (_name, value) => {
  for (const method of ['tickers', 'assets', 'openOrders', 'wallet', 'cryptoDeposits', 'fiatWithdrawals']) {
    const { sentence, asked } = await toldOf(method, value);
    expect(sentence).toMatch(`${method}: the argument is an object that is not plain; expected an object with `);
    expect(asked).toEqual([]);
  }
  const sentence = `createOrder: price is an object that is not plain; expected ${AMOUNT}.`;
  expect(await toldOf('createOrder', { ...order, price: value })).toEqual({ sentence, asked: [] });
  const { sentence: ofFilter } = await toldOf('spotTrades', { symbol, filter: value });
  expect(ofFilter).toMatch('spotTrades: filter');
});

test('an object without a prototype is plain', async () => {
  const { asked } = await toldOf('openOrders', Object.assign(Object.create(null), { symbol }));
  expect(asked).toEqual([{ kind: 'open-orders', symbol, stamp: expect.anything() }]);
});

test('the error is one of the program', async () => {
  const { api } = recordingApi();
  await expect(api.orderBook({ symbol: 'x' })).rejects.toThrow(ArgumentError);
});
