// Every error code that the exchange can answer with, provoked over the socket: how the client classifies it, and what
// the program does about it. A row says what is sent, by whom, and the verdict; none of the requests may change
// anything.
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
  (filter: SpotTradesFilter, more: { symbol?: string } = {}): Ask =>
  (stamp) => ({ kind: 'spot-trades', symbol, filter, limit: 50, ...more, stamp });
const cancel =
  (id: string): Ask =>
  (stamp) => ({ kind: 'cancel', orderId: orderId(id), stamp });
const cancelSymbol =
  (scope: string): Ask =>
  (stamp) => ({ kind: 'cancel-symbol', symbol: scope, stamp });
const deposits =
  (filter: { asset: string }): Ask =>
  (stamp) => ({ kind: 'crypto-deposits', filter: { time: { by: 'all' }, ...filter }, stamp });
const sbs =
  (scope: string): Ask =>
  (stamp) => ({ kind: 'sbs-trades', symbol: scope, filter: { time: { by: 'all' } }, stamp });
const cancelAll: Ask = (stamp) => ({ kind: 'cancel-all', stamp });
const at =
  (ask: Ask, change: (stamp: Stamp) => Partial<Stamp>): Ask =>
  (stamp) =>
    ask({ ...stamp, ...change(stamp) });
const book =
  (scope: string): Ask =>
  () => ({ kind: 'order-book', symbol: scope, limit: 50 });

/** Sends it and says what became of it; afterward the account must be as it was. */
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
    ['-1001 no key', { settings: { apiKeyHeader: 'X-OTHER-APIKEY' } }, '403 -1001 stop-all'],
    ['-1001 the signature in a header', { settings: { signatureIn: { header: 'X-SIGNATURE' } } }, '403 -1001 stop-all'],
    ['-2015 a key that nobody has', { key: STRANGER }, '403 -2015 stop-all'],
    ['-1015 a key of another address', { key: ELSEWHERE }, '403 -1015 stop-all'],
    ['-1022 a wrong secret', { key: { ...HERE, secret: STRANGER.secret } }, '403 -1022 stop-all'],
    ['-1022 a parameter that was not signed', { tamper: withUrl((url) => `${url}&extra=1`) }, '403 -1022 stop-all'],
    ['-1106 two timestamps', { tamper: withUrl((url) => `${url}&timestamp=1`) }, '400 -1106 sync-clock'],
    ['-1404 a path that is not there', { tamper: withPath('/api/v2/wallet') }, '404 -1404 stop-all'],
  ];

  test.each(
    whoever.flatMap(([who, options, code]) => asks.map(([what, ask]) => [who, what, ask, options, code] as const)),
  )('%s: %s', async (_who, _what, ask, options, code) => {
    expect(await verdict(ask, options)).toBe(`rejected ${code}`);
  });

  test.each<[string, Ask, string]>([
    ['-2003 open orders', openOrders(symbol), 'rejected 403 -2003 stop-all'],
    ['-2003 own trades', fills({ by: 'symbol' }), 'rejected 403 -2003 stop-all'],
    ['-2003 a create', create(), 'rejected 403 -2003 stop-all'],
    ['-2003 cancel-all', cancelAll, 'rejected 403 -2003 stop-all'],
    ['the wallet', wallet, 'read'],
  ])('%s, with a key that may only read the wallet', async (_what, ask, expected) => {
    expect(await verdict(ask, { key: READER })).toBe(expected);
  });

  test('a key of this address', async () => {
    expect(await verdict(wallet, { key: HERE })).toBe('read');
  });
});

describe('stamps', () => {
  const rejected = (code: string) => [`rejected ${code}`, `rejected ${code}`, `rejected ${code}`];

  test.each<[string, (stamp: Stamp) => Partial<Stamp>, readonly string[]]>([
    [
      '-1021 ten seconds old',
      ({ timestamp }) => ({ timestamp: timestamp - 10_000, recvWindow: 1_000 }),
      rejected('400 -1021 sync-clock'),
    ],
    [
      '-1021 ten seconds early',
      ({ timestamp }) => ({ timestamp: timestamp + 10_000, recvWindow: 1_000 }),
      rejected('400 -1021 sync-clock'),
    ],
    [
      '-1021 in seconds',
      ({ timestamp }) => ({ timestamp: Math.floor(timestamp / 1_000) }),
      rejected('400 -1021 sync-clock'),
    ],
    ['-1106 negative', () => ({ timestamp: -1 }), rejected('400 -1106 sync-clock')],
    ['-1106 with a fraction', ({ timestamp }) => ({ timestamp: timestamp + 0.5 }), rejected('400 -1106 sync-clock')],
    ['-1106 not a number', () => ({ timestamp: Number.NaN }), rejected('400 -1106 sync-clock')],
    ['-1023 of no width', () => ({ recvWindow: 0 }), rejected('400 -1023 stop-all')],
    ['-1023 wider than a minute', () => ({ recvWindow: 60_001 }), rejected('400 -1023 stop-all')],
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
  test.each<[string, Ask, string]>([
    ['-1102 a cancel without an id', cancel(''), '400 -1102 fix-request'],
    ['-1124 a cancel of an id of another shape', cancel('9007199254740993'), '400 -1124 fix-request'],
    ['-1124 a cancel of an id of 41 digits', cancel(`1-${'9'.repeat(41)}-1`), '400 -1124 fix-request'],
    ['-1103 cancel-symbol without one', cancelSymbol(''), '400 -1103 fix-request'],
    ['-1123 cancel-symbol in small letters', cancelSymbol('btc/inr'), '400 -1123 stop-symbol'],
    ['-1121 cancel-symbol of what is not traded', cancelSymbol('XRP/INR'), '400 -1121 stop-symbol'],
    ['-1121 open orders of what is not traded', openOrders('XRP/INR'), '400 -1121 stop-symbol'],
    ['-1123 open orders of no symbol', openOrders('BTCINR'), '400 -1123 stop-symbol'],
    ['-1121 own trades of what is not traded', fills({ by: 'symbol' }, { symbol: 'XRP/INR' }), '400 -1121 stop-symbol'],
    ['-1103 own trades without a symbol', fills({ by: 'symbol' }, { symbol: '' }), '400 -1103 fix-request'],
    [
      '-1124 own trades of an order of another shape',
      fills({ by: 'order', orderId: orderId('x') }),
      '400 -1124 fix-request',
    ],
    ['-1107 own trades from a start that is no moment', fills({ by: 'start', startTime: -1 }), '400 -1107 fix-request'],
    [
      '-1009 own trades from an id that is no number',
      fills({ by: 'from-id', fromId: tradeId('x') }),
      '500 -1009 fix-request',
    ],
    ['-1103 a book without a symbol', book(''), '400 -1103 fix-request'],
    ['-1121 a book of what is not traded', book('XRP/INR'), '400 -1121 stop-symbol'],
    ['-1123 tickers of no symbol', () => ({ kind: 'tickers', symbol: 'BTC-INR' }), '400 -1123 stop-symbol'],
    ['-1121 trades of what is not traded', () => ({ kind: 'public-trades', symbol: 'A/B' }), '400 -1121 stop-symbol'],
    ['-1111 an asset in small letters', () => ({ kind: 'assets', asset: 'btc' }), '400 -1111 fix-request'],
    ['-1122 an asset that is not listed', () => ({ kind: 'assets', asset: 'XRP' }), '400 -1122 fix-request'],
    ['-1111 deposits of an asset with a space', deposits({ asset: 'B C' }), '400 -1111 fix-request'],
    ['-1122 deposits of an asset that is not listed', deposits({ asset: 'XRP' }), '400 -1122 fix-request'],
    ['-1123 simple trades of no symbol', sbs('BTC'), '400 -1123 stop-symbol'],
    ['-1121 simple trades against another asset than INR', sbs('ETH/BTC'), '400 -1121 stop-symbol'],
  ])('%s', async (_what, ask, code) => {
    expect(await verdict(ask)).toBe(`rejected ${code}`);
  });

  test.each([
    ['-1121 a create of what is not traded', 'BUY 0.00100 @ 4000000.00 XRP/INR', '400 -1121 stop-symbol'],
    ['-1123 a create of no symbol', 'BUY 0.00100 @ 4000000.00 BTCINR', '400 -1123 stop-symbol'],
    ['-1114 a create for nothing', 'BUY 0.00100 @ 0', '400 -1114 fix-request'],
    ['-1114 a create at a negative price', 'BUY 0.00100 @ -5', '400 -1114 fix-request'],
    ['-1114 a create off the tick', 'BUY 0.00100 @ 4000000.001', '400 -1114 fix-request'],
    ['-1114 a create a hair off the tick', 'BUY 0.00100 @ 4000000.000000000000000000000001', '400 -1114 fix-request'],
    ['-1115 a create of nothing', 'BUY 0 @ 4000000.00', '400 -1115 fix-request'],
    ['-1115 a create of less than nothing', 'BUY -1 @ 4000000.00', '400 -1115 fix-request'],
    ['-1115 a create off the lot', 'SELL 0.000015 @ 4000000.00', '400 -1115 fix-request'],
    ['-1115 a create of too little', 'BUY 0.00001 @ 100.00', '400 -1115 fix-request'],
    [
      '-1115 a create of more lots than can be counted',
      'BUY 99999999999999999999 @ 4000000.00',
      '400 -1115 fix-request',
    ],
  ])('%s', async (_what, order, code) => {
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
  const deposited: Ask = (stamp) => ({ kind: 'crypto-deposits', filter: { time: { by: 'all' } }, stamp });
  const TOO_LATE = String(72 * 3_600_000 + 1);

  test.each<[string, Ask, Tamper, string]>([
    [
      '-1109 parameters of trades that exclude each other',
      own,
      withQuery({ orderId: '1-1-1', fromId: '1' }),
      '400 -1109 fix-request',
    ],
    ['-1109 fromId and a time', own, withQuery({ fromId: '1', startTime: '1' }), '400 -1109 fix-request'],
    ['-1109 orderId and a time', own, withQuery({ orderId: '1-1-1', endTime: '1' }), '400 -1109 fix-request'],
    [
      '-1107 own trades that end before they start',
      own,
      withQuery({ startTime: '2', endTime: '1' }),
      '400 -1107 fix-request',
    ],
    [
      '-1107 own trades of more than 72 hours',
      own,
      withQuery({ startTime: '0', endTime: TOO_LATE }),
      '400 -1107 fix-request',
    ],
    [
      '-1107 deposits that end before they start',
      deposited,
      withQuery({ startTime: '2', endTime: '1' }),
      '400 -1107 fix-request',
    ],
    [
      '-1107 simple trades of more than 72 hours',
      sbs(symbol),
      withQuery({ startTime: '0', endTime: TOO_LATE }),
      '400 -1107 fix-request',
    ],
    ['-1108 deposits of a status that is none', deposited, withQuery({ status: 'LOST' }), '400 -1108 fix-request'],
    ['-1108 crypto deposits that were rejected', deposited, withQuery({ status: 'REJECTED' }), '400 -1108 fix-request'],
    ['-1105 51 own trades', own, withQuery({ limit: '51' }), '400 -1105 fix-request'],
    ['-1105 no own trades', own, withQuery({ limit: '0' }), '400 -1105 fix-request'],
    ['-1105 51 levels', book(symbol), withQuery({ limit: '51' }), '400 -1105 fix-request'],
    ['-1105 half a level', book(symbol), withQuery({ limit: '0.5' }), '400 -1105 fix-request'],
    ['-1105 fewer deposits than none', deposited, withQuery({ limit: '-1' }), '400 -1105 fix-request'],
    ['-1104 a number of levels that is none', book(symbol), withQuery({ limit: 'NaN' }), '400 -1104 fix-request'],
    ['-1104 deposits without end', deposited, withQuery({ limit: 'all' }), '400 -1104 fix-request'],
    ['-1104 a limit in words', own, withQuery({ limit: 'many' }), '400 -1104 fix-request'],
    ['-1103 no symbol', own, withQuery({ symbol: null }), '400 -1103 fix-request'],
    ['-1009 omitZeroBalances: maybe', wallet, withQuery({ omitZeroBalances: 'maybe' }), '500 -1009 fix-request'],
    ['-1009 symbols with a parameter', () => ({ kind: 'symbols' }), withQuery({ limit: '5' }), '500 -1009 fix-request'],
    ['-1106 no timestamp', wallet, withQuery({ timestamp: null }), '400 -1106 sync-clock'],
    ['-1106 an empty timestamp', wallet, withQuery({ timestamp: '' }), '400 -1106 sync-clock'],
    ['-1106 a timestamp in words', wallet, withQuery({ timestamp: 'now' }), '400 -1106 sync-clock'],
    ['-1023 a recvWindow in words', wallet, withQuery({ recvWindow: 'long' }), '400 -1023 stop-all'],
    ['-1112 a create that does neither', create(), withFields({ action: 'HOLD' }), '400 -1112 fix-request'],
    ['-1113 a create of a MARKET order', create(), withFields({ type: 'MARKET' }), '400 -1113 fix-request'],
    ['-1114 a create without a price', create(), withFields({ price: null }), '400 -1114 fix-request'],
    ['-1114 a create with a price in exponents', create(), withFields({ price: '4e6' }), '400 -1114 fix-request'],
    ['-1115 a create without a quantity', create(), withFields({ quantity: null }), '400 -1115 fix-request'],
    ['-1103 a create without a symbol', create(), withFields({ symbol: null }), '400 -1103 fix-request'],
    ['-1102 a cancel without an id', cancel('1-1-1'), withFields({ order_id: null }), '400 -1102 fix-request'],
    [
      '-1022 a body other than the one that was signed',
      create(),
      withBody('{"symbol":"ETH/INR"}'),
      '403 -1022 stop-all',
    ],
    ['-1404 another method', create(), (request) => ({ ...request, method: 'GET', body: null }), '404 -1404 stop-all'],
  ])('%s', async (_what, ask, tamper, code) => {
    expect(await verdict(ask, { tamper })).toBe(`rejected ${code}`);
  });

  test('a body that is too large has no code, and proves nothing of a create', async () => {
    expect(await verdict(create(), { tamper: withBody(' '.repeat(70_000)) })).toBe('unknown 413');
  });

  // 500 -1009 says "route validation failed": no proof for a create or a cancel, however plain it is what was wrong.
  test.each<[string, Ask, Tamper]>([
    ['-1009 a create that is no JSON', create(), withBody('{"symbol":')],
    ['-1009 a create that is a list', create(), withBody('[]')],
    ['-1009 a create that says it is text', create(), withHeaders({ 'content-type': 'text/plain' })],
    ['-1009 a cancel that is no JSON', cancel('1-1-1'), withBody('nothing')],
    ['-1009 a query that can’t be decoded', create(), withUrl((url) => url.replace('timestamp=', 'timestamp=%zz'))],
  ])('%s', async (_what, ask, tamper) => {
    expect(await verdict(ask, { tamper })).toBe('unknown 500 -1009');
  });
});

test('-5014 a cancel of an order that never was', async () => {
  expect(await verdict(cancel('1-1-1'))).toBe('unknown 500 -5014');
});

// Looks at what the rows above have seen: it means nothing when they are not run.
test('no code that a request alone can bring was forgotten', () => {
  // -1003 and -1125 in client-paper-limits, -5013 in client-paper-orders; the others by order, in client-paper-codes.
  const elsewhere = [-1003, -1125, -5013, -1000, -2004, -3000, -4001];
  const failures = (code: number) => code < -5000 && code !== -5014;
  const codes = ERROR_CODES.map(({ code }) => code).filter((code) => !elsewhere.includes(code) && !failures(code));
  expect(codes.filter((code) => !seen.has(code))).toEqual([]);
});

test('decimal texts reach the exchange in plain notation', async () => {
  const meeting = await kit.meet();
  const order = { symbol: 'ETH/BTC', side: 'buy', price: decimal('1e-5'), quantity: decimal('1e3') } as const;
  const client = meeting.client();
  expect(verdictOf(await client.perform({ kind: 'create', order, stamp: client.stamp() }))).toBe('accepted');
  expect((await meeting.truth()).accounts[0]?.orders).toMatchObject([{ price: '0.00001', origQty: '1000' }]);
});
