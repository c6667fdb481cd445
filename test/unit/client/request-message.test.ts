import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { legacyMarketKey, messageOf } from '../../../src/client/wire/request-message.ts';
import { Secret } from '../../../src/client/wire/secret.ts';
import { addressOf, type SigningSettings, wireRequestOf } from '../../../src/client/wire/signed-request.ts';
import { decimal } from '../../../src/domain/decimal.ts';
import { orderId, tradeId } from '../../../src/domain/ids.ts';
import { timeRange, tradeWindow } from '../../../src/venue/bounds.ts';
import { DIALECT } from '../../../src/venue/dialect.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import type { EndpointName, VenueRequest } from '../../../src/venue/requests.ts';
import { anyRequest } from './any-request.ts';

const stamp = { timestamp: 1_700_000_000_000, recvWindow: 2_500 };
const STAMPED = 'timestamp=1700000000000 recvWindow=2500';
const symbol = 'BTC/INR';
const order = { symbol, side: 'buy' as const, price: decimal('5e6'), quantity: decimal('0.00000010') };
const made = <T>(result: { ok: true; value: T } | { ok: false; error: string }): T => {
  if (!result.ok) throw new Error(result.error);
  return result.value;
};
const window = made(tradeWindow(1_000, 2_000));
const range = made(timeRange(1_000, 900_000_000));
const all = { by: 'all' } as const;
const inRange = { by: 'range', range } as const;

/** Each line: the request, its method and path, its query without the stamp, its body. */
const TABLE: readonly (readonly [VenueRequest, string, string, (string | null)?])[] = [
  [{ kind: 'legacy-best-prices' }, 'GET /api/ticker', ''],
  [{ kind: 'legacy-tickers' }, 'GET /api/v2/ticker', ''],
  [{ kind: 'legacy-depth', symbol }, 'GET /api/v2/depth', 'market=btcinr'],
  [{ kind: 'legacy-trades', symbol: '1INCH/USDT' }, 'GET /api/v2/trades', 'market=1inchusdt'],
  [{ kind: 'order-book', symbol, limit: 50 }, 'GET /api/v1/public/market/orderbook', 'symbol=BTC/INR limit=50'],
  [{ kind: 'order-book', symbol }, 'GET /api/v1/public/market/orderbook', 'symbol=BTC/INR'],
  [{ kind: 'public-trades', symbol, limit: 20 }, 'GET /api/v1/public/market/trades', 'symbol=BTC/INR limit=20'],
  [{ kind: 'public-trades', symbol }, 'GET /api/v1/public/market/trades', 'symbol=BTC/INR'],
  [{ kind: 'tickers' }, 'GET /api/v1/public/exchange/ticker', ''],
  [{ kind: 'tickers', symbol }, 'GET /api/v1/public/exchange/ticker', 'symbol=BTC/INR'],
  [{ kind: 'symbols' }, 'GET /api/v1/public/exchange/symbols', ''],
  [{ kind: 'assets' }, 'GET /api/v1/public/exchange/assets', ''],
  [{ kind: 'assets', asset: 'BTC' }, 'GET /api/v1/public/exchange/assets', 'asset=BTC'],
  [{ kind: 'wallet', stamp }, 'GET /api/v1/wallet', 'omitZeroBalances=false'],
  [{ kind: 'wallet', omitZeroBalances: true, stamp }, 'GET /api/v1/wallet', 'omitZeroBalances=true'],
  [{ kind: 'crypto-deposits', filter: { time: all }, stamp }, 'GET /api/v1/crypto/deposits', ''],
  [
    { kind: 'crypto-deposits', filter: { time: inRange, asset: 'BTC', status: 'pending' }, limit: 1, stamp },
    'GET /api/v1/crypto/deposits',
    'asset=BTC status=PENDING startTime=1000 endTime=900000000 limit=1',
  ],
  [
    { kind: 'crypto-deposits-historical', filter: { time: { by: 'start', startTime: 5 } }, stamp },
    'GET /api/v1/crypto/deposits/historical',
    'startTime=5',
  ],
  [
    { kind: 'crypto-withdrawals', filter: { time: { by: 'end', endTime: 5 }, status: 'failed' }, stamp },
    'GET /api/v1/crypto/withdrawals',
    'status=FAILED endTime=5',
  ],
  [
    { kind: 'crypto-withdrawals-historical', filter: { time: all, status: 'success' }, stamp },
    'GET /api/v1/crypto/withdrawals/historical',
    'status=SUCCESS',
  ],
  [{ kind: 'fiat-deposits', filter: { time: all }, limit: 50, stamp }, 'GET /api/v1/fiat/deposits', 'limit=50'],
  [
    { kind: 'fiat-deposits-historical', filter: { time: inRange }, stamp },
    'GET /api/v1/fiat/deposits/historical',
    'startTime=1000 endTime=900000000',
  ],
  [
    { kind: 'fiat-withdrawals', filter: { time: all, status: 'rejected' }, stamp },
    'GET /api/v1/fiat/withdrawals',
    'status=REJECTED',
  ],
  [
    { kind: 'fiat-withdrawals-historical', filter: { time: { by: 'start', startTime: 0 } }, stamp },
    'GET /api/v1/fiat/withdrawals/historical',
    'startTime=0',
  ],
  [{ kind: 'open-orders', stamp }, 'GET /api/v1/spot/orders/open', ''],
  [{ kind: 'open-orders', symbol, stamp }, 'GET /api/v1/spot/orders/open', 'symbol=BTC/INR'],
  [{ kind: 'spot-trades', symbol, filter: { by: 'symbol' }, stamp }, 'GET /api/v1/spot/trades', 'symbol=BTC/INR'],
  [
    { kind: 'spot-trades', symbol, filter: { by: 'order', orderId: orderId('1-7-1') }, limit: 50, stamp },
    'GET /api/v1/spot/trades',
    'symbol=BTC/INR orderId=1-7-1 limit=50',
  ],
  [
    { kind: 'spot-trades', symbol, filter: { by: 'from-id', fromId: tradeId('9007199254740993') }, stamp },
    'GET /api/v1/spot/trades',
    'symbol=BTC/INR fromId=9007199254740993',
  ],
  [
    { kind: 'spot-trades-historical', symbol, filter: { by: 'window', window }, stamp },
    'GET /api/v1/spot/trades/historical',
    'symbol=BTC/INR startTime=1000 endTime=2000',
  ],
  [
    { kind: 'spot-trades-historical', symbol, filter: { by: 'end', endTime: 9 }, stamp },
    'GET /api/v1/spot/trades/historical',
    'symbol=BTC/INR endTime=9',
  ],
  [
    {
      kind: 'sbs-trades',
      symbol,
      filter: { time: { by: 'range', range: window }, orderId: tradeId('12'), fromId: tradeId('11') },
      limit: 2,
      stamp,
    },
    'GET /api/v1/ebes/trades',
    'symbol=BTC/INR orderId=12 fromId=11 startTime=1000 endTime=2000 limit=2',
  ],
  [{ kind: 'sbs-trades', symbol, filter: { time: all }, stamp }, 'GET /api/v1/ebes/trades', 'symbol=BTC/INR'],
  [
    { kind: 'create', order, stamp },
    'POST /api/v1/spot/order/create',
    '',
    '{"symbol":"BTC/INR","action":"BUY","type":"LIMIT","price":"5000000","quantity":"0.0000001"}',
  ],
  [
    { kind: 'create', order: { ...order, side: 'sell' }, stamp },
    'POST /api/v1/spot/order/create',
    '',
    '{"symbol":"BTC/INR","action":"SELL","type":"LIMIT","price":"5000000","quantity":"0.0000001"}',
  ],
  [{ kind: 'cancel', orderId: orderId('1-7-1'), stamp }, 'POST /api/v1/spot/order/cancel', '', '{"order_id":"1-7-1"}'],
  [{ kind: 'cancel-symbol', symbol, stamp }, 'POST /api/v1/spot/orders/cancel', '', '{"symbol":"BTC/INR"}'],
  [{ kind: 'cancel-all', stamp }, 'POST /api/v1/spot/orders/cancel/all', ''],
];

describe('what each request says', () => {
  test.each(TABLE)('%j', (request, line, query, body = null) => {
    const message = messageOf(request);
    expect(`${message.endpoint.method} ${message.endpoint.path}`).toBe(line);
    const stamped = 'stamp' in request ? [query, STAMPED].filter((part) => part !== '').join(' ') : query;
    expect(message.query.map(([name, value]) => `${name}=${value}`).join(' ')).toBe(stamped);
    expect(message.body === null ? null : JSON.stringify(message.body)).toBe(body);
  });

  test('for each of the 26 endpoints', () => {
    const asked = new Set<EndpointName>(TABLE.map(([request]) => request.kind));
    expect([...asked].sort()).toEqual(Object.keys(ENDPOINTS).sort());
  });
});

test('what the venue would refuse does not compile', () => {
  const time = { by: 'all' } as const;
  const refused: readonly VenueRequest[] = [
    // @ts-expect-error at most 50 rows
    { kind: 'order-book', symbol, limit: 51 },
    // @ts-expect-error at least one row
    { kind: 'public-trades', symbol, limit: 0 },
    // @ts-expect-error whole rows
    { kind: 'fiat-deposits', filter: { time }, limit: 1.5, stamp },
    // @ts-expect-error a symbol is required
    { kind: 'order-book' },
    // @ts-expect-error the legacy lists take no limit
    { kind: 'legacy-trades', symbol, limit: 5 },
    // @ts-expect-error symbols take no parameter
    { kind: 'symbols', symbol },
    // @ts-expect-error private requests are stamped
    { kind: 'wallet' },
    // @ts-expect-error crypto transfers are not rejected
    { kind: 'crypto-deposits', filter: { time, status: 'rejected' }, stamp },
    // @ts-expect-error fiat lists take no asset
    { kind: 'fiat-deposits', filter: { time, asset: 'BTC' }, stamp },
    // @ts-expect-error an order and an id don't go together
    { kind: 'spot-trades', symbol, filter: { by: 'order', orderId: orderId('1-7-1'), fromId: tradeId('1') }, stamp },
    // @ts-expect-error an order and a time don't go together
    { kind: 'spot-trades', symbol, filter: { by: 'order', orderId: orderId('1-7-1'), startTime: 1 }, stamp },
    // @ts-expect-error a window is made by tradeWindow, which looks at its length
    { kind: 'spot-trades', symbol, filter: { by: 'window', window: { startTime: 1, endTime: 2 } }, stamp },
    // @ts-expect-error a range may be longer than the trade lists allow
    { kind: 'sbs-trades', symbol, filter: { time: inRange }, stamp },
    // @ts-expect-error only LIMIT orders exist
    { kind: 'create', order: { ...order, type: 'MARKET' }, stamp },
  ];
  expect(refused).toHaveLength(14);
});

describe('whatever can be written down as a request', () => {
  test('is a documented query and body, each name once', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { endpoint, query, body } = messageOf(request);
        const own = query.filter(([name]) => name !== 'timestamp' && name !== 'recvWindow');
        expect(new Set(query.map(([name]) => name)).size).toBe(query.length);
        expect(endpoint.query.strict().safeParse(Object.fromEntries(own)).error).toBeUndefined();
        expect(query.length - own.length).toBe(endpoint.signed ? 2 : 0);
        if (endpoint.body === null) expect(body).toBeNull();
        else expect(endpoint.body.strict().safeParse(body).error).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  test('says all its numbers in plain digits', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { query, body } = messageOf(request);
        const named = new Map<string, unknown>([...query, ...Object.entries(body ?? {})]);
        for (const name of ['startTime', 'endTime', 'timestamp', 'recvWindow', 'limit', 'fromId']) {
          expect(String(named.get(name) ?? '0')).toMatch(/^\d+$/);
        }
        for (const name of ['price', 'quantity']) expect(String(named.get(name) ?? '0')).toMatch(/^\d+(\.\d+)?$/);
      }),
      { numRuns: 1_000 },
    );
  });

  test('combines the parameters of spot trades only as the venue allows', () => {
    const allowed = ['', 'orderId', 'startTime', 'endTime', 'fromId', 'startTime+endTime'];
    fc.assert(
      fc.property(anyRequest, (request) => {
        if (request.kind !== 'spot-trades' && request.kind !== 'spot-trades-historical') return;
        const own = messageOf(request)
          .query.map(([name]) => name)
          .filter((name) => !['symbol', 'limit', 'timestamp', 'recvWindow'].includes(name));
        expect(allowed).toContain(own.join('+'));
      }),
      { numRuns: 1_000 },
    );
  });

  test('goes with key and signature where the endpoint is signed, and with neither where it is not', () => {
    fc.assert(
      fc.property(anyRequest, (request) => {
        const { http, signature } = wireRequestOf(messageOf(request), SETTINGS);
        const { signed } = ENDPOINTS[request.kind];
        expect(signature !== null).toBe(signed);
        expect('X-KEY' in http.headers).toBe(signed);
        expect(http.url.includes('signature=')).toBe(signed);
        expect(new URL(http.url).href).toBe(http.url);
        expect(http.headers['content-type']).toBe(http.body === null ? undefined : 'application/json');
      }),
    );
  });
});

const SETTINGS: SigningSettings = {
  baseUrl: 'https://venue.example/',
  legacyBaseUrl: 'https://old.example/gateway/',
  dialect: { ...DIALECT, apiKeyHeader: 'X-KEY' },
  key: new Secret('key'),
  secret: new Secret('secret'),
  userAgent: 'test',
  deadlineMs: 1_000,
};

describe('where a request goes', () => {
  test.each<[EndpointName, Partial<SigningSettings>, string]>([
    ['order-book', {}, 'https://venue.example/api/v1/public/market/orderbook'],
    ['order-book', { legacyPaths: 'sample' }, 'https://venue.example/api/v1/public/market/orderbook'],
    ['legacy-depth', {}, 'https://old.example/gateway/api/v2/depth'],
    ['legacy-depth', { legacyPaths: 'versioned' }, 'https://old.example/gateway/api/v2/depth'],
    ['legacy-depth', { legacyPaths: 'sample' }, 'https://old.example/gateway/api/depth'],
    ['legacy-trades', { legacyPaths: 'sample' }, 'https://old.example/gateway/api/trades'],
    ['legacy-tickers', { legacyPaths: 'sample' }, 'https://old.example/gateway/api/v2/ticker'],
    ['legacy-best-prices', { legacyPaths: 'sample' }, 'https://old.example/gateway/api/ticker'],
  ])('%s with %j', (name, more, address) => {
    expect(addressOf(ENDPOINTS[name], { ...SETTINGS, ...more })).toBe(address);
  });

  test('nowhere, where the legacy interface is not configured', () => {
    const { legacyBaseUrl: _none, ...settings } = SETTINGS;
    expect(addressOf(ENDPOINTS['legacy-trades'], settings)).toBeNull();
    const message = messageOf({ kind: 'legacy-trades', symbol });
    expect(() => wireRequestOf(message, settings)).toThrow('legacy-trades has nowhere to go');
  });
});

test('two symbols can have one legacy key', () => {
  expect(legacyMarketKey('AB/C')).toBe('abc');
  expect(legacyMarketKey('A/BC')).toBe('abc');
});
