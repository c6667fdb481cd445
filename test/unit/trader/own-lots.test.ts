// What own buys brought, as the journal's fold keeps it: enough to say what is held cost, and no more.
import { expect, test } from '@jest/globals';
import { decimal } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { orderId, tradeId } from '../../../src/domain/ids.ts';
import { amountOf } from '../../../src/ledger/amount.ts';
import { addToLots, takeFromLots } from '../../../src/trader/durable/fold/apply-fill.ts';
import { type DurableMarket, emptyMarket } from '../../../src/trader/durable/market.ts';
import { costOfHeld } from '../../../src/trader/durable/remembered.ts';
import { BTC } from './desk-settings.ts';
import { fillOf } from './trader-kit.ts';

const fillNo = (id: number, side: 'buy' | 'sell', price: number, quantity: string): Fill => ({
  ...fillOf({ symbol: BTC, side, price: decimal(price), quantity: decimal(quantity) }, orderId('1-1-1'), { at: 0 }),
  tradeId: tradeId(String(id)),
});

function hold(market: DurableMarket, quantity: string): void {
  const inventory = amountOf(decimal(quantity));
  if (!inventory.ok) throw new Error('No amount.');
  market.pnl = { ...market.pnl, inventory: inventory.value };
}

/** Buys one each at the prices. */
function holding(...prices: readonly number[]): DurableMarket {
  const market = emptyMarket();
  for (const [index, price] of prices.entries()) {
    hold(market, String(index + 1));
    addToLots(market, fillNo(index + 1, 'buy', price, '1'));
  }
  return market;
}

const costOf = (market: DurableMarket): string | undefined => costOfHeld(market, ({ worth }) => worth)?.toFixed();

test('the cost of the holdings is that of the newest buys that add up to them', () => {
  const market = holding(100, 200, 400);
  hold(market, '1.5');
  addToLots(market, fillNo(9, 'sell', 500, '1.5'));
  // 1 at 400 and 0.5 at 200.
  expect(costOf(market)).toBe(decimal(500).div('1.5').toFixed());
  expect(costOf(holding())).toBeUndefined();
});

test('many buys that are all held stay in a hundred lots, and cost the same', () => {
  const prices = Array.from({ length: 250 }, (_, index) => 100 + index);
  const market = holding(...prices);
  expect(market.ownLots).toHaveLength(100);
  expect(costOf(market)).toBe('224.5');
});

test('the last twenty sold lots stay, in case a sale is taken back', () => {
  const market = holding(...Array.from({ length: 50 }, () => 100));
  hold(market, '0');
  addToLots(market, fillNo(99, 'sell', 100, '50'));
  expect(market.ownLots).toHaveLength(20);
  hold(market, '1');
  expect(costOf(market)).toBe('100');
});

test('a buy that is taken back costs nothing, and one that is booked anew is as new as it was', () => {
  const market = holding(100, 200, 400);
  takeFromLots(market, fillNo(2, 'buy', 200, '1'));
  hold(market, '2');
  expect(costOf(market)).toBe('250');
  hold(market, '3');
  addToLots(market, fillNo(2, 'buy', 700, '1'));
  expect(costOf(market)).toBe('400');
  hold(market, '1');
  expect(costOf(market)).toBe('400');
});
