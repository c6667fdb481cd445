// How much of a limit is used: counted as the gate counts, so that all of it is where the gate begins to deny.
import { describe, expect, test } from '@jest/globals';
import { decimal, ZERO } from '../../../src/domain/decimal.ts';
import { limitsUsed, shareOf, WATCHED_LIMITS } from '../../../src/quoting/risk/exposure-checks.ts';
import { assess } from '../../../src/quoting/risk/risk.ts';
import type { RiskContext } from '../../../src/quoting/risk/risk-context.ts';
import { calm, limits } from './calm-context.ts';
import { liveOrder } from './market.ts';

const usesOf = (changes: Partial<RiskContext> = {}, fills = '0') => limitsUsed({ ...calm, ...changes }, decimal(fills));

/** As shares. */
function used(changes: Partial<RiskContext> = {}, fills = '0') {
  const uses = usesOf(changes, fills);
  return Object.fromEntries(WATCHED_LIMITS.map((name) => [name, shareOf(uses[name])]));
}
const bids = [liveOrder('buy:0 1 @ 99'), liveOrder('buy:1 1 @ 98', { remaining: decimal('0.5') })];
const ask = liveOrder('sell:0 1 @ 101');

test('nothing open: only what is held counts', () => {
  expect(used()).toEqual({
    maxOpenOrders: 0,
    maxOpenOrdersOverAll: 0,
    maxOpenNotional: 0,
    maxOpenNotionalOverAll: 0,
    maxInventoryBase: 0.666667,
    repeatedFills: 0,
  });
  expect(Object.keys(usesOf())).toEqual([...WATCHED_LIMITS]);
});

test('what is left of open orders counts, and bids as if all of them filled', () => {
  const totals = { openOrders: 8, openNotional: decimal('600') };
  expect(used({ orders: [...bids, ask], totals }, '75')).toEqual({
    maxOpenOrders: 0.3,
    maxOpenOrdersOverAll: 0.2,
    maxOpenNotional: 0.83, // (99 + 49 + 101) of 300
    maxOpenNotionalOverAll: 0, // no limit beside those of the symbols
    maxInventoryBase: 0.766667, // 11.5 of 15
    repeatedFills: 0.05,
  });
});

test('limits of their own are taken where they are set', () => {
  const own = { ...limits, maxOpenNotionalOverAll: decimal('1200'), repeatedFills: 5 };
  const totals = { openOrders: 8, openNotional: decimal('600') };
  expect(used({ limits: own, totals }, '75')).toMatchObject({
    maxOpenNotionalOverAll: 0.5,
    repeatedFills: 0.1,
  });
});

test('what other symbols may bring counts as held', () => {
  expect(used({ baseInOtherMarkets: { more: decimal('2'), less: ZERO } }).maxInventoryBase).toBe(0.8);
});

test('amounts have a unit, and none is the most where none is set', () => {
  const uses = usesOf({ orders: [...bids, ask] });
  expect(`${uses.maxOpenNotional.used} of ${uses.maxOpenNotional.most} ${uses.maxOpenNotional.unit}`).toBe(
    '249 of 300 quote',
  );
  expect(`${uses.maxInventoryBase.used} of ${uses.maxInventoryBase.most} ${uses.maxInventoryBase.unit}`).toBe(
    '11.5 of 15 base',
  );
  expect(uses.maxOpenNotionalOverAll.most).toBeNull();
});

describe('agrees with the gate: what would pass the limit is denied, what reaches it is not', () => {
  const roomy = { ...limits, maxOrderNotional: decimal('10000'), maxOrderQuantity: decimal('3') };
  const judge = (price: string, quantity: string, changes: Partial<RiskContext>) =>
    assess(
      {
        request: { symbol: 'BTC/INR', side: 'buy', price: decimal(price), quantity: decimal(quantity) },
        slot: 'buy:0',
      },
      { ...calm, limits: roomy, ...changes },
    );

  test.each([
    ['1.5', 1, 'approved'],
    ['1.501', 1.000067, 'denied'],
  ])('inventory with a bid of %s more', (quantity, ratio, verdict) => {
    const placed = liveOrder(`buy:1 ${quantity} @ 97`);
    const base = { ...calm.base, total: decimal('13.5') };
    expect(used({ base, orders: [placed] }).maxInventoryBase).toBe(ratio);
    expect(judge('97', quantity, { base }).kind).toBe(verdict);
  });

  test.each([
    ['2', 1, 'approved'],
    ['2.001', 1.00033, 'denied'],
  ])('open notional with %s at 99 more', (quantity, ratio, verdict) => {
    const placed = liveOrder(`buy:1 ${quantity} @ 99`);
    const own = { limits: { ...roomy, maxOpenNotional: decimal('198') } };
    expect(used({ ...own, orders: [placed] }).maxOpenNotional).toBeCloseTo(ratio, 3);
    expect(judge('99', quantity, own).kind).toBe(verdict);
  });
});
