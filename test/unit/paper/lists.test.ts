// What the lists show of what happened: market data, wallet, open orders, own trades.
import { describe, expect, test } from '@jest/globals';
import { control } from '../../../src/paper/exchange.ts';
import type { Quirks } from '../../../src/paper/wire/quirks.ts';
import { OwnerExchange } from './owner-exchange.ts';
import { BOB, SmallExchange, START, smallSettings, verdict } from './small-exchange.ts';

const BTC = { query: { symbol: 'BTC/INR' } };
const withQuirks = (quirks: Partial<Quirks>) => new SmallExchange(smallSettings({ quirks }));
const ids = (rows: unknown): string[] => (Array.isArray(rows) ? rows.map((row) => String(row.orderId)) : []);

/** Alice rests 1 BTC at 5000, Bob sells `count` times 0.1 into it, a second apart. */
function withFills(exchange: SmallExchange, count: number): string {
  const orderId = exchange.place('BUY 1.000 @ 5000');
  for (let fill = 0; fill < count; fill += 1) {
    exchange.now += 1_000;
    exchange.place('SELL 0.100 @ 5000', BOB);
  }
  return orderId;
}

describe('public data', () => {
  test('symbols are those of the settings', () => {
    expect(new SmallExchange().read('symbols')).toEqual(['BTC/INR', 'ETH/INR']);
  });

  test('a book has levels from the best outwards, at most the limit and the cap of N3', () => {
    const exchange = withQuirks({ orderBookCap: 2 });
    for (const price of ['5000', '4999.5', '4998']) exchange.place(`BUY 0.100 @ ${price}`);
    exchange.place('BUY 0.050 @ 5000', BOB);
    exchange.place('SELL 0.100 @ 5001.5');
    const bids = [
      ['5000', '0.15'],
      ['4999.5', '0.1'],
    ];
    expect(exchange.read('order-book', BTC)).toEqual({ bids, asks: [['5001.5', '0.1']] });
    expect(exchange.read('order-book', { query: { symbol: 'BTC/INR', limit: '1' } })).toMatchObject({
      bids: [bids[0]],
    });
    expect(exchange.read('order-book', { query: { symbol: 'ETH/INR' } })).toEqual({ bids: [], asks: [] });
  });

  test('public trades are newest first and say who was the maker', () => {
    const exchange = new SmallExchange();
    withFills(exchange, 2);
    exchange.place('SELL 0.100 @ 5010');
    exchange.place('BUY 0.100 @ 5010', BOB);
    expect(exchange.read('public-trades', { query: { symbol: 'BTC/INR', limit: '2' } })).toEqual([
      { price: '5010', qty: '0.1', quoteQty: '501', time: START + 2_000, isBuyerMaker: false },
      { price: '5000', qty: '0.1', quoteQty: '500', time: START + 2_000, isBuyerMaker: true },
    ]);
  });

  test('a ticker has the range of a rolling day', () => {
    const exchange = new SmallExchange();
    const tradeAt = (price: string) => {
      exchange.place(`SELL 0.100 @ ${price}`);
      exchange.place(`BUY 0.100 @ ${price}`, BOB);
    };
    tradeAt('6000');
    exchange.now += 3_600_000;
    tradeAt('5000');
    tradeAt('5500');
    const row = { symbol: 'BTC/INR', lastPrice: '5500', time: String(exchange.now) };
    expect(exchange.read('tickers')).toEqual([
      { ...row, high: '6000', low: '5000', volume: '0.3', change_24h: '-8.33' },
    ]);
    exchange.now += 23.5 * 3_600_000;
    expect(exchange.read('tickers', BTC)).toEqual([
      { ...row, high: '5500', low: '5000', volume: '0.2', change_24h: '10.00' },
    ]);
    exchange.now += 3_600_000;
    expect(exchange.read('tickers', BTC)).toEqual([
      { ...row, high: '5500', low: '5500', volume: '0', change_24h: '0.00' },
    ]);
  });

  test('N4 and N5: a ticker in seconds, public trades in another zone', () => {
    const exchange = withQuirks({ tickerTimeUnit: 's', publicTradeOffsetMs: 19_800_000 });
    withFills(exchange, 1);
    expect(exchange.read('tickers')).toMatchObject([{ time: String(START / 1_000 + 1) }]);
    expect(exchange.read('public-trades', BTC)).toMatchObject([{ time: START + 1_000 + 19_800_000 }]);
  });
});

describe('the wallet', () => {
  const none = { lockedFd: '0', lockedStaking: '0', lockedOtc: '0' };

  test('shows what is free and what orders lock, fee included, and hides what is zero', () => {
    const exchange = new SmallExchange();
    exchange.place('BUY 1.000 @ 5000');
    exchange.place('SELL 2.000 @ 6000');
    expect(exchange.read('wallet')).toEqual([
      { asset: 'BTC', free: '8', locked: '2', ...none },
      { asset: 'INR', free: '994975', locked: '5025', ...none },
    ]);
    const all = exchange.read('wallet', { query: { omitZeroBalances: 'false' } });
    expect(all).toContainEqual({ asset: 'ETH', free: '0', locked: '0', ...none });
  });

  test('after a fill it shows price, fee and tax on their sides', () => {
    const exchange = new SmallExchange();
    withFills(exchange, 1);
    exchange.ask('cancel-all');
    // Alice: 500 for 0.1 BTC and 0.4 % as maker. Bob: 500 less 0.5 % as taker and 1 % tax.
    expect(exchange.read('wallet')).toMatchObject([
      { free: '10.1', locked: '0' },
      { free: '999498', locked: '0' },
    ]);
    expect(exchange.read('wallet', { key: BOB })).toMatchObject([{ free: '9.9' }, { free: '1000492.5' }]);
  });
});

describe('open orders', () => {
  test('are the own ones, oldest first, with what is left of them', () => {
    const exchange = new SmallExchange();
    const orderId = withFills(exchange, 3);
    const other = exchange.place('BUY 1.00 @ 300 ETH/INR');
    const rows = exchange.read('open-orders');
    expect(rows).toEqual([
      {
        symbol: 'BTC/INR',
        orderId,
        price: '5000',
        origQty: '1',
        executedQty: '0.3',
        remainingQty: '0.7',
        status: 'PARTIALLY_FILLED',
        type: 'LIMIT',
        side: 'BUY',
        time: START,
      },
      expect.objectContaining({ orderId: other, status: 'NEW', executedQty: '0' }),
    ]);
    expect(ids(exchange.read('open-orders', { query: { symbol: 'ETH/INR' } }))).toEqual([other]);
    expect(exchange.read('open-orders', { key: BOB })).toEqual([]);
    expect(orderId).toBe('1-9007199254740993-1');
  });

  test('Q4: the page may be cut, each symbol has its own page', () => {
    const exchange = withQuirks({ openOrdersCap: 2 });
    const placed = [1, 2, 3].map(() => exchange.place('BUY 0.100 @ 5000'));
    const other = exchange.place('BUY 1.00 @ 300 ETH/INR');
    expect(ids(exchange.read('open-orders'))).toEqual(placed.slice(0, 2));
    expect(ids(exchange.read('open-orders', { query: { symbol: 'ETH/INR' } }))).toEqual([other]);
  });

  test('each cancel hits what it says', () => {
    const exchange = new SmallExchange();
    const [first = '', second = '', third = ''] = ['5000', '4999', '4998'].map((price) =>
      exchange.place(`BUY 0.100 @ ${price}`),
    );
    const other = exchange.place('BUY 1.00 @ 300 ETH/INR');
    const bobs = exchange.place('BUY 0.100 @ 4000', BOB);
    expect(exchange.read('cancel', { body: { order_id: second } })).toEqual({ msg: expect.any(String) });
    expect(ids(exchange.read('open-orders'))).toEqual([first, third, other]);
    expect(exchange.ask('cancel', { body: { order_id: bobs } }).status).toBe(500);
    exchange.read('cancel-symbol', { body: { symbol: 'BTC/INR' } });
    expect(ids(exchange.read('open-orders'))).toEqual([other]);
    exchange.read('cancel-all');
    expect(exchange.read('open-orders')).toEqual([]);
    expect(ids(exchange.read('open-orders', { key: BOB }))).toEqual([bobs]);
  });

  test('Q5: a cancel of a closed order is acknowledged, or fails', () => {
    for (const [cancelOfClosed, status] of [
      ['acknowledged', 200],
      ['rejected', 500],
    ] as const) {
      const exchange = withQuirks({ cancelOfClosed });
      const orderId = exchange.place('BUY 0.100 @ 5000');
      exchange.place('SELL 0.100 @ 5000', BOB);
      expect(exchange.ask('cancel', { body: { order_id: orderId } }).status).toBe(status);
      expect(exchange.ask('cancel', { body: { order_id: orderId }, key: BOB }).status).toBe(500);
    }
  });
});

describe('own trades', () => {
  const first = 9_007_199_254_740_993_001n;
  const idsOf = (text: string): string[] => [...text.matchAll(/"id":"?(\d+)/g)].map((match) => match[1] ?? '');
  const page = (exchange: SmallExchange, query: Record<string, string>): number[] =>
    idsOf(exchange.ask('spot-trades', { query: { symbol: 'BTC/INR', ...query } }).body).map((id) =>
      Number(BigInt(id) - first),
    );

  test('carry every digit of an id beyond 2^53, as a number', () => {
    const exchange = new SmallExchange();
    const orderId = withFills(exchange, 1);
    const { body } = exchange.ask('spot-trades', BTC);
    expect(body).toBe(
      `[{"id":9007199254740993001,"symbol":"BTC/INR","orderId":"${orderId}","price":"5000","qty":"0.1",` +
        `"quoteQty":"500","commission":"2","commissionAsset":"INR","tds":"0",` +
        `"time":${START + 1_000},"isBuyer":true,"isMaker":true}]`,
    );
    const bobs = exchange.read('spot-trades', { ...BTC, key: BOB });
    expect(bobs).toMatchObject([{ commission: '2.5', tds: '5', isBuyer: false, isMaker: false }]);
  });

  test('Q8: id and time may be text', () => {
    const exchange = withQuirks({ tradeIdAs: 'string', timeAs: 'string' });
    withFills(exchange, 1);
    expect(exchange.read('spot-trades', BTC)).toMatchObject([
      { id: '9007199254740993001', time: String(START + 1_000) },
    ]);
    expect(exchange.read('open-orders')).toMatchObject([{ time: String(START) }]);
  });

  test.each<[string, Record<string, string>, number[]]>([
    ['all', {}, [5, 4, 3, 2, 1, 0]],
    ['a limit', { limit: '2' }, [5, 4]],
    ['a start, inclusive', { startTime: String(START + 5_000) }, [5, 4]],
    ['an end, inclusive', { endTime: String(START + 2_000) }, [1, 0]],
    ['a window', { startTime: String(START + 2_000), endTime: String(START + 3_000) }, [2, 1]],
    ['an id, inclusive', { fromId: String(first + 4n) }, [5, 4]],
    ['an order', { orderId: '1-9007199254740993-1' }, [5, 4, 3, 2, 1, 0]],
    ['another order', { orderId: '1-9007199254740994-1' }, []],
  ])('select by %s', (_what, query, expected) => {
    const exchange = withQuirks({ tradePage: 'newest' });
    withFills(exchange, 6);
    expect(page(exchange, query)).toEqual(expected);
  });

  test('are twenty by default and fifty at most', () => {
    const exchange = new SmallExchange();
    exchange.place('BUY 6.000 @ 5000');
    for (let fill = 0; fill < 60; fill += 1) exchange.place('SELL 0.100 @ 5000', BOB);
    expect(page(exchange, {})).toHaveLength(20);
    expect(page(exchange, { limit: '50' })).toHaveLength(50);
  });

  test.each<[Partial<Quirks>, Record<string, string>, number[]]>([
    [{ tradeListOrder: 'oldest-first' }, {}, [0, 1, 2, 3, 4, 5]],
    [{ fromIdPage: 'oldest' }, { fromId: String(first + 1n), limit: '2' }, [2, 1]],
    [{ fromIdPage: 'newest' }, { fromId: String(first + 1n), limit: '2' }, [5, 4]],
    [{ tradePage: 'oldest' }, { limit: '2' }, [1, 0]],
    [{ tradePage: 'newest' }, { limit: '2' }, [5, 4]],
    [{ tradePage: 'newest', listCap: 3 }, { limit: '5' }, [5, 4, 3]],
    [{ fromIdPage: 'oldest', listCap: 3 }, { fromId: String(first + 1n), limit: '2' }, [2, 1]],
    [{ historyWindowMs: 2_000 }, {}, [5, 4, 3]],
  ])('Q2, Q3, Q16: %j %j', (quirks, query, expected) => {
    const exchange = withQuirks(quirks);
    withFills(exchange, 6);
    expect(page(exchange, query)).toEqual(expected);
  });

  test('Q2: unordered rows are the same rows in no useful order', () => {
    const exchange = withQuirks({ tradeListOrder: 'unordered' });
    exchange.place('BUY 2.000 @ 5000');
    for (let fill = 0; fill < 15; fill += 1) exchange.place('SELL 0.100 @ 5000', BOB);
    const rows = page(exchange, {});
    const rising = [...Array(15).keys()];
    expect([...rows].sort((a, b) => a - b)).toEqual(rising);
    expect([rising, [...rising].reverse()]).not.toContainEqual(rows);
  });
});

describe('own trades beyond the rolling window', () => {
  const HOUR = 3_600_000;
  const times = (exchange: SmallExchange, name: 'spot-trades' | 'spot-trades-historical') => {
    const rows = exchange.read(name, BTC);
    return Array.isArray(rows) ? rows.map((row) => (row.time - START) / HOUR) : rows;
  };
  const aged = (quirks: Partial<Quirks>) => {
    const exchange = withQuirks({ historyWindowMs: 2 * HOUR, ...quirks });
    exchange.place('BUY 1.000 @ 5000');
    for (let fill = 0; fill < 5; fill += 1) {
      exchange.now += HOUR;
      exchange.place('SELL 0.100 @ 5000', BOB);
    }
    return exchange;
  };

  test.each<[Partial<Quirks>, number[], number[]]>([
    [{ archiveHolds: 'older' }, [5, 4, 3], [2, 1]],
    [{ archiveHolds: 'everything' }, [5, 4, 3], [5, 4, 3, 2, 1]],
    [{ historyWindowMs: 24 * HOUR }, [5, 4, 3, 2, 1], []],
  ])('by %j: the recent %j, the historical %j', (quirks, recent, historical) => {
    const exchange = aged(quirks);
    expect([times(exchange, 'spot-trades'), times(exchange, 'spot-trades-historical')]).toEqual([recent, historical]);
  });

  test('each row is in exactly one of the two lists, at the edge to the millisecond', () => {
    const exchange = aged({});
    expect(times(exchange, 'spot-trades-historical')).toEqual([2, 1]);
    exchange.now += 1;
    expect([times(exchange, 'spot-trades'), times(exchange, 'spot-trades-historical')]).toEqual([
      [5, 4],
      [3, 2, 1],
    ]);
  });

  test.each<[Record<string, string>, string]>([
    [{}, '200'],
    [{ symbol: '' }, '400 -1103'],
    [{ symbol: 'btc/inr' }, '400 -1123'],
    [{ symbol: 'DOGE/INR' }, '400 -1121'],
    [{ limit: 'x' }, '400 -1104'],
    [{ limit: '51' }, '400 -1105'],
    [{ orderId: '5' }, '400 -1124'],
    [{ startTime: '2', endTime: '1' }, '400 -1107'],
    [{ startTime: '1', endTime: String(2 + 72 * HOUR) }, '400 -1107'],
    [{ startTime: '1', endTime: String(1 + 72 * HOUR) }, '200'],
    [{ fromId: 'x' }, '500 -1009'],
    [{ fromId: '1', startTime: '1' }, '400 -1109'],
    [{ orderId: '1-1-1', fromId: '1' }, '400 -1109'],
  ])('its list obeys the rules of the recent one: %j → %s', (query, expected) => {
    for (const name of ['spot-trades', 'spot-trades-historical'] as const) {
      const exchange = withQuirks({ emptyValues: 'included' });
      expect(verdict(exchange.ask(name, { query: { ...BTC.query, ...query } }))).toBe(expected);
    }
  });

  test('its selection is the same, over older rows', () => {
    const exchange = aged({ historyWindowMs: 0, tradePage: 'newest' });
    exchange.now += 1;
    const asked = (query: Record<string, string>) => {
      const rows = exchange.read('spot-trades-historical', { query: { ...BTC.query, ...query } });
      return Array.isArray(rows) ? rows.map((row) => (row.time - START) / HOUR) : rows;
    };
    expect(asked({ startTime: String(START + 2 * HOUR), endTime: String(START + 4 * HOUR) })).toEqual([4, 3, 2]);
    expect(asked({ fromId: '9007199254740993004', limit: '1' })).toEqual([4]);
    expect(asked({ orderId: '1-9007199254740993-1', limit: '2' })).toEqual([5, 4]);
  });
});

describe('Q6: lists trail the facts, each by its own lag', () => {
  test('a lag that is set back to zero shows later changes after those that wait', () => {
    const exchange = withQuirks({ openOrdersLagMs: 10_000 });
    const orderId = exchange.place('BUY 0.100 @ 5000');
    control(exchange.state, { quirks: { ...exchange.state.controls.quirks, openOrdersLagMs: 0 } });
    exchange.read('cancel', { body: { order_id: orderId } });
    exchange.now += 20_000;
    expect(exchange.read('open-orders', BTC)).toEqual([]);
  });

  test('an order appears, shrinks and goes late in the list of open orders', () => {
    const exchange = withQuirks({ openOrdersLagMs: 10_000 });
    const orderId = exchange.place('BUY 1.000 @ 5000');
    exchange.now += 4_000;
    exchange.place('SELL 0.400 @ 5000', BOB);
    exchange.now += 4_000;
    exchange.read('cancel', { body: { order_id: orderId } });
    const remaining = (at: number) => {
      exchange.now = START + at;
      const rows = exchange.read('open-orders');
      return Array.isArray(rows) ? rows.map((row) => row.remainingQty) : rows;
    };
    expect([9_999, 10_000, 13_999, 14_000, 17_999, 18_000].map(remaining)).toEqual([
      [],
      ['1'],
      ['1'],
      ['0.6'],
      ['0.6'],
      [],
    ]);
  });

  test('a fill shows late in the list of trades', () => {
    const exchange = withQuirks({ tradesLagMs: 5_000 });
    withFills(exchange, 1);
    const count = (at: number) => {
      exchange.now = START + at;
      return JSON.parse(exchange.ask('spot-trades', BTC).body).length;
    };
    expect([5_999, 6_000].map(count)).toEqual([0, 1]);
  });

  test('what a list of trades has shown stays, where its lag is raised, and over a restart', () => {
    const exchange = new OwnerExchange();
    const lagBy = (tradesLagMs: number) =>
      control(exchange.state, { quirks: { ...exchange.state.controls.quirks, tradesLagMs } });
    const count = () => exchange.rows('spot-trades', BTC).length;
    withFills(exchange, 1);
    expect(count()).toBe(1);
    exchange.now += 1_000;
    lagBy(60_000);
    exchange.restart();
    lagBy(60_000);
    withFills(exchange, 1);
    expect(count()).toBe(1);
    exchange.now += 61_000;
    expect(count()).toBe(2);
  });

  test('money moves late in the wallet, while the market knows at once', () => {
    const exchange = withQuirks({ walletLagMs: 1_000 });
    exchange.now += 10_000;
    exchange.place('SELL 10.000 @ 6000');
    const locked = () => JSON.stringify(exchange.read('wallet')).match(/"locked":"(\d+)"/)?.[1];
    expect(locked()).toBe('0');
    expect(exchange.read('open-orders')).toHaveLength(1);
    exchange.now += 1_000;
    expect(locked()).toBe('10');
  });
});
