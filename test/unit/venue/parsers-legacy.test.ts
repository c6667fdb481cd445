import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  parseLegacyBestPrices,
  parseLegacyDepth,
  parseLegacyTickers,
  parseLegacyTrades,
  readLocalTime,
} from '../../../src/venue/parsers/legacy.ts';
import { exact, parsed } from './parsed.ts';

describe('best prices', () => {
  const body = {
    market: {
      'btc/inr': { top_bid: '5000000.0 INR', top_ask: null },
      'ETH/BTC': { top_bid: '', top_ask: '5E-2  btc' },
    },
    prices: { 'BTC/INR': '5005000.0', 'ETH/BTC': '0', 'XRP/INR': 50.5 },
  };

  test('of every pair in either map', () => {
    const result = parsed(parseLegacyBestPrices({ ...body, market: { ...body.market, 'XRP/INR': null } }));
    expect(result.rows).toEqual([
      { symbol: 'BTC/INR', bid: { amount: '5000000', asset: 'INR' }, ask: null, lastPrice: null },
      { symbol: 'ETH/BTC', bid: null, ask: { amount: '0.05', asset: 'BTC' }, lastPrice: null },
      { symbol: 'XRP/INR', bid: null, ask: null, lastPrice: '50.5' },
    ]);
    expect(result.incompleteBecause).toBe('Pair "BTC/INR" came before.');
  });

  const pairOf = (best: unknown) => parsed(parseLegacyBestPrices({ market: { 'BTC/INR': best }, prices: {} }));

  test.each<[string, unknown, unknown]>([
    ['an amount and its asset', '5000000.10 INR', { amount: '5000000.1', asset: 'INR' }],
    ['another asset than the quote', '58000 USDT', { amount: '58000', asset: 'USDT' }],
    ['a bare number, in the quote', 5_000_000, { amount: '5000000', asset: 'INR' }],
    ['a bare number as text', '5000000', { amount: '5000000', asset: 'INR' }],
    ['spaces around', '  5000000   inr ', { amount: '5000000', asset: 'INR' }],
    ['zero', '0 INR', null],
    ['null', null, null],
    ['nothing', undefined, null],
  ])('top_bid as %s', (_name, value, bid) => {
    expect(pairOf({ top_bid: value })).toEqual({ rows: [{ symbol: 'BTC/INR', bid, ask: null, lastPrice: null }] });
  });

  test.each([
    ['top_bid', '-5 INR', 'Pair "BTC/INR": field "top_bid" is "-5 INR", not an amount and an asset.'],
    ['top_ask', 'INR 5', 'Pair "BTC/INR": field "top_ask" is "INR 5", not an amount and an asset.'],
    ['top_ask', '5,0 INR', 'Pair "BTC/INR": field "top_ask" is "5,0 INR", not an amount and an asset.'],
    ['top_ask', {}, 'Pair "BTC/INR": field "top_ask" is {}, not an amount and an asset.'],
  ])('%s as %j is said', (field, value, incompleteBecause) => {
    expect(pairOf({ [field]: value })).toEqual({ rows: [], incompleteBecause });
  });

  test('a key that is no pair is said', () => {
    const page = parsed(parseLegacyBestPrices({ market: { btcinr: {} }, prices: {} }));
    expect(page).toEqual({ rows: [], incompleteBecause: 'Pair "btcinr": it is not a symbol BASE/QUOTE.' });
  });

  test('last prices that are missing altogether are said', () => {
    const page = parsed(parseLegacyBestPrices({ market: { 'BTC/INR': {} } }));
    expect(page.incompleteBecause).toBe("The ticker's prices are missing, not a map.");
    expect(page.rows).toHaveLength(1);
  });

  test.each([null, [], 'x', {}, { market: null }, { market: [] }])('%j is no ticker', (value) => {
    expect(parseLegacyBestPrices(value).ok).toBe(false);
  });
});

describe('tickers by key', () => {
  const ticker = {
    sell: '5010000',
    buy: '5000000',
    high: '0.0',
    low: null,
    open: '',
    last: 5_005_000,
    volume: '1.2E-7',
    name: 'BTC/INR',
    base_unit: 'btc',
    quote_unit: 'inr',
    type: 'SPOT',
    at: '1700000000',
  };
  const row = {
    key: 'btcinr',
    symbol: 'BTC/INR',
    bid: '5000000',
    ask: '5010000',
    high: null,
    low: null,
    open: null,
    last: '5005000',
    volume: '0.00000012',
    marketType: 'SPOT',
    venueTime: 1_700_000_000_000,
  };

  test('a pair: exponents, numbers, what is not stated, seconds as text', () => {
    expect(parsed(parseLegacyTickers({ btcinr: ticker }))).toEqual({ rows: [row] });
  });

  test.each([
    ['name', null, { symbol: 'BTC/INR' }],
    ['type', 'FUTURES', { marketType: 'FUTURES' }],
    ['type', null, { marketType: '' }],
    ['at', 1_700_000_000_000, { venueTime: 1_700_000_000_000 }],
    ['volume', 0, { volume: '0' }],
  ])('%s may be %j', (field, value, expected) => {
    expect(parsed(parseLegacyTickers({ btcinr: { ...ticker, [field]: value } }))).toEqual({
      rows: [{ ...row, ...expected }],
    });
  });

  test.each([
    ['name', 'BTCINR', 'Pair "x": field "name" is "BTCINR", not a symbol BASE/QUOTE.'],
    ['buy', '-1', 'Pair "x": field "buy" is "-1", not a number of at least zero.'],
    ['volume', null, 'Pair "x": field "volume" is null, not a number of at least zero.'],
    ['at', null, 'Pair "x": field "at" is null, not a time.'],
    ['type', 7, 'Pair "x": field "type" is 7, not a text.'],
  ])('a pair whose %s is %j is named', (field, value, incompleteBecause) => {
    const page = parsed(parseLegacyTickers({ btcinr: ticker, x: { ...ticker, [field]: value } }));
    expect(page).toEqual({ rows: [row], incompleteBecause });
  });

  test('a map in which nothing is understood is no ticker', () => {
    const result = parseLegacyTickers({ code: '-1404', msg: 'Endpoint not found.' });
    expect(result).toEqual({ ok: false, error: 'Pair "code": it is "-1404", not an object; and 1 more.' });
  });

  test('no pairs are no pairs', () => expect(parsed(parseLegacyTickers({}))).toEqual({ rows: [] }));
});

describe('depth', () => {
  const body = {
    timestamp: 1_700_000_000,
    bids: [
      ['1', '2'],
      ['3', '4'],
    ],
    asks: [],
  };

  test('levels in any order, with their second', () => {
    expect(parsed(parseLegacyDepth(body)).rows).toEqual({
      bids: [
        { price: '3', quantity: '4' },
        { price: '1', quantity: '2' },
      ],
      asks: [],
      venueTime: 1_700_000_000_000,
    });
  });

  test('a level that is none is said', () => {
    const page = parsed(parseLegacyDepth({ ...body, asks: [['0', '1']] }));
    expect(page.incompleteBecause).toBe('Ask 1 of 1 is ["0","1"], not [price, quantity].');
  });

  test('without its time it is none', () => {
    expect(parseLegacyDepth({ ...body, timestamp: null })).toEqual({
      ok: false,
      error: 'In the depth, field "timestamp" is null, not a time.',
    });
  });
});

describe('trades', () => {
  const trade = {
    created_at: '2023-11-14T22:13:20',
    funds: '50000.0',
    price: '5000000.0',
    side: 'Buy',
    volume: '0.01',
    id: '18446744073709551615',
    market: 'btcinr',
  };
  const row = {
    tradeId: '18446744073709551615',
    marketKey: 'btcinr',
    price: '5000000',
    quantity: '0.01',
    quoteQuantity: '50000',
    side: 'buy',
    venueTime: 1_700_000_000_000,
  };
  const trades = (body: unknown) => parsed(parseLegacyTrades(body, 'btcinr'));

  test('a row', () => expect(trades([trade])).toEqual({ rows: [row] }));

  test('an id beyond 2^53 as a number keeps every digit', () => {
    const body = exact(JSON.stringify([trade]).replace('"18446744073709551615"', '18446744073709551615'));
    expect(trades(body)).toEqual({ rows: [row] });
  });

  test.each([
    ['side', 'SELL', { side: 'sell' }],
    ['market', 'BTCINR', {}],
    ['market', null, {}],
    ['created_at', '1700000000', {}],
    ['created_at', '1700000000000', {}],
  ])('%s may be %j', (field, value, expected) => {
    expect(trades([{ ...trade, [field]: value }])).toEqual({ rows: [{ ...row, ...expected }] });
  });

  test.each([
    ['created_at', '14-11-2023', 'field "created_at" is "14-11-2023", not a time YYYY-MM-DDTHH:MM:SS'],
    ['created_at', null, 'field "created_at" is null, not a time YYYY-MM-DDTHH:MM:SS'],
    ['side', 'Hold', 'field "side" is "Hold", not BUY or SELL'],
    ['id', null, 'field "id" is null, not a number of plain digits'],
    ['funds', null, 'field "funds" is null, not a number of at least zero'],
  ])('a row whose %s is %j makes the page incomplete', (field, value, problem) => {
    const page = trades([trade, { ...trade, [field]: value }]);
    expect(page).toEqual({ rows: [row], incompleteBecause: `Row 2 of 2: ${problem}.` });
  });

  test('of another market are an answer to another question', () => {
    const page = trades([trade, { ...trade, market: 'ethinr' }]);
    expect(page.incompleteBecause).toBe('Asked for btcinr, the answer holds ethinr.');
  });
});

describe('local time, read as if it were UTC', () => {
  const AT = 1_700_000_000_000;
  test.each<[string, number | null]>([
    ['2023-11-14T22:13:20', AT],
    ['2023-11-14T22:13:20.5', AT + 500],
    ['2023-11-14T22:13:20.123456789', AT + 123],
    ['2023-11-15T03:43:20+05:30', null],
    ['2024-02-29T00:00:00', 1_709_164_800_000],
    ['2023-02-29T00:00:00', null],
    ['2023-13-01T00:00:00', null],
    ['2023-11-14T24:00:00', null],
    ['2023-11-14T22:13:60', null],
    ['2023-11-14T22:13', null],
    ['2023-11-14', null],
    ['14-11-2023 22:13:20', null],
    ['0000-01-01T00:00:00', null],
    ['yesterday', null],
    ['', null],
  ])('%s', (text, at) => expect(readLocalTime(text)).toBe(at));

  test('every moment that is written so comes back as it was', () => {
    const moment = fc.integer({ min: 1, max: 4_000_000_000_000 });
    fc.assert(
      fc.property(moment, fc.boolean(), (at, fractions) => {
        const text = new Date(at).toISOString().slice(0, fractions ? 23 : 19);
        expect(readLocalTime(text)).toBe(fractions ? at : at - (at % 1_000) || null);
      }),
    );
  });
});
