// Limits as the exchange's own books bear them out, and whose orders the mid is made of.
import { expect, test } from '@jest/globals';
import { symbolTruth } from '../../../../bench/presence/market-truth.ts';
import type { OwnOrder } from '../../../../bench/presence/presence.ts';
import { createWorstCase } from '../../../../bench/presence/worst-case.ts';
import { paperSettings, tradingSettings } from '../../../../simulation/plan/configuration.ts';
import { drawPlan } from '../../../../simulation/plan/plan.ts';
import { decimal } from '../../../../src/domain/decimal.ts';
import type { Side } from '../../../../src/domain/order.ts';
import { applyCommand, createEngine, reader } from '../../../../src/matching/engine.ts';
import type { Lots, Ticks } from '../../../../src/matching/types.ts';
import { limitsOf, limitsSchema } from '../../../../src/quoting/risk/risk-limits.ts';
import type { RunSettings } from '../../../../src/trader/state/settings.ts';

const [made] = tradingSettings(drawPlan('0')).trader.runs;
if (made === undefined) throw new Error('There is no run.');
const run: RunSettings = {
  ...made,
  limits: limitsOf(
    limitsSchema.parse({
      ...{ maxOrderQuantity: '9', maxOrderNotional: '900', maxInventoryBase: '3', minInventoryBase: '0.5' },
      ...{ maxOpenNotional: '300', maxOpenOrders: 3 },
    }),
  ),
};
const order = (side: OwnOrder['side'], remaining: number): OwnOrder => ({ orderId: '', side, price: 100, remaining });
const wealth = { at: 0, base: { free: 1, locked: 0.5 }, quote: { free: 1_000, locked: 0 } };

function breachesOf(orders: readonly OwnOrder[], held = wealth): string[] {
  const worstCase = createWorstCase();
  worstCase.look(run, orders, held);
  return [...worstCase.breaches.values()];
}

test('what is at a limit is within it', () => {
  expect(breachesOf([order('buy', 1.5), order('sell', 1), order('buy', 0)])).toEqual([]);
});

test.each([
  ['open notional', [order('buy', 1.5), order('sell', 1), order('sell', 0.6)]],
  ['number of open orders', Array.from({ length: 4 }, () => order('buy', 0.1))],
  ['inventory if every bid fills', [order('buy', 1), order('buy', 0.6)]],
  ['inventory if every ask fills', [order('sell', 1.1)]],
])('%s is told', (what, orders) => {
  expect(breachesOf(orders)).toContainEqual(expect.stringContaining(what));
});

test('more locked than owned is told', () => {
  expect(breachesOf([], { ...wealth, base: { free: -0.1, locked: 2 } })).toHaveLength(1);
});

test('the largest share of a limit is kept', () => {
  const worstCase = createWorstCase();
  worstCase.look(run, [order('buy', 0.75), order('sell', 0.75)], wealth);
  worstCase.look(run, [order('buy', 0.75)], wealth);
  expect(worstCase.worst).toEqual({ notional: 0.5, orders: 2 / 3, inventory: 0.75 });
});

test('the mid is that of the others: own orders at the best price do not make it', () => {
  const instrument = { ...run.instrument, tickSize: decimal('0.5'), lotSize: decimal('0.1') };
  let engine = createEngine({ ...paperSettings(drawPlan('0')).engine, instruments: [instrument] });
  const place = (account: string, side: Side, order: { price: number; quantity: number }): void => {
    const { symbol } = instrument;
    const [price, quantity] = [order.price as Ticks, order.quantity as Lots];
    engine = applyCommand(engine, { kind: 'create', account, symbol, side, price, quantity }, 0).state;
  };
  for (const account of ['bot', 'crowd'])
    engine = applyCommand(engine, { kind: 'open-account', account, unlimited: true }, 0).state;
  place('bot', 'buy', { price: 190, quantity: 5 });
  place('crowd', 'buy', { price: 180, quantity: 9 });
  place('bot', 'sell', { price: 212, quantity: 2 });
  place('crowd', 'sell', { price: 212, quantity: 1 });
  const truth = symbolTruth({ market: reader(engine), account: 'bot' }, instrument);
  expect(truth.mid).toBe((90 + 106) / 2);
  expect(truth.orders.map(({ side, price, remaining }) => [side, price, remaining])).toEqual([
    ['buy', 95, 0.5],
    ['sell', 106, 0.2],
  ]);
});
