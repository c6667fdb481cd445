// What the engine does for orders that wait outside the book: it numbers them, and takes them in under their old id.
import { describe, expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import {
  applyCommand,
  orderReservation,
  reader,
  snapshot,
  tradeTerms,
  validateState,
} from '../../../src/matching/engine.ts';
import type { EngineCommand, Lots, Posting, Ticks } from '../../../src/matching/types.ts';
import { engineWith, expectScript } from './engine-script.ts';

describe('an order that was numbered before', () => {
  test('comes in under its old id, behind whoever came to the book before', () =>
    expectScript(
      engineWith(),
      `
      ann numbers                  → numbered 1-1-1
      bob sells 5 @ 100            → accepted 1-2-1
      ann sells 5 @ 100 as 1-1-1   → accepted 1-1-1
      queue sell 100               → 1-2-1:5 1-1-1:5
      orders ann                   → 1-1-1
      bob sells 1 @ 100            → accepted 1-4-1
      cat buys 7 @ 100             → accepted 1-5-1 | trade 5 @ 100 bob 1-2-1 cat 1-5-1 | trade 2 @ 100 ann 1-1-1 cat 1-5-1
      queue sell 100               → 1-1-1:3 1-4-1:1
      ann cancels 1-1-1            → canceled 1-1-1 with 3
    `,
    ));

  test('is found by its id only, not by the number that ranks it', () =>
    expectScript(
      engineWith(),
      `
      ann numbers                  → numbered 1-1-1
      ann sells 5 @ 100 as 1-1-1   → accepted 1-1-1
      ann cancels 1-2-1            → refused unknown-order
      ann reduces 1-1-1 by 2       → -
      queue sell 100               → 1-1-1:3
    `,
    ));

  test('may take at once, more than once, while nothing of it rests', () =>
    expectScript(
      engineWith(),
      `
      ann numbers                    → numbered 1-1-1
      bob buys 1 @ 100               → accepted 1-2-1
      ann sells 5 @ 100 ioc as 1-1-1 → accepted 1-1-1 | trade 1 @ 100 bob 1-2-1 ann 1-1-1 | canceled 1-1-1 with 4
      ann sells 4 @ 101 as 1-1-1     → accepted 1-1-1
      ann sells 4 @ 101 as 1-1-1     → refused unknown-order
      ann cancels all                → canceled 1-1-1 with 4
      ann sells 1 @ 101 as 1-1-1     → accepted 1-1-1
    `,
    ));

  test.each(['1-9-1', '1-0-1', '1-01-1', '7', '', `1-${2n ** 80n}-1`])('has a given number, not %p', (orderId) => {
    const state = engineWith();
    expectScript(state, 'ann numbers → numbered 1-1-1');
    const before = snapshot(state);
    const order = { account: 'ann', symbol: 'BTC/INR', side: 'buy', price: 5 as Ticks, quantity: 1 as Lots } as const;
    expect(applyCommand(state, { kind: 'create', ...order, orderId }, 1).events).toMatchObject([
      { kind: 'refused', reason: 'unknown-order' },
    ]);
    expect(snapshot(state)).toEqual(before);
  });
});

describe('a post', () => {
  const post = (...postings: [string, string, bigint][]): EngineCommand => ({
    kind: 'post',
    postings: postings.map(([account, asset, amount]): Posting => ({ account, asset, amount })),
  });
  const poor = () => {
    const state = engineWith();
    expectScript(state, 'dan opens limited → -\ndan gets 100 INR → -');
    return state;
  };

  test('moves all of it at once, the internal accounts included, and the sum is what came or went', () => {
    const state = poor();
    const { events } = applyCommand(state, post(['dan', 'INR', -60n], ['ann', 'INR', 50n], ['fees', 'INR', 7n]), 1);
    const market = reader(state);
    expect(events).toEqual([]);
    expect(['dan', 'ann', 'fees'].map((name) => market.balance(name, 'INR').free)).toEqual([40n, 50n, 7n]);
    validateState(state);
    expect(state.credited.get('INR')).toBe(97n);
  });

  test('nets what it does to one balance before it looks', () => {
    const state = poor();
    expect(applyCommand(state, post(['dan', 'INR', -150n], ['dan', 'INR', 60n]), 1).events).toEqual([]);
    expect(reader(state).balance('dan', 'INR').free).toBe(10n);
  });

  test.each<[string, EngineCommand]>([
    ['insufficient-funds', post(['ann', 'INR', 5n], ['dan', 'INR', -101n])],
    ['insufficient-funds', post(['ann', 'INR', 5n], ['fees', 'INR', -1n])],
    ['insufficient-funds', post(['dan', 'BTC', -1n], ['dan', 'INR', 1n])],
    ['unknown-account', post(['dan', 'INR', -1n], ['zoe', 'INR', 1n])],
  ])('is refused as a whole: %s', (reason, command) => {
    const state = poor();
    const before = snapshot(state);
    expect(applyCommand(state, command, 1).events).toMatchObject([{ kind: 'refused', reason }]);
    expect(snapshot(state)).toEqual(before);
  });
});

test('a forecast says what an order will lock and a fill will move', () => {
  const fees = { makerFeeRatio: decimal('0.01'), takerFeeRatio: decimal('0.02'), tdsRatio: decimal('0.1') };
  const state = engineWith(fees);
  const order = { symbol: 'BTC/INR', price: 100 as Ticks, quantity: 5 as Lots };
  expect(orderReservation(state, { ...order, side: 'buy' })).toEqual({ asset: 'INR', amount: 510n });
  expect(orderReservation(state, { ...order, side: 'sell' })).toEqual({ asset: 'BTC', amount: 5n });
  expect(tradeTerms(state, { ...order, makerSide: 'buy' })).toEqual({
    notional: 500n,
    bought: 5n,
    buyerFee: { asset: 'INR', amount: 5n },
    sellerFee: { asset: 'INR', amount: 10n },
    tds: 50n,
  });
  expect(() => orderReservation(state, { ...order, symbol: 'XRP/INR', side: 'buy' })).toThrow('no instrument');
});
