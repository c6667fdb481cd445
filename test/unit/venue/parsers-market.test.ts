import { describe, expect, test } from '@jest/globals';
import { parsePublicTrades, parseSymbols, parseTickers } from '../../../src/venue/parsers-market.ts';
import { parseOrderBook } from '../../../src/venue/parsers-order-book.ts';
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
    const body = {
      bids: [
        ['1', '1'],
        ['3', '1'],
        ['2', '1'],
      ],
      asks: [
        ['6', '1'],
        ['4', '1'],
        ['5', '1'],
      ],
    };
    const { rows } = parsed(parseOrderBook(body));
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
  test.each([
    ['seconds as text', '1700000000'],
    ['seconds', 1_700_000_000],
    ['milliseconds as text', '1700000000000'],
    ['milliseconds', 1_700_000_000_000],
  ])('the time in %s', (_name, time) => {
    const rows = [{ symbol: 'BTC/INR', lastPrice: '5000000.5', venueTime: 1_700_000_000_000 }];
    expect(parsed(parseTickers([{ ...ticker, time }]))).toEqual({ rows });
  });

  test.each([
    ['symbol', 'BTCINR', 'Row 2 of 2: field "symbol" is "BTCINR", not a symbol BASE/QUOTE.'],
    ['lastPrice', '0', 'Row 2 of 2: field "lastPrice" is "0", not a number above zero.'],
    ['lastPrice', undefined, 'Row 2 of 2: field "lastPrice" is missing, not a number above zero.'],
    ['time', '2023-11-14', 'Row 2 of 2: field "time" is "2023-11-14", not a time.'],
    ['time', '9e99', 'Row 2 of 2: field "time" is "9e99", not a time.'],
  ])('a row whose %s is %j is named', (field, value, incompleteBecause) => {
    const page = parsed(parseTickers([ticker, { ...ticker, [field]: value }]));
    expect(page).toMatchObject({ incompleteBecause });
    expect(page.rows).toHaveLength(1);
  });
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
