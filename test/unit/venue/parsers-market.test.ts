import { describe, expect, test } from '@jest/globals';
import { parseOrderBook, parsePublicTrades, parseSymbols, parseTickers } from '../../../src/venue/parsers/market.ts';
import { parsed } from './parsed.ts';

describe('order book', () => {
  test('levels as text or number, exponents, extra fields', () => {
    const body = {
      bids: [
        ['100.5', '1e-7'],
        [100, 2, 'x'],
      ],
      asks: [['1.01E2', 0.5]],
      timestamp: 1,
    };
    expect(parsed(parseOrderBook(body))).toEqual({
      rows: {
        bids: [
          { price: '100.5', quantity: '0.0000001' },
          { price: '100', quantity: '2' },
        ],
        asks: [{ price: '101', quantity: '0.5' }],
      },
    });
  });

  test('sides in any order are sorted', () => {
    const side = (...prices: readonly string[]) => prices.map((price) => [price, '1']);
    const { rows } = parsed(parseOrderBook({ bids: side('1', '3', '2'), asks: side('6', '4', '5') }));
    expect(rows).toMatchObject({
      bids: [{ price: '3' }, { price: '2' }, { price: '1' }],
      asks: [{ price: '4' }, { price: '5' }, { price: '6' }],
    });
  });

  test("prices that a float can't tell apart keep their order and are not called equal", () => {
    const body = {
      bids: [],
      asks: [
        ['1.00000000000000000002', '1'],
        ['1.00000000000000000001', '1'],
      ],
    };
    const book = parsed(parseOrderBook(body));
    expect(book.incompleteBecause).toBeUndefined();
    expect(book.rows).toMatchObject({
      asks: [{ price: '1.00000000000000000001' }, { price: '1.00000000000000000002' }],
    });
  });

  test('empty sides are a book', () =>
    expect(parsed(parseOrderBook({ bids: [], asks: [] }))).toEqual({ rows: { bids: [], asks: [] } }));

  test.each([
    ['a zero quantity', ['99', '0'], 'Bid 2 of 3 is ["99","0"], not [price, quantity].'],
    ['a price below zero', ['-99', '1'], 'Bid 2 of 3 is ["-99","1"], not [price, quantity].'],
    ['a comma', ['1,234.5', '1'], 'Bid 2 of 3 is ["1,234.5","1"], not [price, quantity].'],
    ['nothing', null, 'Bid 2 of 3 is null, not [price, quantity].'],
    ['half a level', ['99'], 'Bid 2 of 3 is ["99"], not [price, quantity].'],
    ['NaN', ['NaN', '1'], 'Bid 2 of 3 is ["NaN","1"], not [price, quantity].'],
    ['a price that repeats', ['100', '7'], 'Bid price 100 repeats.'],
  ])('%s is left out and said', (_name, level, incompleteBecause) => {
    const book = parsed(parseOrderBook({ bids: [['100', '1'], level, ['98', '1']], asks: [] }));
    expect(book).toEqual({
      rows: {
        bids: [
          { price: '100', quantity: '1' },
          { price: '98', quantity: '1' },
        ],
        asks: [],
      },
      incompleteBecause,
    });
  });

  test.each([null, [], 'x', {}, { bids: [] }, { bids: [], asks: null }, { bids: {}, asks: [] }])(
    '%j is no book',
    (body) => {
      expect(parseOrderBook(body).ok).toBe(false);
    },
  );
});

describe('tickers', () => {
  const ticker = { symbol: 'btc/inr', lastPrice: '5000000.5', time: '1700000000', high: null, more: [] };
  const row = {
    symbol: 'BTC/INR',
    lastPrice: '5000000.5',
    high: null,
    low: null,
    volume: null,
    changePercent: null,
    venueTime: 1_700_000_000_000,
  };

  test('range, volume and change, as text or number', () => {
    const more = { high: '5100000', low: 4_900_000, volume: '1.5e1', change_24h: '-1.25' };
    const rows = [{ ...row, high: '5100000', low: '4900000', volume: '15', changePercent: '-1.25' }];
    expect(parsed(parseTickers([{ ...ticker, ...more }], {}))).toEqual({ rows });
  });

  test.each([
    ['lastPrice', '0', { lastPrice: null }],
    ['lastPrice', null, { lastPrice: null }],
    ['high', '0', { high: null }],
    ['low', '', { low: null }],
    ['volume', '0', { volume: '0' }],
    ['volume', null, { volume: null }],
    ['change_24h', 0, { changePercent: '0' }],
    ['change_24h', null, { changePercent: null }],
  ])('%s may be %j', (field, value, expected) => {
    expect(parsed(parseTickers([{ ...ticker, [field]: value }], {}))).toEqual({ rows: [{ ...row, ...expected }] });
  });
  test.each([
    ['seconds as text', '1700000000'],
    ['seconds', 1_700_000_000],
    ['milliseconds as text', '1700000000000'],
    ['milliseconds', 1_700_000_000_000],
  ])('the time in %s', (_name, time) => {
    expect(parsed(parseTickers([{ ...ticker, time }], {}))).toEqual({ rows: [row] });
  });

  test.each([
    ['symbol', 'BTCINR', 'Row 2 of 2: field "symbol" is "BTCINR", not a symbol BASE/QUOTE.'],
    ['lastPrice', '-1', 'Row 2 of 2: field "lastPrice" is "-1", not a number of at least zero.'],
    ['lastPrice', undefined, 'Row 2 of 2: field "lastPrice" is missing, not a number above zero.'],
    ['time', '2023-11-14', 'Row 2 of 2: field "time" is "2023-11-14", not a time.'],
    ['time', '9e99', 'Row 2 of 2: field "time" is "9e99", not a time.'],
    ['time', '1700000000000000', 'Row 2 of 2: field "time" is "1700000000000000", not a time.'],
    ['high', '-1', 'Row 2 of 2: field "high" is "-1", not a number of at least zero.'],
    ['volume', '1,5', 'Row 2 of 2: field "volume" is "1,5", not a number of at least zero.'],
    ['change_24h', '1%', 'Row 2 of 2: field "change_24h" is "1%", not a decimal number.'],
  ])('a row whose %s is %j is named', (field, value, incompleteBecause) => {
    const page = parsed(parseTickers([ticker, { ...ticker, [field]: value }], {}));
    expect(page).toMatchObject({ incompleteBecause });
    expect(page.rows).toHaveLength(1);
  });
});

test('the ticker of another symbol than was asked for is said', () => {
  const body = [{ symbol: 'BTC/INR', lastPrice: '5', time: 1_700_000_000_000 }];
  expect(parsed(parseTickers(body, { symbol: 'BTC/INR' })).incompleteBecause).toBeUndefined();
  const page = parsed(parseTickers(body, { symbol: 'ETH/INR' }));
  expect(page.incompleteBecause).toBe('Asked for ETH/INR, the answer holds BTC/INR.');
});

test('symbols: upper case, others named', () => {
  expect(parsed(parseSymbols(['btc/inr', 'ETH/USDT', 5, 'X']))).toEqual({
    rows: ['BTC/INR', 'ETH/USDT'],
    incompleteBecause: 'Row 3 of 4: it is 5, not a symbol BASE/QUOTE; and 1 more.',
  });
});

test('public trades: the taker is the side that was not the maker', () => {
  const trade = { price: '10', qty: 2, time: 1_700_000_000_000, isBuyerMaker: true };
  const { rows, incompleteBecause } = parsed(
    parsePublicTrades([trade, { ...trade, isBuyerMaker: 'false' }, { ...trade, isBuyerMaker: 1 }]),
  );
  expect(rows).toEqual([
    { price: '10', quantity: '2', takerSide: 'sell', venueTime: 1_700_000_000_000 },
    { price: '10', quantity: '2', takerSide: 'buy', venueTime: 1_700_000_000_000 },
  ]);
  expect(incompleteBecause).toBe('Row 3 of 3: field "isBuyerMaker" is 1, not true or false.');
});
