import { describe, expect, test } from '@jest/globals';
import { applyCommand, reader } from '../../../src/matching/engine.ts';
import type { Lots, Ticks } from '../../../src/matching/types.ts';
import { engineWith, expectScript } from './engine-script.ts';

// What the scenarios of `test/scenario/matching.test.ts` do not say of orders and books.
describe('orders', () => {
  test('instruments do not see each other', () =>
    expectScript(
      engineWith(),
      `
      ann buys 1 @ 100            → accepted 1-1-1
      bob sells 1 ETH/INR @ 90    → accepted 1-2-1
      book                        → bids 100x1 asks -
      orders bob                  → 1-2-1
      orders bob BTC/INR          → -
    `,
    ));
  test.each([
    '',
    '1',
    '1-1',
    '1--1',
    '1-1-2',
    '2-1-1',
    '1-01-1',
    '1-1.0-1',
    '1- 1-1',
    '1-x-1',
    `1-${'9'.repeat(10_000)}-1`,
  ])('an id of another shape is unknown: %s', (orderId) => {
    const state = engineWith();
    const order = { account: 'ann', symbol: 'BTC/INR', side: 'buy', price: 100 as Ticks, quantity: 1 as Lots } as const;
    applyCommand(state, { kind: 'create', ...order }, 1);
    const { events } = applyCommand(state, { kind: 'cancel', account: 'ann', orderId }, 2);
    expect(events).toMatchObject([{ kind: 'refused', reason: 'unknown-order' }]);
    expect(reader(state).order(orderId)).toBeUndefined();
  });

  test('reduce keeps the place; taking all is a cancel', () =>
    expectScript(
      engineWith(),
      `
      ann buys 5 @ 100          → accepted 1-1-1
      bob buys 5 @ 100          → accepted 1-2-1
      ann reduces 1-1-1 by 4    → -
      queue buy 100             → 1-1-1:1 1-2-1:5
      book                      → bids 100x6 asks -
      ann reduces 1-2-1 by 1    → refused unknown-order
      bob reduces 1-2-1 by 0    → refused invalid-quantity
      bob reduces 1-2-1 by -1   → refused invalid-quantity
      bob reduces 1-2-1 by 1.5  → refused invalid-quantity
      ann reduces 1-9-1 by 0    → refused unknown-order
      bob reduces 1-2-1 by 5    → canceled 1-2-1 with 5
      ann reduces 1-1-1 by 99   → canceled 1-1-1 with 1
      book                      → bids - asks -
    `,
    ));

  test('a requeued order stands behind all others at its price, under its id', () =>
    expectScript(
      engineWith(),
      `
      ann sells 1 @ 100       → accepted 1-1-1
      bob sells 2 @ 100       → accepted 1-2-1
      ann requeues 1-2-1      → refused unknown-order
      ann requeues 1-1-1      → -
      cat sells 3 @ 100       → accepted 1-4-1
      queue sell 100          → 1-2-1:2 1-1-1:1 1-4-1:3
      ann requeues 1-1-1      → -
      dan opens unlimited     → -
      dan buys 5 @ 100        → accepted 1-6-1 | trade 2 @ 100 bob 1-2-1 dan 1-6-1 | trade 3 @ 100 cat 1-4-1 dan 1-6-1
      ann cancels 1-1-1       → canceled 1-1-1 with 1
    `,
    ));
});

describe('what is reported', () => {
  test('accepted carries the order as created, before it traded', () => {
    const state = engineWith({ firstOrderNumber: 7n, firstTradeNumber: 90n });
    const order = { symbol: 'BTC/INR', price: 100 as Ticks, quantity: 3 as Lots } as const;
    applyCommand(state, { kind: 'create', account: 'ann', side: 'sell', ...order, quantity: 2 as Lots }, 10);
    const { events } = applyCommand(state, { kind: 'create', account: 'bob', side: 'buy', ...order }, 20);
    const charge = { asset: 'INR', amount: 0n };
    const trade = {
      tradeId: '90',
      symbol: 'BTC/INR',
      price: 100,
      quantity: 2,
      notional: 200n,
      makerSide: 'sell',
      makerOrderId: '1-7-1',
      makerAccount: 'ann',
      makerFee: charge,
      takerOrderId: '1-8-1',
      takerAccount: 'bob',
      takerFee: charge,
      tds: 0n,
      at: 20,
    };
    const accepted = { orderId: '1-8-1', account: 'bob', side: 'buy', remaining: 3, createdAt: 20, ...order };
    expect(events).toEqual([
      { kind: 'accepted', order: accepted },
      { kind: 'trade', trade },
    ]);
    expect(reader(state).lastTrade('BTC/INR')).toEqual(trade);
    expect(reader(state).order('1-8-1')).toEqual({ ...accepted, remaining: 1 });
    expect(reader(state).order('1-7-1')).toBeUndefined();
  });

  test('what was read does not change when the engine goes on', () => {
    const state = engineWith();
    const create = { kind: 'create', account: 'ann', symbol: 'BTC/INR', side: 'buy', price: 100 as Ticks } as const;
    applyCommand(state, { ...create, quantity: 5 as Lots }, 1);
    const market = reader(state);
    const [order, best, balance] = [market.order('1-1-1'), market.best('BTC/INR', 'buy'), market.balance('ann', 'INR')];
    expect(market.levels('BTC/INR', 'buy', 1)).toEqual([{ price: 100, quantity: 5 }]);
    applyCommand(state, { kind: 'cancel-all', account: 'ann' }, 2);
    expect(market.levels('BTC/INR', 'buy', 1)).toEqual([]);
    expect([order?.remaining, best, balance]).toEqual([5, { price: 100, quantity: 5 }, { free: -500n, locked: 500n }]);
    expect([market.best('BTC/INR', 'buy'), market.balance('ann', 'INR').locked]).toEqual([undefined, 0n]);
  });

  test('an unknown symbol or account reads as empty', () => {
    const market = reader(engineWith());
    expect(market.instrument('XRP/INR')).toBeUndefined();
    expect(market.levels('XRP/INR', 'buy', 5)).toEqual([]);
    expect(market.queue('XRP/INR', 'buy', 5 as Ticks)).toEqual([]);
    expect(market.lastTrade('XRP/INR')).toBeUndefined();
    expect(market.ordersOf('nobody')).toEqual([]);
    expect(market.ordersOf('ann', 'XRP/INR')).toEqual([]);
    expect(market.balance('nobody', 'INR')).toEqual({ free: 0n, locked: 0n });
  });

  test('numbers beyond 2^53 are exact', () =>
    expectScript(
      engineWith({ firstOrderNumber: 2n ** 64n + 1n }),
      `
      ann buys 1 @ 100                     → accepted 1-18446744073709551617-1
      ann buys 1 @ 100                     → accepted 1-18446744073709551618-1
      ann cancels 1-18446744073709551616-1 → refused unknown-order
      ann cancels 1-18446744073709551618-1 → canceled 1-18446744073709551618-1 with 1
      orders ann                           → 1-18446744073709551617-1
    `,
    ));
});
