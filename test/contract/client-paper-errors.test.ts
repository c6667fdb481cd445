// Every error code that the exchange can answer with, provoked over the socket: how the client classifies it, and what the
// program does about it. A row says what is sent, by whom, and the verdict; none of the requests may change anything.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../src/domain/decimal.ts';
import { orderId, tradeId } from '../../src/domain/ids.ts';
import { InvariantViolation } from '../../src/domain/invariant.ts';
import { ERROR_CODES } from '../../src/venue/error-codes.ts';
import type { SpotTradesFilter, Stamp, VenueRequest } from '../../src/venue/requests.ts';
import { type ClientOptions, paperKit } from './client-paper-kit.ts';
import { ELSEWHERE, HERE, READER, STRANGER } from './client-paper-market.ts';
import { type Tamper, withBody, withFields, withHeaders, withPath, withQuery, withUrl } from './client-paper-tamper.ts';
import { orderOf, verdictOf } from './client-paper-words.ts';

const kit = paperKit();
const symbol = 'BTC/INR';
const seen = new Set<number>();

type Ask = (stamp: Stamp) => VenueRequest;
const GOOD = 'BUY 0.00100 @ 4000000.00';
const create =
  (order: string = GOOD): Ask =>
  (stamp) => ({ kind: 'create', order: orderOf(order), stamp });
const wallet: Ask = (stamp) => ({ kind: 'wallet', stamp });
const openOrders =
  (scope: string): Ask =>
  (stamp) => ({ kind: 'open-orders', symbol: scope, stamp });
const fills =
  (filter: SpotTradesFilter, more: { limit?: number; symbol?: string } = {}): Ask =>
  (stamp) => ({ kind: 'spot-trades', symbol, filter, limit: 50, ...more, stamp });
const cancel =
  (id: string): Ask =>
  (stamp) => ({ kind: 'cancel', orderId: orderId(id), stamp });
const cancelSymbol =
  (scope: string): Ask =>
  (stamp) => ({ kind: 'cancel-symbol', symbol: scope, stamp });
const cancelAll: Ask = (stamp) => ({ kind: 'cancel-all', stamp });
const at =
  (ask: Ask, change: (stamp: Stamp) => Partial<Stamp>): Ask =>
  (stamp) =>
    ask({ ...stamp, ...change(stamp) });
const book =
  (scope: string, limit = 50): Ask =>
  () => ({ kind: 'order-book', symbol: scope, limit });

/** Sends it and says what became of it; afterwards the account must be as it was. */
async function verdict(ask: Ask, options: ClientOptions = {}): Promise<string> {
  const meeting = await kit.meet();
  const before = (await meeting.truth()).accounts;
  const client = meeting.client(options);
  const completed = await client.perform(ask(client.stamp()));
  expect((await meeting.truth()).accounts).toEqual(before);
  const { outcome } = completed;
  if (outcome.kind === 'rejected') {
    expect(outcome.msg).toMatch(/^\S.*\.$/);
    seen.add(outcome.code);
  }
  if (outcome.kind === 'unknown' && outcome.fault.code !== undefined) seen.add(outcome.fault.code);
  return verdictOf(completed);
}

describe('who may ask: the same for reads, creates and cancels', () => {
  const asks: readonly (readonly [string, Ask])[] = [
    ['a read', wallet],
    ['a create', create()],
    ['a cancel', cancelAll],
  ];
  const whoever: readonly (readonly [string, ClientOptions, string])[] = [
    ['no key', { settings: { apiKeyHeader: 'X-OTHER-APIKEY' } }, '403 -1001 stop-all'],
    ['the signature in a header', { settings: { signatureIn: { header: 'X-SIGNATURE' } } }, '403 -1001 stop-all'],
    ['a key that nobody has', { key: STRANGER }, '403 -2015 stop-all'],
    ['a key of another address', { key: ELSEWHERE }, '403 -1015 stop-all'],
    ['a wrong secret', { key: { ...HERE, secret: STRANGER.secret } }, '403 -1022 stop-all'],
    ['a parameter that was not signed', { tamper: withUrl((url) => `${url}&extra=1`) }, '403 -1022 stop-all'],
    ['two timestamps', { tamper: withUrl((url) => `${url}&timestamp=1`) }, '400 -1106 sync-clock'],
    ['a path that is not there', { tamper: withPath('/api/v2/wallet') }, '404 -1404 stop-all'],
  ];

  test.each(
    asks.flatMap(([what, ask]) => whoever.map(([who, options, code]) => [what, who, ask, options, code] as const)),
  )('%s with %s', async (_what, _who, ask, options, code) => {
    expect(await verdict(ask, options)).toBe(`rejected ${code}`);
  });

  test.each<[string, Ask, string]>([
    ['open orders', openOrders(symbol), 'rejected 403 -2003 stop-all'],
    ['own trades', fills({ by: 'symbol' }), 'rejected 403 -2003 stop-all'],
    ['a create', create(), 'rejected 403 -2003 stop-all'],
    ['cancel-all', cancelAll, 'rejected 403 -2003 stop-all'],
    ['the wallet', wallet, 'read'],
  ])('a key that may only read the wallet: %s', async (_what, ask, expected) => {
    expect(await verdict(ask, { key: READER })).toBe(expected);
  });

  test('a key of this address', async () => {
    expect(await verdict(wallet, { key: HERE })).toBe('read');
  });
});

describe('stamps', () => {
  const rejected = (code: string) => [`rejected ${code}`, `rejected ${code}`, `rejected ${code}`];

  test.each<[string, (stamp: Stamp) => Partial<Stamp>, readonly string[]]>([
    ['ten seconds old', ({ timestamp }) => ({ timestamp: timestamp - 10_000 }), rejected('400 -1021 sync-clock')],
    ['ten seconds early', ({ timestamp }) => ({ timestamp: timestamp + 10_000 }), rejected('400 -1021 sync-clock')],
    ['in seconds', ({ timestamp }) => ({ timestamp: Math.floor(timestamp / 1_000) }), rejected('400 -1021 sync-clock')],
    ['negative', () => ({ timestamp: -1 }), rejected('400 -1106 sync-clock')],
    ['with a fraction', ({ timestamp }) => ({ timestamp: timestamp + 0.5 }), rejected('400 -1106 sync-clock')],
    ['not a number', () => ({ timestamp: Number.NaN }), rejected('400 -1106 sync-clock')],
    ['of no width', () => ({ recvWindow: 0 }), rejected('400 -1023 stop-all')],
    ['wider than a minute', () => ({ recvWindow: 60_001 }), rejected('400 -1023 stop-all')],
    [
      'a minute wide',
      ({ timestamp }) => ({ timestamp: timestamp - 50_000, recvWindow: 60_000 }),
      ['read', 'read', 'read'],
    ],
  ])('%s', async (_what, change, expected) => {
    const [read] = [await verdict(at(wallet, change))];
    if (expected[0] === 'read') return expect(read).toBe('read');
    expect([read, await verdict(at(create(), change)), await verdict(at(cancelAll, change))]).toEqual(expected);
  });
});

describe('what the client can ask and the exchange refuses', () => {
  const HOUR = 3_600_000;
  const window = (startTime: number, endTime: number): Ask => fills({ by: 'window', startTime, endTime });

  test.each<[string, Ask, string]>([
    ['cancel without an id', cancel(''), '400 -1102 fix-request'],
    ['cancel of an id of another shape', cancel('9007199254740993'), '400 -1124 fix-request'],
    ['cancel of an id of 41 digits', cancel(`1-${'9'.repeat(41)}-1`), '400 -1124 fix-request'],
    ['cancel-symbol without one', cancelSymbol(''), '400 -1103 fix-request'],
    ['cancel-symbol in small letters', cancelSymbol('btc/inr'), '400 -1123 stop-symbol'],
    ['cancel-symbol of what is not traded', cancelSymbol('XRP/INR'), '400 -1121 stop-symbol'],
    ['open orders of what is not traded', openOrders('XRP/INR'), '400 -1121 stop-symbol'],
    ['open orders of no symbol', openOrders('BTCINR'), '400 -1123 stop-symbol'],
    ['own trades of what is not traded', fills({ by: 'symbol' }, { symbol: 'XRP/INR' }), '400 -1121 stop-symbol'],
    ['own trades without a symbol', fills({ by: 'symbol' }, { symbol: '' }), '400 -1103 fix-request'],
    ['own trades of an order of another shape', fills({ by: 'order', orderId: orderId('x') }), '400 -1124 fix-request'],
    ['own trades that end before they start', window(2_000, 1_000), '400 -1107 fix-request'],
    ['own trades of more than 72 hours', window(0, 72 * HOUR + 1), '400 -1107 fix-request'],
    ['own trades from a start that is no moment', fills({ by: 'start', startTime: -1 }), '400 -1107 fix-request'],
    [
      'own trades from an id that is no number',
      fills({ by: 'from-id', fromId: tradeId('x') }),
      '500 -1009 fix-request',
    ],
    ['51 own trades', fills({ by: 'symbol' }, { limit: 51 }), '400 -1105 fix-request'],
    ['no own trades', fills({ by: 'symbol' }, { limit: 0 }), '400 -1105 fix-request'],
    ['51 levels', book(symbol, 51), '400 -1105 fix-request'],
    ['half a level', book(symbol, 0.5), '400 -1105 fix-request'],
    ['a number of levels that is none', book(symbol, Number.NaN), '400 -1104 fix-request'],
    ['a book without a symbol', book(''), '400 -1103 fix-request'],
    ['a book of what is not traded', book('XRP/INR'), '400 -1121 stop-symbol'],
    ['tickers of no symbol', () => ({ kind: 'tickers', symbol: 'BTC-INR' }), '400 -1123 stop-symbol'],
    [
      'trades of what is not traded',
      () => ({ kind: 'public-trades', symbol: 'A/B', limit: 1 }),
      '400 -1121 stop-symbol',
    ],
  ])('%s', async (_what, ask, code) => {
    expect(await verdict(ask)).toBe(`rejected ${code}`);
  });

  test.each([
    ['of what is not traded', 'BUY 0.00100 @ 4000000.00 XRP/INR', '400 -1121 stop-symbol'],
    ['of no symbol', 'BUY 0.00100 @ 4000000.00 BTCINR', '400 -1123 stop-symbol'],
    ['for nothing', 'BUY 0.00100 @ 0', '400 -1114 fix-request'],
    ['at a negative price', 'BUY 0.00100 @ -5', '400 -1114 fix-request'],
    ['off the tick', 'BUY 0.00100 @ 4000000.001', '400 -1114 fix-request'],
    ['a hair off the tick', 'BUY 0.00100 @ 4000000.000000000000000000000001', '400 -1114 fix-request'],
    ['of nothing', 'BUY 0 @ 4000000.00', '400 -1115 fix-request'],
    ['of less than nothing', 'BUY -1 @ 4000000.00', '400 -1115 fix-request'],
    ['off the lot', 'SELL 0.000015 @ 4000000.00', '400 -1115 fix-request'],
    ['of too little', 'BUY 0.00001 @ 100.00', '400 -1115 fix-request'],
    ['of more lots than can be counted', 'BUY 99999999999999999999 @ 4000000.00', '400 -1115 fix-request'],
  ])('a create %s', async (_what, order, code) => {
    expect(await verdict(create(order))).toBe(`rejected ${code}`);
  });

  test.each(['BUY 0.00100 @ NaN', 'BUY 0.00100 @ Infinity', 'SELL NaN @ 4000000.00'])(
    'a create %s is a bug, and never leaves',
    async (order) => {
      let sent = 0;
      const tamper: Tamper = (request) => {
        sent += 1;
        return request;
      };
      await expect(verdict(create(order), { tamper })).rejects.toThrow(InvariantViolation);
      expect(sent).toBe(0);
    },
  );

  test('a create that the account can’t pay for is said not to have happened, without a code', async () => {
    expect(await verdict(create('BUY 2.00000 @ 5000000.00'))).toBe('soft-rejected');
    expect(await verdict(create('SELL 10.00001 @ 5000000.00'))).toBe('soft-rejected');
  });
});

describe('what the client never asks', () => {
  const own = fills({ by: 'symbol' });

  test.each<[string, Ask, Tamper, string]>([
    [
      'parameters of trades that exclude each other',
      own,
      withQuery({ orderId: '1-1-1', fromId: '1' }),
      '400 -1109 fix-request',
    ],
    ['fromId and a time', own, withQuery({ fromId: '1', startTime: '1' }), '400 -1109 fix-request'],
    ['orderId and a time', own, withQuery({ orderId: '1-1-1', endTime: '1' }), '400 -1109 fix-request'],
    ['a limit in words', own, withQuery({ limit: 'many' }), '400 -1104 fix-request'],
    ['no symbol', own, withQuery({ symbol: null }), '400 -1103 fix-request'],
    ['omitZeroBalances: maybe', wallet, withQuery({ omitZeroBalances: 'maybe' }), '500 -1009 fix-request'],
    ['symbols with a parameter', () => ({ kind: 'symbols' }), withQuery({ limit: '5' }), '500 -1009 fix-request'],
    ['no timestamp', wallet, withQuery({ timestamp: null }), '403 -1001 stop-all'],
    ['a timestamp in words', wallet, withQuery({ timestamp: 'now' }), '400 -1106 sync-clock'],
    ['a recvWindow in words', wallet, withQuery({ recvWindow: 'long' }), '400 -1023 stop-all'],
    ['a create that does neither', create(), withFields({ action: 'HOLD' }), '400 -1112 fix-request'],
    ['a create of a MARKET order', create(), withFields({ type: 'MARKET' }), '400 -1113 fix-request'],
    ['a create without a price', create(), withFields({ price: null }), '400 -1114 fix-request'],
    ['a create with a price in exponents', create(), withFields({ price: '4e6' }), '400 -1114 fix-request'],
    ['a create without a quantity', create(), withFields({ quantity: null }), '400 -1115 fix-request'],
    ['a create without a symbol', create(), withFields({ symbol: null }), '400 -1103 fix-request'],
    ['a cancel without an id', cancel('1-1-1'), withFields({ order_id: null }), '400 -1102 fix-request'],
    ['a body other than the one that was signed', create(), withBody('{"symbol":"ETH/INR"}'), '403 -1022 stop-all'],
    ['another method', create(), (request) => ({ ...request, method: 'GET', body: null }), '404 -1404 stop-all'],
    ['a body that is too large', create(), withBody(' '.repeat(70_000)), '413 -1009 fix-request'],
  ])('%s', async (_what, ask, tamper, code) => {
    const expected = code.startsWith('413') ? 'unknown 413 -1009' : `rejected ${code}`;
    expect(await verdict(ask, { tamper })).toBe(expected);
  });

  // 500 -1009 says "route validation failed": no proof for a create or a cancel, however plain it is what was wrong.
  test.each<[string, Ask, Tamper]>([
    ['a create that is no JSON', create(), withBody('{"symbol":')],
    ['a create that is a list', create(), withBody('[]')],
    ['a create that says it is text', create(), withHeaders({ 'content-type': 'text/plain' })],
    ['a cancel that is no JSON', cancel('1-1-1'), withBody('nothing')],
    ['a query that can’t be decoded', create(), withUrl((url) => url.replace('timestamp=', 'timestamp=%zz'))],
  ])('%s', async (_what, ask, tamper) => {
    expect(await verdict(ask, { tamper })).toBe('unknown 500 -1009');
  });
});

test('a cancel of an order that never was', async () => {
  expect(await verdict(cancel('1-1-1'))).toBe('unknown 500 -5014');
});

// Looks at what the rows above have seen: it means nothing when they are not run.
test('no code that the exchange can answer with was forgotten', () => {
  const elsewhere = [-1003, -1125, -5013]; // client-paper-limits and client-paper-orders
  const never = ERROR_CODES.map(({ code }) => code).filter((code) => !seen.has(code) && !elsewhere.includes(code));
  expect(never).toEqual([
    ...[-1000, -1108, -1111, -1122, -2004, -3000, -4001],
    ...[-5001, -5002, -5003, -5004, -5005, -5006, -5007, -5008, -5009, -5010, -5011, -5012, -5015],
  ]);
});

test('decimal texts reach the exchange in plain notation', async () => {
  const meeting = await kit.meet();
  const order = { symbol: 'ETH/BTC', side: 'buy', price: decimal('1e-5'), quantity: decimal('1e3') } as const;
  const client = meeting.client();
  expect(verdictOf(await client.perform({ kind: 'create', order, stamp: client.stamp() }))).toBe('accepted');
  expect((await meeting.truth()).accounts[0]?.orders).toMatchObject([{ price: '0.00001', origQty: '1000' }]);
});
