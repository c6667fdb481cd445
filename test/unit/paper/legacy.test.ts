// The legacy interface: two tickers, depth and trades, its statuses without codes, its paths and its limit.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import { control } from '../../../src/paper/exchange.ts';
import type { PaperResponse } from '../../../src/paper/wire/messages.ts';
import type { Quirks } from '../../../src/paper/wire/quirks.ts';
import { LEGACY_STATUSES } from '../../../src/venue/dialect.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import { ALICE, BOB, SmallExchange, START, smallSettings } from './small-exchange.ts';

/** Two trades at 5000 and 5010.5, then a book of 4999 × 1.5 and 5020 × 2; ETH/INR never traded and is empty. */
function tradedExchange(quirks: Partial<Quirks> = {}): SmallExchange {
  const exchange = new SmallExchange(smallSettings({ quirks }));
  exchange.place('SELL 1.000 @ 5000');
  exchange.place('BUY 1.000 @ 5000', BOB);
  exchange.now += 90_500;
  exchange.place('BUY 0.250 @ 5010.5');
  exchange.place('SELL 0.250 @ 5010.5', BOB);
  exchange.place('BUY 1.500 @ 4999');
  exchange.place('SELL 2.000 @ 5020');
  return exchange;
}
const asked = (path: string, query = '', method = 'GET') => ({
  method,
  path,
  query,
  headers: {},
  body: null,
  ip: '127.0.0.1',
});
const valueAt = (exchange: SmallExchange, path: string, query = ''): unknown => {
  const { status, body } = exchange.send(asked(path, query));
  if (status !== 200) throw new Error(`${path} answered ${status} ${body}.`);
  return JSON.parse(body);
};
const statusOf = ({ status }: PaperResponse) => status;

describe('answers', () => {
  test('of the first ticker: amount and asset, null where there is none', () => {
    expect(valueAt(tradedExchange(), '/api/ticker')).toEqual({
      market: {
        'BTC/INR': { top_bid: '4999 INR', top_ask: '5020 INR' },
        'ETH/INR': { top_bid: null, top_ask: null },
      },
      prices: { 'BTC/INR': '5010.5' },
    });
  });

  test('of the second ticker: the day of every pair, zero for a price that there is not', () => {
    const eth = { name: 'ETH/INR', base_unit: 'eth', quote_unit: 'inr', type: 'SPOT', at: START / 1000 + 90 };
    expect(valueAt(tradedExchange(), '/api/v2/ticker')).toEqual({
      btcinr: {
        ...{ sell: '5020', buy: '4999', high: '5010.5', low: '5000', open: '5000', last: '5010.5', volume: '1.25' },
        ...{ name: 'BTC/INR', base_unit: 'btc', quote_unit: 'inr', type: 'SPOT', at: START / 1000 + 90 },
      },
      ethinr: { sell: '0', buy: '0', high: '0', low: '0', open: '0', last: '0', volume: '0', ...eth },
    });
  });

  test('of the second ticker a day later: the last price stays, the volume is gone', () => {
    const exchange = tradedExchange();
    exchange.now += 25 * 3_600_000;
    const rows = valueAt(exchange, '/api/v2/ticker');
    expect(rows).toMatchObject({ btcinr: { last: '5010.5', high: '5010.5', open: '5010.5', volume: '0' } });
  });

  test('of the depth: with its time, bids from the top, asks from the bottom', () => {
    const exchange = tradedExchange();
    exchange.place('BUY 0.100 @ 4990');
    exchange.place('SELL 0.100 @ 5030');
    expect(valueAt(exchange, '/api/v2/depth', 'market=btcinr')).toEqual({
      timestamp: START / 1000 + 90,
      bids: [
        ['4999', '1.5'],
        ['4990', '0.1'],
      ],
      asks: [
        ['5020', '2'],
        ['5030', '0.1'],
      ],
    });
  });

  test("of the trades: newest first, ids beyond 2^53 as text, the taker's side, local time without a zone", () => {
    const more = { market: 'btcinr' };
    expect(valueAt(tradedExchange(), '/api/v2/trades', 'market=btcinr')).toEqual([
      {
        ...{ created_at: '2026-01-01T05:31:30', funds: '1252.625', ...more },
        ...{ price: '5010.5', side: 'Sell', volume: '0.25', id: '9007199254740993002' },
      },
      {
        ...{ created_at: '2026-01-01T05:30:00', funds: '5000', ...more },
        ...{ price: '5000', side: 'Buy', volume: '1', id: '9007199254740993001' },
      },
    ]);
  });

  test('Q17: the local time may be UTC', () => {
    const rows = valueAt(tradedExchange({ legacyTradeZone: 'UTC' }), '/api/v2/trades', 'market=btcinr');
    expect(rows).toMatchObject([{ created_at: '2026-01-01T00:01:30' }, { created_at: '2026-01-01T00:00:00' }]);
  });

  test('Q8: seconds may be text', () => {
    const exchange = tradedExchange({ timeAs: 'string' });
    expect(valueAt(exchange, '/api/v2/depth', 'market=btcinr')).toMatchObject({ timestamp: `${START / 1000 + 90}` });
  });

  test("with the exchange's own time", () => {
    const exchange = tradedExchange();
    control(exchange.state, { clockOffsetMs: 3_600_000 });
    const seconds = START / 1000 + 90 + 3_600;
    expect(valueAt(exchange, '/api/v2/depth', 'market=btcinr')).toMatchObject({ timestamp: seconds });
    expect(valueAt(exchange, '/api/v2/ticker')).toMatchObject({ btcinr: { at: seconds }, ethinr: { at: seconds } });
  });

  test('of a very small volume in exponent notation', () => {
    const { engine } = smallSettings();
    const dust = {
      symbol: 'XYZ/INR',
      base: 'XYZ',
      quote: 'INR',
      tickSize: decimal('1'),
      lotSize: decimal('0.00000001'),
    };
    const instruments = [{ ...dust, minNotional: decimal('0') }];
    const balances = { INR: decimal('1000'), XYZ: decimal('1') };
    const accounts = smallSettings().accounts.map((account) => ({ ...account, balances }));
    const exchange = new SmallExchange(smallSettings({ engine: { ...engine, instruments }, accounts }));
    exchange.place('SELL 0.00000025 @ 1000 XYZ/INR');
    exchange.place('BUY 0.00000025 @ 1000 XYZ/INR', BOB);
    expect(valueAt(exchange, '/api/v2/ticker')).toMatchObject({ xyzinr: { volume: '2.5e-7' } });
    exchange.place('SELL 0.00000075 @ 1000 XYZ/INR');
    exchange.place('BUY 0.00000075 @ 1000 XYZ/INR', BOB);
    expect(valueAt(exchange, '/api/v2/ticker')).toMatchObject({ xyzinr: { volume: '0.000001' } });
  });

  test('have the documented shapes', () => {
    const exchange = tradedExchange();
    for (const { path, answer } of Object.values(ENDPOINTS).filter((row) => row.interface === 'legacy')) {
      const { success } = answer.safeParse(valueAt(exchange, path, 'market=btcinr'));
      expect([path, success]).toEqual([path, true]);
    }
  });

  test('carry a date and the headers of the rate limit, and ask for no key', () => {
    const exchange = withLimit({});
    expect(exchange.send(asked('/api/ticker')).headers).toMatchObject({
      date: 'Thu, 01 Jan 2026 00:00:00 GMT',
      'content-type': 'application/json; charset=utf-8',
      'x-ratelimit-remaining': '1',
    });
  });

  test('show fifty levels a side and fifty trades', () => {
    const exchange = new SmallExchange();
    for (let step = 0; step < 60; step += 1) {
      exchange.place(`SELL 0.100 @ ${5_000 + step}`);
      exchange.place(`BUY 0.100 @ ${5_000 + step}`, BOB);
    }
    for (let step = 0; step < 60; step += 1) exchange.place(`SELL 0.020 @ ${6_000 + step}`);
    expect(Object(valueAt(exchange, '/api/v2/depth', 'market=btcinr')).asks).toHaveLength(50);
    const trades = valueAt(exchange, '/api/v2/trades', 'market=btcinr');
    expect(trades).toHaveLength(50);
    expect(Object(trades)[0].price).toBe('5059');
  });
});

describe('Q13: depth and trades are', () => {
  test.each([
    ['versioned', [200, 404, 200, 404]],
    ['sample', [404, 200, 404, 200]],
    ['both', [200, 200, 200, 200]],
  ] as const)('at the %s paths', (legacyPaths, expected) => {
    const exchange = tradedExchange({ legacyPaths });
    const paths = ['/api/v2/depth', '/api/depth', '/api/v2/trades', '/api/trades'];
    expect(paths.map((path) => statusOf(exchange.send(asked(path, 'market=btcinr'))))).toEqual(expected);
    expect(statusOf(exchange.send(asked('/api/ticker')))).toBe(200);
    expect(statusOf(exchange.send(asked('/api/v2/ticker')))).toBe(200);
  });
});

describe('refuses', () => {
  test.each<[number, string, ReturnType<typeof asked>]>([
    [400, 'depth without a market', asked('/api/v2/depth')],
    [400, 'an empty market', asked('/api/v2/trades', 'market=')],
    [400, 'a query that is not encoded right', asked('/api/v2/depth', 'market=%zz')],
    [404, 'an unknown market', asked('/api/v2/depth', 'market=dogeinr')],
    [404, 'a market in capitals', asked('/api/v2/depth', 'market=BTCINR')],
    [404, 'a market with a separator', asked('/api/v2/trades', 'market=btc/inr')],
    [404, 'two markets', asked('/api/v2/trades', 'market=btcinr&market=ethinr')],
    [405, 'another method', asked('/api/ticker', '', 'POST')],
    [405, 'another method without a market', asked('/api/v2/depth', '', 'DELETE')],
  ])('with %s: %s', (status, _what, request) => {
    const response = tradedExchange().send(request);
    const meaning = LEGACY_STATUSES.find((row) => row.status === status)?.meaning;
    expect([response.status, JSON.parse(response.body)]).toEqual([status, { error: meaning }]);
  });

  test('with 503 in maintenance, 404 where it is disabled, 429 where too much was asked', () => {
    const exchange = withLimit({});
    control(exchange.state, { maintenance: true });
    expect(statusOf(exchange.send(asked('/api/ticker')))).toBe(503);
    control(exchange.state, { maintenance: false, disabledEndpoints: ['legacy-best-prices'] });
    expect(statusOf(exchange.send(asked('/api/ticker')))).toBe(404);
    expect(statusOf(exchange.send(asked('/api/v2/ticker')))).toBe(200);
    control(exchange.state, { disabledEndpoints: [] });
    expect([1, 2].map(() => statusOf(exchange.send(asked('/api/ticker'))))).toEqual([200, 429]);
    expect(exchange.send(asked('/api/ticker')).headers).toMatchObject({ 'retry-after': '1' });
  });

  test('with a sentence and no code', () => {
    const response = tradedExchange().send(asked('/api/v2/depth', 'market=x'));
    expect([response.status, response.body]).toEqual([404, '{"error":"Data not found."}']);
  });
});

describe('Q18: a legacy request', () => {
  const one = [{ requests: 1, perMs: 1_000 }];

  test('counts against the public limit of its address, where that is shared', () => {
    const exchange = new SmallExchange(smallSettings({ rateLimits: { public: one, private: [], legacy: [] } }));
    expect(statusOf(exchange.send(asked('/api/ticker')))).toBe(200);
    expect(statusOf(exchange.ask('symbols'))).toBe(429);
    exchange.now += 1_000;
    expect(statusOf(exchange.ask('symbols'))).toBe(200);
    expect(statusOf(exchange.send(asked('/api/ticker')))).toBe(429);
    expect(statusOf(exchange.send({ ...asked('/api/ticker'), ip: '10.0.0.1' }))).toBe(200);
  });

  test('has a limit of its own, where it is separate', () => {
    const rateLimits = { public: one, private: one, legacy: one };
    const exchange = new SmallExchange(smallSettings({ rateLimits, quirks: { legacyRateLimit: 'separate' } }));
    const statuses = () => [
      statusOf(exchange.ask('symbols')),
      statusOf(exchange.send(asked('/api/ticker'))),
      statusOf(exchange.ask('wallet', { key: ALICE })),
    ];
    expect([statuses(), statuses()]).toEqual([
      [200, 200, 200],
      [429, 429, 429],
    ]);
  });
});

/** Two requests a second for each address. */
function withLimit(quirks: Partial<Quirks>): SmallExchange {
  const limit = [{ requests: 2, perMs: 1_000 }];
  return new SmallExchange(smallSettings({ quirks, rateLimits: { public: limit, private: [], legacy: [] } }));
}
