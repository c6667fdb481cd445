// A number that is too large is called too large, with the code of its parameter; a missing timestamp and an empty
// one are alike.
import { expect, test } from '@jest/globals';
import { orderBody, type RequestOptions, requestFor, SmallExchange, START } from './small-exchange.ts';

type Name = Parameters<typeof requestFor>[0];

const LONG = '1'.repeat(400);
const order = (change: Record<string, string>): RequestOptions => ({ body: { ...orderBody('BUY 1 @ 1'), ...change } });
const trades = (query: Record<string, string>): RequestOptions => ({ query: { symbol: 'BTC/INR', ...query } });

test.each<[Name, RequestOptions, string]>([
  ['create', order({ price: LONG }), '400 {"code":-1114,"msg":"The price is too large."}'],
  ['create', order({ price: '9'.repeat(17) }), '400 {"code":-1114,"msg":"The price is too large."}'],
  ['create', order({ quantity: LONG }), '400 {"code":-1115,"msg":"The quantity is too large."}'],
  ['create', order({ quantity: '9'.repeat(17) }), '400 {"code":-1115,"msg":"The quantity is too large."}'],
  ['order-book', trades({ limit: '51' }), '400 {"code":-1105,"msg":"The limit is too large: at most 50."}'],
  ['order-book', trades({ limit: '1e30' }), '400 {"code":-1105,"msg":"The limit is too large: at most 50."}'],
  ['order-book', trades({ limit: LONG }), '400 {"code":-1105,"msg":"The limit is too large: at most 50."}'],
  [
    'wallet',
    { query: { recvWindow: '60001' } },
    '400 {"code":-1023,"msg":"The recvWindow is too large: at most 60000."}',
  ],
  ['wallet', { query: { recvWindow: LONG } }, '400 {"code":-1023,"msg":"The recvWindow is too large: at most 60000."}'],
  ...['1700000000000000', LONG, '1e30'].map((startTime): [Name, RequestOptions, string] => [
    'spot-trades',
    trades({ startTime }),
    '400 {"code":-1107,"msg":"A start or end time is too large: it is not in milliseconds since epoch."}',
  ]),
  ['spot-trades', trades({ fromId: LONG }), '500 {"code":-1009,"msg":"fromId is too large: at most 40 digits."}'],
  [
    'cancel',
    { body: { order_id: `1-${LONG}-1` } },
    '400 {"code":-1124,"msg":"The number of the order id is too large: at most 40 digits."}',
  ],
  ['sbs-trades', trades({ orderId: LONG }), '400 {"code":-1124,"msg":"The order id is too large: at most 40 digits."}'],
])('%s with %j: %s', (name, options, expected) => {
  const { status, body } = new SmallExchange().send(requestFor(name, options, START));
  expect(`${status} ${body}`).toBe(expected);
});

/** The wallet, asked for with another timestamp; `null` leaves it out. */
function walletAt(timestamp: string | null): string {
  const request = requestFor('wallet', {}, START);
  const query = request.query.replace(/timestamp=\d+/, timestamp === null ? '' : `timestamp=${timestamp}`);
  const { status, body } = new SmallExchange().send({ ...request, query });
  return `${status} ${body}`;
}

test.each(['1700000000000000', LONG, '1e30'])('a timestamp of %s', (timestamp) => {
  expect(walletAt(timestamp)).toBe(
    '400 {"code":-1106,"msg":"The timestamp is too large: it is not in milliseconds since epoch."}',
  );
});

test('a timestamp that is missing and one that is empty get the same answer', () => {
  const answers = [walletAt(null), walletAt('')];
  expect(answers[0]).toBe('400 {"code":-1106,"msg":"The timestamp is required: milliseconds since epoch."}');
  expect(answers[1]).toBe(answers[0]);
});
