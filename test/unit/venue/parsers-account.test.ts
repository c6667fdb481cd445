import { describe, expect, test } from '@jest/globals';
import { orderId, tradeId } from '../../../src/domain/ids.ts';
import { DIALECT } from '../../../src/venue/dialect.ts';
import { parseOpenOrders, parseWallet } from '../../../src/venue/parsers/account.ts';
import { parseSbsTrades, parseSpotTrades } from '../../../src/venue/parsers/trades.ts';
import { exact, parsed } from './parsed.ts';

const orders = (body: unknown, uncapped = false) =>
  parseOpenOrders(body, { caps: uncapped ? [] : DIALECT.openOrdersCaps });
const trades = (body: unknown) => parseSpotTrades(body, { symbol: 'BTC/INR' });

describe('wallet', () => {
  const inr = { asset: 'INR', free: '10.5', locked: '1', lockedFd: '0', lockedStaking: '0', lockedOtc: '0' };

  test('amounts as text or number, to the last digit', () => {
    const body = exact('[{"asset":"btc","free":12345678901234567.12345678,"locked":"1e-8","lockedFd":null}]');
    expect(parsed(parseWallet(body))).toEqual({
      rows: [
        {
          asset: 'BTC',
          free: '12345678901234567.12345678',
          locked: '0.00000001',
          lockedFd: '0',
          lockedStaking: '0',
          lockedOtc: '0',
        },
      ],
    });
  });

  test.each([
    ['free', null, 'Row 2 of 2: field "free" is null, not a number of at least zero.'],
    ['locked', '-1', 'Row 2 of 2: field "locked" is "-1", not a number of at least zero.'],
    ['lockedOtc', 'x', 'Row 2 of 2: field "lockedOtc" is "x", not a number of at least zero.'],
    ['asset', '', 'Row 2 of 2: field "asset" is "", not a text.'],
    ['asset', 'inr', 'Row 2 of 2: asset INR came before.'],
  ])('a row whose %s is %j is named', (field, value, incompleteBecause) => {
    const page = parsed(parseWallet([inr, { ...inr, asset: 'BTC', [field]: value }]));
    expect(page).toMatchObject({ incompleteBecause });
    expect(page.rows).toHaveLength(1);
  });
});

describe('open orders', () => {
  const order = {
    symbol: 'BTC/INR',
    orderId: '1-9007199254740993-1',
    price: '5000000',
    origQty: '0.01',
    executedQty: '0',
    remainingQty: '0.01',
    status: 'NEW',
    type: 'LIMIT',
    side: 'BUY',
    time: 1_700_000_000_000,
  };
  const row = {
    symbol: 'BTC/INR',
    orderId: '1-9007199254740993-1',
    side: 'buy',
    type: 'limit',
    price: '5000000',
    originalQuantity: '0.01',
    executedQuantity: '0',
    remainingQuantity: '0.01',
    status: 'NEW',
    venueTime: 1_700_000_000_000,
  };

  test('a row', () => expect(parsed(orders([order]))).toEqual({ rows: [row] }));

  test('numbers where texts are specified, and an id beyond 2^53, keep every digit', () => {
    const text = JSON.stringify([order])
      .replace('"1-9007199254740993-1"', '9007199254740993')
      .replace('"0.01"', '0.010');
    expect(parsed(orders(exact(text)))).toEqual({ rows: [{ ...row, orderId: '9007199254740993' }] });
  });

  test.each([
    ['MARKET', '0', 'market'],
    ['MARKET', null, 'market'],
    ['STOP_LIMIT', '5', 'stop-limit'],
    ['STOP_MARKET', '0', 'stop-market'],
    ['ICEBERG', '5', 'other'],
    [undefined, '5', 'other'],
  ])('type %s with price %s is %s', (type, price, kind) => {
    expect(parsed(orders([{ ...order, type, price }])).rows).toMatchObject([{ type: kind }]);
  });

  test('an unknown status stays as written', () => {
    expect(parsed(orders([{ ...order, status: 'PENDING_NEW' }])).rows).toMatchObject([{ status: 'PENDING_NEW' }]);
  });

  test.each(['CANCELED', ['Cancel', 'led'].join(''), 'PARTIALLY_CANCELED', 'REJECTED', 'EXPIRED', 'closed'])(
    'an order that is %s is none, whatever else its row lacks',
    (status) => {
      const over = { ...order, orderId: '1-7-1', status };
      expect(parsed(orders([over, order, { status, price: null }]))).toEqual({ rows: [row] });
    },
  );

  test.each(['FILLED', 'EXECUTED', 'SOME_NEW_WORD'])(
    '%s is over with nothing left to fill, and open else',
    (status) => {
      expect(parsed(orders([{ ...order, status, executedQty: '0.01', remainingQty: '0' }]))).toEqual({ rows: [] });
      expect(parsed(orders([{ ...order, status }])).rows).toMatchObject([{ status }]);
    },
  );

  test.each(['PENDING_CANCEL', 'CANCEL_REJECTED', 'NEW', 'PARTIALLY_FILLED', 'partially filled'])(
    '%s does not make a live order disappear',
    (status) => expect(parsed(orders([{ ...order, status }])).rows).toMatchObject([{ status }]),
  );

  describe('two rows of one order', () => {
    const other = { ...order, orderId: '1-8-1' };
    const differ = (text: string) => ({ incompleteBecause: `Rows of one order differ: ${text}.` });

    test('that are equal but for how numbers are written are one order of a whole list (F35)', () => {
      const again = { ...order, price: '5000000.0', origQty: 0.01, unknown: 7 };
      expect(parsed(orders([order, other, again, other]))).toEqual({ rows: [row, { ...row, orderId: '1-8-1' }] });
    });

    test.each([
      ['symbol', 'ETH/INR'],
      ['side', 'SELL'],
      ['type', 'STOP_LIMIT'],
      ['price', '5000001'],
      ['origQty', '0.02'],
      ['remainingQty', '0.009'],
      ['status', 'PARTIALLY_FILLED'],
      ['time', 1_700_000_000_001],
      ['status', 'CANCELED'],
    ])('that differ in %s (%j) make the list incomplete, and the order stays', (field, value) => {
      const changed = { ...order, [field]: value };
      for (const body of [
        [order, changed],
        [changed, order],
      ]) {
        expect(parsed(orders(body, true))).toMatchObject({
          rows: [{ orderId: order.orderId }],
          ...differ(order.orderId),
        });
      }
    });

    test('are counted, the first is named, and what filled last is the later (seed 720)', () => {
      const [early, late] = [
        { ...order, executedQty: '0.001' },
        { ...order, executedQty: '0.002' },
      ];
      const page = orders([other, late, early, order, { ...other, status: 'CANCELED' }, { ...other, price: '7' }]);
      expect(parsed(page)).toMatchObject({
        rows: [{ executedQuantity: '0' }, { executedQuantity: '0.002' }],
        ...differ(`${order.orderId}; and 1 more`),
      });
    });

    test('that are over say nothing of an open one', () => {
      const over = { ...order, status: 'CANCELED' };
      expect(parsed(orders([over, { ...over, executedQty: '0.01' }, other]))).toEqual({
        rows: [{ ...row, orderId: '1-8-1' }],
      });
    });
  });

  test('orders that are over take places of the page', () => {
    const page = pageOf(25).map((each, index) => (index < 5 ? { ...each, status: 'CANCELED' } : each));
    expect(parsed(orders(page)).incompleteBecause).toBeUndefined();
    expect(parsed(orders(page.slice(0, 20))).incompleteBecause).toMatch('exactly 20 rows and may be cut');
  });

  test.each([
    ['orderId', null, 'field "orderId" is null, not an identifier'],
    ['orderId', 'a b', 'field "orderId" is "a b", not an identifier'],
    ['side', 'HOLD', 'field "side" is "HOLD", not BUY or SELL'],
    ['price', '0', 'field "price" is "0", not a number above zero'],
    ['origQty', null, 'field "origQty" is null, not a number above zero'],
    ['remainingQty', undefined, 'field "remainingQty" is missing, not a number of at least zero'],
    ['executedQty', {}, 'field "executedQty" is {}, not a number of at least zero'],
    ['status', 7, 'field "status" is 7, not a text'],
    ['time', null, 'field "time" is null, not a time'],
  ])('a row whose %s is %j makes the page incomplete', (field, value, problem) => {
    const page = parsed(orders([order, { ...order, [field]: value }]));
    expect(page).toEqual({ rows: [row], incompleteBecause: `Row 2 of 2: ${problem}.` });
  });

  const pageOf = (count: number) => Array.from({ length: count }, (_, n) => ({ ...order, orderId: `1-${n}-1` }));

  test.each([0, 1, 19, 21, 49, 51, 120])('%i rows are whole', (count) => {
    expect(parsed(orders(pageOf(count))).incompleteBecause).toBeUndefined();
  });

  test.each([20, 50])('%i rows may be cut', (count) => {
    const all = `The page has exactly ${count} rows and may be cut (open orders of all symbols: ask by symbol).`;
    expect(parsed(orders(pageOf(count))).incompleteBecause).toBe(all);
    const one = parsed(parseOpenOrders(pageOf(count), { caps: DIALECT.openOrdersCaps, symbol: 'BTC/INR' }));
    expect(one.incompleteBecause).toBe(`The page has exactly ${count} rows and may be cut (open orders of BTC/INR).`);
    expect(parsed(orders(pageOf(count), true)).incompleteBecause).toBeUndefined();
  });

  test.each([20, 50])('%i orders may be cut, whatever is listed twice beside them (seed 105)', (count) => {
    const page = pageOf(count);
    expect(parsed(orders([...page, ...page.slice(0, 2)])).incompleteBecause).toMatch(
      `exactly ${count} rows and may be cut`,
    );
    expect(parsed(orders([...page.slice(2), ...page.slice(2, 4)])).incompleteBecause).toMatch(`exactly ${count} rows`);
  });

  test('a cut page is counted with the rows that were not understood', () => {
    const page = parsed(orders([...pageOf(19), null]));
    expect(page.incompleteBecause).toMatch(/^Row 20 of 20: it is null, not an object\. The page has exactly 20 rows/);
  });

  test('an answer to another question is not complete', () => {
    const page = parsed(parseOpenOrders([order], { caps: DIALECT.openOrdersCaps, symbol: 'ETH/INR' }));
    expect(page.incompleteBecause).toBe('Asked for ETH/INR, the answer holds BTC/INR.');
  });
});

const TRADE = {
  symbol: 'BTC/INR',
  id: '101',
  orderId: '1-5-1',
  price: '5000000',
  qty: '0.01',
  quoteQty: '50000',
  commission: '200',
  commissionAsset: 'INR',
  tds: '500',
  time: 1_700_000_000_000,
  isBuyer: false,
  isMaker: true,
};
const FILL = {
  symbol: 'BTC/INR',
  tradeId: '101',
  orderId: '1-5-1',
  side: 'sell',
  price: '5000000',
  quantity: '0.01',
  quoteQuantity: '50000',
  commission: '200',
  commissionAsset: 'INR',
  tds: '500',
  liquidity: 'maker',
  venueTime: 1_700_000_000_000,
};

describe('spot trades', () => {
  const [trade, fill] = [TRADE, FILL];

  test('a row', () => expect(parsed(trades([trade]))).toEqual({ rows: [fill] }));

  test('an id beyond 2^53 as a number keeps every digit', () => {
    const body = exact(JSON.stringify([trade]).replace('"101"', '18446744073709551615'));
    expect(parsed(trades(body)).rows).toMatchObject([{ tradeId: '18446744073709551615' }]);
  });

  test.each([
    ['tds', '-500', { tds: '500' }],
    ['tds', null, { tds: '0' }],
    ['tds', '', { tds: '0' }],
    ['tds', undefined, { tds: '0' }],
    ['commission', '-200', { commission: '200' }],
    ['isBuyer', 'true', { side: 'buy' }],
    ['isMaker', false, { liquidity: 'taker' }],
    ['commissionAsset', 'btc', { commissionAsset: 'BTC' }],
  ])('%s may be %j', (field, value, expected) => {
    expect(parsed(trades([{ ...trade, [field]: value }]))).toEqual({ rows: [{ ...fill, ...expected }] });
  });

  test('no commission needs no asset', () => {
    const rows = parsed(trades([{ ...trade, commission: '0', commissionAsset: null }])).rows;
    expect(rows).toMatchObject([{ commission: '0', commissionAsset: 'INR' }]);
  });

  test.each([
    ['id', '1-2', 'field "id" is "1-2", not a number of plain digits'],
    ['commissionAsset', null, 'field "commissionAsset" is null, not an asset'],
    ['commission', null, 'field "commission" is null, not a decimal number'],
    ['tds', 'x', 'field "tds" is "x", not a decimal number'],
    ['quoteQty', null, 'field "quoteQty" is null, not a number of at least zero'],
    ['isMaker', null, 'field "isMaker" is null, not true or false'],
  ])('a row whose %s is %j makes the page incomplete', (field, value, problem) => {
    const page = parsed(trades([{ ...trade, [field]: value }, trade]));
    expect(page).toEqual({ rows: [fill], incompleteBecause: `Row 1 of 2: ${problem}.` });
  });

  test("a full page is not called cut: that is the cursor's matter", () => {
    const page = trades(Array.from({ length: 50 }, () => trade));
    expect(parsed(page).incompleteBecause).toBeUndefined();
  });

  test('trades of another symbol or order are said', () => {
    expect(parsed(parseSpotTrades([trade], { symbol: 'ETH/INR' })).incompleteBecause).toContain(
      'the answer holds BTC/INR',
    );
    const page = parseSpotTrades([trade], { symbol: 'BTC/INR', orderId: orderId('1-6-1') });
    expect(parsed(page).incompleteBecause).toBe('Asked for 1-6-1, the answer holds 1-5-1.');
  });
});

describe('simple buys and sells', () => {
  const id = '9007199254740993';
  const costs = { commission: '0.0001', commissionAsset: 'BTC', tds: '0' };
  const { orderId: _order, ...bare } = TRADE;
  const trade = { ...bare, ...costs, id, commissionAsset: 'btc', tds: null, isBuyer: true, isMaker: false };
  const { orderId: _of, liquidity: _as, ...rest } = FILL;
  const row = { ...rest, ...costs, tradeId: id, side: 'buy' };
  const sbs = (body: unknown, more = {}) => parsed(parseSbsTrades(body, { symbol: 'BTC/INR', ...more }));

  test('a row, without an order and a maker', () => expect(sbs([trade])).toEqual({ rows: [row] }));

  test('an id beyond 2^53 as a number keeps every digit', () => {
    const body = exact(JSON.stringify([trade]).replace('"9007199254740993"', '9007199254740993'));
    expect(sbs(body)).toEqual({ rows: [row] });
  });

  test('a sale, with tax and a commission that is written as a deduction', () => {
    const sale = { ...trade, isBuyer: 'false', commission: '-150', commissionAsset: 'INR', tds: '-500' };
    const expected = { side: 'sell', commission: '150', commissionAsset: 'INR', tds: '500' };
    expect(sbs([sale])).toEqual({ rows: [{ ...row, ...expected }] });
  });

  test.each([
    ['id', 'SBS-1', 'field "id" is "SBS-1", not a number of plain digits'],
    ['isBuyer', null, 'field "isBuyer" is null, not true or false'],
    ['qty', '0', 'field "qty" is "0", not a number above zero'],
  ])('a row whose %s is %j makes the page incomplete', (field, value, problem) => {
    const page = sbs([trade, { ...trade, [field]: value }]);
    expect(page).toEqual({ rows: [row], incompleteBecause: `Row 2 of 2: ${problem}.` });
  });

  test('of another coin or order than was asked for are said', () => {
    expect(sbs([{ ...trade, symbol: 'ETH/INR' }]).incompleteBecause).toBe(
      'Asked for BTC/INR, the answer holds ETH/INR.',
    );
    expect(sbs([trade], { orderId: tradeId('7') }).incompleteBecause).toBe(
      'Asked for 7, the answer holds 9007199254740993.',
    );
  });
});
