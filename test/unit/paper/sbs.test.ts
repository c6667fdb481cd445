// Simple buys and sells: what they move, what their list shows, and what it refuses.
import { describe, expect, test } from '@jest/globals';
import { DAY } from '../../../src/domain/time.ts';
import type { Quirks } from '../../../src/paper/wire/quirks.ts';
import { ENDPOINTS } from '../../../src/venue/endpoints.ts';
import { ownerExchange, sbsTrade } from './owner-exchange.ts';
import { BOB, type RequestOptions, START, verdict } from './small-exchange.ts';

const FIRST = 9_007_199_254_740_993n;
const q = (query: Record<string, string>): RequestOptions => ({ query: { symbol: 'BTC/INR', ...query } });

describe('a simple buy or sell', () => {
  test('moves coin and INR, commission and tax, and is a row of its own kind', () => {
    const exchange = ownerExchange();
    exchange.act(sbsTrade('buy 0.5 BTC @ 5000.25', { commission: '12.5', tds: '1' }));
    expect([exchange.wallet('BTC'), exchange.wallet('INR')]).toEqual(['10.5+0', '997486.375+0']);
    const { body } = exchange.ask('sbs-trades', q({}));
    expect(body).toBe(
      `[{"id":${FIRST},"symbol":"BTC/INR","price":"5000.25","qty":"0.5",` +
        `"quoteQty":"2500.125","commission":"12.5","commissionAsset":"INR","tds":"1",` +
        `"time":${START},"isBuyer":true,"isMaker":false}]`,
    );
    expect(
      ENDPOINTS['sbs-trades'].answer.safeParse([{ ...exchange.rows('sbs-trades', q({}))[0], id: 1 }]).success,
    ).toBe(true);
    expect(exchange.truthOf('fees').balances.INR?.free).toBe('12.5');
    expect(exchange.truthOf('tax').balances.INR?.free).toBe('1');
  });

  test('may charge its commission in the coin', () => {
    const exchange = ownerExchange();
    exchange.act(sbsTrade('sell 2 BTC @ 5000', { commission: '0.01', commissionIn: 'coin', tds: '100' }));
    expect([exchange.wallet('BTC'), exchange.wallet('INR')]).toEqual(['7.99+0', '1009900+0']);
    expect(exchange.rows('sbs-trades', q({}))).toMatchObject([
      { commission: '0.01', commissionAsset: 'BTC', tds: '100', isBuyer: false, isMaker: false },
    ]);
  });

  test('rounds price × quantity half up to the smallest unit', () => {
    const exchange = ownerExchange();
    exchange.act(sbsTrade('buy 0.00000001 BTC @ 0.5'));
    exchange.act(sbsTrade('buy 0.00000001 BTC @ 1.4'));
    expect(exchange.rows('sbs-trades', q({})).map((row) => row.quoteQty)).toEqual(['0.00000001', '0.00000001']);
    expect(exchange.refusal(sbsTrade('buy 0.00000001 BTC @ 0.4'))).toBe('0.00000001 BTC at 0.4 is nothing.');
  });

  test('has nothing to do with the market of the same symbol', () => {
    const exchange = ownerExchange();
    exchange.act(sbsTrade('buy 0.5 BTC @ 5000'));
    expect(exchange.rows('spot-trades', q({}))).toEqual([]);
    expect(exchange.rows('public-trades', q({}))).toEqual([]);
    expect(exchange.rows('sbs-trades', { ...q({}), key: BOB })).toEqual([]);
  });

  test('goes on with its numbers after a restart', () => {
    const exchange = ownerExchange();
    expect(exchange.act(sbsTrade('buy 0.5 BTC @ 5000'))).toEqual({ kind: 'sbs-trade', tradeId: String(FIRST) });
    exchange.restart();
    expect(exchange.act(sbsTrade('buy 0.5 BTC @ 5000'))).toEqual({ kind: 'sbs-trade', tradeId: String(FIRST + 1n) });
  });
});

/** Six buys of BTC, a second apart from START + 1 s, each a coin dearer, and one of ETH. */
function withSix(quirks: Partial<Quirks> = {}) {
  const exchange = ownerExchange(quirks);
  for (let count = 0; count < 6; count += 1) {
    exchange.now += 1_000;
    exchange.act(sbsTrade(`buy 0.${count + 1} BTC @ 5000`));
  }
  exchange.act(sbsTrade('buy 1 ETH @ 300'));
  return exchange;
}
const page = (exchange: ReturnType<typeof withSix>, query: Record<string, string>): number[] =>
  [...exchange.ask('sbs-trades', q(query)).body.matchAll(/"id":"?(\d+)/g)].map(([, id]) =>
    Number(BigInt(id ?? 0) - FIRST),
  );

describe('the list of them', () => {
  test.each<[Record<string, string>, number[]]>([
    [{}, [5, 4, 3, 2, 1, 0]],
    [{ symbol: 'ETH/INR' }, [6]],
    [{ startTime: String(START + 5_000) }, [5, 4]],
    [{ endTime: String(START + 2_000) }, [1, 0]],
    [{ startTime: String(START + 2_000), endTime: String(START + 3_000) }, [2, 1]],
    [{ fromId: String(FIRST + 4n) }, [5, 4]],
    [{ fromId: `000${FIRST + 4n}` }, [5, 4]],
    [{ orderId: String(FIRST + 2n) }, [2]],
    [{ orderId: String(FIRST + 6n) }, []],
    [{ orderId: String(FIRST + 2n), fromId: String(FIRST + 3n) }, []],
    [{ orderId: String(FIRST + 2n), fromId: '1', startTime: '1', endTime: String(1 + 3 * DAY) }, []],
    [{ fromId: String(FIRST + 1n), startTime: String(START + 4_000), endTime: String(START + 5_000) }, [4, 3]],
  ])('%j selects %j', (query, expected) => {
    expect(page(withSix({ tradePage: 'newest' }), query)).toEqual(expected);
  });

  test.each<[Partial<Quirks>, Record<string, string>, number[]]>([
    [{ tradeListOrder: 'oldest-first' }, {}, [0, 1, 2, 3, 4, 5]],
    [{ tradePage: 'oldest' }, { limit: '2' }, [1, 0]],
    [{ tradePage: 'newest' }, { limit: '2' }, [5, 4]],
    [{ fromIdPage: 'oldest' }, { limit: '2', fromId: String(FIRST + 1n) }, [2, 1]],
    [{ fromIdPage: 'newest' }, { limit: '2', fromId: String(FIRST + 1n) }, [5, 4]],
    [{ listCap: 3, tradePage: 'newest' }, {}, [5, 4, 3]],
    [{ historyWindowMs: 2_000 }, {}, [5, 4, 3]],
    [{ tradesLagMs: 2_000 }, {}, [3, 2, 1, 0]],
    [{ tradeIdAs: 'string', timeAs: 'string' }, { fromId: String(FIRST + 5n) }, [5]],
  ])('by %j, %j shows %j', (quirks, query, expected) => {
    expect(page(withSix(quirks), query)).toEqual(expected);
  });

  test('has no historical twin: what is beyond the window is gone', () => {
    const exchange = ownerExchange({ historyWindowMs: DAY });
    exchange.now += 3 * DAY;
    exchange.act(sbsTrade('buy 1 BTC @ 5000', { at: START + DAY }));
    exchange.act(sbsTrade('buy 2 BTC @ 5000', { at: START + 2 * DAY }));
    expect(exchange.rows('sbs-trades', q({}))).toMatchObject([{ qty: '2' }]);
    expect(Object.keys(ENDPOINTS).filter((name) => name.startsWith('sbs'))).toEqual(['sbs-trades']);
  });

  test('stays in order of time where a row is dated back, while ids tell when they were told', () => {
    const exchange = ownerExchange({ tradeListOrder: 'oldest-first' });
    exchange.now += 10_000;
    exchange.act(sbsTrade('buy 1 BTC @ 5000'));
    exchange.act(sbsTrade('buy 2 BTC @ 5000', { at: START + 5_000 }));
    exchange.act(sbsTrade('buy 3 BTC @ 5000', { at: START + 5_000 }));
    const rows = exchange.rows('sbs-trades', q({}));
    expect(rows.map((row) => [row.qty, Number(row.time) - START])).toEqual([
      ['2', 5_000],
      ['3', 5_000],
      ['1', 10_000],
    ]);
    expect(exchange.rows('sbs-trades', q({ fromId: String(FIRST + 1n) })).map((row) => row.qty)).toEqual(['2', '3']);
  });
});

describe('the list refuses', () => {
  test.each<[string, Record<string, string>, string]>([
    ['no symbol', { symbol: '' }, '400 -1103'],
    ['a symbol in small letters', { symbol: 'btc/inr' }, '400 -1123'],
    ['a coin alone', { symbol: 'BTC' }, '400 -1123'],
    ['an unknown coin', { symbol: 'DOGE/INR' }, '400 -1121'],
    ['another quote than INR', { symbol: 'ETH/BTC' }, '400 -1121'],
    ['INR for INR', { symbol: 'INR/INR' }, '400 -1121'],
    ['a limit that is a word', { limit: 'x' }, '400 -1104'],
    ['a limit above fifty', { limit: '51' }, '400 -1105'],
    ['an order id of the form of the book', { orderId: '1-5-1' }, '400 -1124'],
    ['an empty order id', { orderId: '' }, '400 -1124'],
    ['a start that is a word', { startTime: 'x' }, '400 -1107'],
    ['an end before its start', { startTime: '2', endTime: '1' }, '400 -1107'],
    ['72 hours not', { startTime: '1', endTime: String(1 + 3 * DAY) }, '200'],
    ['a millisecond more', { startTime: '1', endTime: String(2 + 3 * DAY) }, '400 -1107'],
    ['a fromId that is a word', { fromId: 'x' }, '500 -1009'],
    ['no combination', { orderId: '1', fromId: '1', startTime: '1', endTime: '2', limit: '1' }, '200'],
    ['symbol before limit', { symbol: 'x', limit: 'x' }, '400 -1123'],
    ['limit before order id', { limit: 'x', orderId: 'x' }, '400 -1104'],
    ['order id before times', { orderId: 'x', startTime: 'x' }, '400 -1124'],
    ['times before fromId', { startTime: 'x', fromId: 'x' }, '400 -1107'],
  ])('%s: %j → %s', (_what, query, expected) => {
    expect(verdict(ownerExchange({ emptyValues: 'included' }).ask('sbs-trades', q(query)))).toBe(expected);
  });

  test.each([
    ['symbol=BTC/INR&symbol=BTC/INR', '400 -1123'],
    ['limit=5&limit=5&symbol=BTC/INR', '400 -1104'],
    ['orderId=5&orderId=5&symbol=BTC/INR', '400 -1124'],
    ['fromId=5&fromId=5&symbol=BTC/INR', '500 -1009'],
    ['endTime=5&endTime=5&symbol=BTC/INR', '400 -1107'],
  ])('a parameter that is given twice: %s → %s', (query, expected) => {
    expect(verdict(ownerExchange().askTwice('sbs-trades', query))).toBe(expected);
  });
});
