// Trades that are taken back, corrected, or told late (order-truth F41, F42, F50, F51).
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { EngineSettings } from '../../../src/matching/types.ts';
import type { OwnerAction } from '../../../src/paper/state/owner-actions.ts';
import { manualOrder, OwnerExchange, ownerExchange } from './owner-exchange.ts';
import { scriptedCrowd } from './scripted-crowd.ts';
import { ALICE, BOB, START, smallSettings } from './small-exchange.ts';

const FIRST = 9_007_199_254_740_993_001n;
const id = (nth: number) => String(FIRST + BigInt(nth));
const query = { symbol: 'BTC/INR' };
const bust = (tradeId: string): OwnerAction => ({ kind: 'bust-trade', tradeId });
const correct = (tradeId: string, quantity: string, price: string): OwnerAction => ({
  kind: 'correct-trade',
  tradeId,
  price: decimal(price),
  quantity: decimal(quantity),
});
const ids = (exchange: OwnerExchange, key = ALICE): number[] =>
  [...exchange.ask('spot-trades', { query, key }).body.matchAll(/"id":(\d+)/g)].map(([, text]) =>
    Number(BigInt(text ?? 0) - FIRST),
  );
/** Alice buys `count` times 0.1 of Bob at 5000, a second apart. */
function traded(exchange: OwnerExchange, count: number): OwnerExchange {
  for (let trade = 0; trade < count; trade += 1) {
    exchange.now += 1_000;
    exchange.place('BUY 0.100 @ 5000');
    exchange.place('SELL 0.100 @ 5000', BOB);
  }
  return exchange;
}
const everything = (exchange: OwnerExchange) =>
  ['alice', 'bob', 'fees', 'tax'].map((account) => exchange.truthOf(account).balances);

describe('a trade that is busted', () => {
  test('disappears on both sides, with its money, its fees and its tax', () => {
    const exchange = ownerExchange();
    const before = everything(exchange);
    traded(exchange, 1);
    exchange.act(bust(id(0)));
    expect(everything(exchange)).toEqual(before);
    expect([ids(exchange), ids(exchange, BOB)]).toEqual([[], []]);
  });

  test('leaves the others, and the order that it was of, as they are', () => {
    const exchange = traded(ownerExchange(), 3);
    exchange.place('BUY 1.000 @ 5000');
    exchange.place('SELL 0.400 @ 5000', BOB);
    exchange.act(bust(id(3)));
    exchange.act(bust(id(1)));
    expect(ids(exchange)).toEqual([2, 0]);
    expect(exchange.rows('open-orders')).toMatchObject([{ executedQty: '0.4', remainingQty: '0.6' }]);
    exchange.restart();
    expect(ids(exchange, BOB)).toEqual([2, 0]);
  });

  test('with the crowd takes from the crowd', () => {
    const bid = { after: 0, side: 'buy', price: 10_000, quantity: 100 } as const;
    const exchange = new OwnerExchange(smallSettings({ crowd: scriptedCrowd([bid]) }));
    exchange.place('SELL 0.100 @ 5000');
    expect(exchange.wallet('INR')).toBe('1000492.5+0');
    exchange.act(bust(id(0)));
    expect([exchange.wallet('INR'), exchange.wallet('BTC')]).toEqual(['1000000+0', '10+0']);
    expect(exchange.truthOf('crowd').balances.BTC?.free).toBe('0');
  });

  test('with oneself has two rows, which both go', () => {
    const exchange = ownerExchange();
    exchange.place('BUY 0.100 @ 5000');
    exchange.place('SELL 0.100 @ 5000');
    expect(ids(exchange)).toEqual([0, 0]);
    exchange.act(bust(id(0)));
    expect([ids(exchange), exchange.wallet('INR'), exchange.wallet('BTC')]).toEqual([[], '1000000+0', '10+0']);
  });

  test('gives back what the fee really was, in the asset that it was taken in', () => {
    const engine: EngineSettings = { ...smallSettings().engine, buyerFeeAsset: 'base', makerFeeRatio: decimal('0.1') };
    const exchange = new OwnerExchange(smallSettings({ engine }));
    traded(exchange, 1);
    expect(exchange.wallet('BTC')).toBe('10.09+0');
    exchange.act(bust(id(0)));
    expect([exchange.wallet('BTC'), exchange.truthOf('fees').balances.BTC?.free]).toEqual(['10+0', '0']);
  });

  test.each<[string, (exchange: OwnerExchange) => void, string]>([
    ['is unknown', () => {}, `There is no trade ${id(7)} of any account.`],
  ])('is refused where it %s', (_what, prepare, sentence) => {
    const exchange = traded(ownerExchange(), 1);
    prepare(exchange);
    expect(exchange.refusal(bust(id(7)))).toBe(sentence);
  });

  test('is refused where one side has not what it must give back', () => {
    const exchange = traded(ownerExchange(), 1);
    exchange.place('SELL 10.050 @ 9000');
    expect(exchange.refusal(bust(id(0)))).toBe('alice has 0.05 BTC free, not 0.1.');
    expect(ids(exchange)).toEqual([0]);
  });
});

describe('a trade that is corrected', () => {
  test('comes back with the same id and time, and both balances follow', () => {
    const [corrected, right] = [traded(ownerExchange(), 2), traded(ownerExchange(), 1)];
    corrected.act(correct(id(1), '0.3', '5002.5'));
    right.now += 1_000;
    right.place('BUY 0.300 @ 5002.5');
    right.place('SELL 0.300 @ 5002.5', BOB);
    expect(everything(corrected)).toEqual(everything(right));
    for (const key of [ALICE, BOB]) {
      const [rows, expected] = [corrected, right].map((exchange) => exchange.ask('spot-trades', { query, key }).body);
      expect(rows).toBe(expected);
    }
  });

  test('keeps each side in its role: who took pays as who takes', () => {
    const [corrected, right] = [ownerExchange(), ownerExchange()];
    for (const [exchange, quantity, price] of [
      [corrected, '0.100', '5000'],
      [right, '0.700', '4999'],
    ] as const) {
      exchange.place(`SELL ${quantity} @ ${price}`, BOB);
      exchange.place(`BUY ${quantity} @ ${price}`);
    }
    corrected.act(correct(id(0), '0.7', '4999'));
    expect(everything(corrected)).toEqual(everything(right));
    expect(corrected.rows('spot-trades', { query })).toMatchObject([{ isMaker: false, commission: '17.4965' }]);
  });

  test('can be corrected again, and busted', () => {
    const exchange = ownerExchange();
    const before = everything(exchange);
    traded(exchange, 1);
    exchange.act(correct(id(0), '2', '1000'));
    exchange.act(correct(id(0), '1', '4000.5'));
    expect(exchange.rows('spot-trades', { query })).toMatchObject([
      { qty: '1', price: '4000.5', commission: '16.002' },
    ]);
    exchange.act(bust(id(0)));
    expect(everything(exchange)).toEqual(before);
  });

  test.each([
    ['0.0005', '5000', "BTC/INR can't be traded 0.0005 at 5000: above zero, in steps of 0.001 and 0.5."],
    ['0', '5000', "BTC/INR can't be traded 0 at 5000: above zero, in steps of 0.001 and 0.5."],
    ['1', '-1', "BTC/INR can't be traded 1 at -1: above zero, in steps of 0.001 and 0.5."],
    ['500', '5000', 'alice has 999498 INR free, not 2509498.'],
  ])('to %s at %s is refused', (quantity, price, sentence) => {
    expect(traded(ownerExchange(), 1).refusal(correct(id(0), quantity, price))).toBe(sentence);
  });
});

describe('a row that is told late', () => {
  test('is hidden for so long, and comes back in its place; the other side has its own', () => {
    const exchange = traded(ownerExchange(), 3);
    exchange.act({ kind: 'delay-trade', account: 'alice', tradeId: id(1), forMs: 5_000 });
    const at = exchange.now;
    const shown = (afterMs: number) => {
      exchange.now = at + afterMs;
      return ids(exchange);
    };
    expect(ids(exchange, BOB)).toEqual([2, 1, 0]);
    expect([shown(0), shown(4_999), shown(5_000)]).toEqual([
      [2, 0],
      [2, 0],
      [2, 1, 0],
    ]);
  });

  test('may be one to come: so many of them, then none', () => {
    const exchange = ownerExchange();
    exchange.act({ kind: 'delay-next-trades', account: 'alice', count: 2, forMs: 60_000 });
    traded(exchange, 1);
    exchange.restart();
    traded(exchange, 2);
    expect([ids(exchange), ids(exchange, BOB)]).toEqual([[2], [2, 1, 0]]);
    expect(exchange.wallet('BTC')).toBe('10.3+0');
    expect(exchange.truthOf('alice').fillCount).toBe(3);
    exchange.now = START + 61_000;
    expect(ids(exchange)).toEqual([2, 0]);
    exchange.now += 1_000;
    expect(ids(exchange)).toEqual([2, 1, 0]);
  });

  test('is called off', () => {
    const exchange = ownerExchange();
    exchange.act({ kind: 'delay-next-trades', account: 'alice', count: 2, forMs: 60_000 });
    exchange.act({ kind: 'delay-next-trades', account: 'alice', count: 0, forMs: 1 });
    expect(ids(traded(exchange, 1))).toEqual([0]);
  });

  test.each<[OwnerAction, string]>([
    [{ kind: 'delay-trade', account: 'bob', tradeId: '7', forMs: 5 }, 'bob has no trade 7.'],
    [{ kind: 'delay-next-trades', account: 'eve', count: 1, forMs: 5 }, 'There is no account eve.'],
  ])('is refused: %j', (action, sentence) => {
    expect(traded(ownerExchange(), 1).refusal(action)).toBe(sentence);
  });
});

describe('trades by number', () => {
  test('ids of different lengths are compared as numbers', () => {
    const engine: EngineSettings = { ...smallSettings().engine, firstTradeNumber: 8n };
    const exchange = traded(
      new OwnerExchange(smallSettings({ engine, quirks: { tradeListOrder: 'oldest-first' } })),
      4,
    );
    const from = (fromId: string) => exchange.rows('spot-trades', { query: { ...query, fromId } }).map((row) => row.id);
    expect([from('9'), from('0010'), from('100')]).toEqual([[9, 10, 11], [10, 11], []]);
  });

  test('a row told late, or dated back, is on the page of its number, not of its time', () => {
    const exchange = ownerExchange({ tradeListOrder: 'oldest-first' });
    exchange.now += 60_000;
    traded(exchange, 2);
    exchange.place('BUY 1.000 @ 4000', BOB);
    exchange.act(manualOrder('sell 1 LIMIT 4000', { at: START + 5_000 }));
    expect(ids(exchange)).toEqual([2, 0, 1]);
    const from = (nth: number, limit: string) => {
      const { body } = exchange.ask('spot-trades', { query: { ...query, fromId: id(nth), limit } });
      return [...body.matchAll(/"id":(\d+)/g)].map(([, text]) => Number(BigInt(text ?? 0) - FIRST));
    };
    expect([from(0, '2'), from(1, '2'), from(2, '2')]).toEqual([[0, 1], [1, 2], [2]]);
  });
});
