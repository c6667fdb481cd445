// What an order locks, and what our own orders that are or may be live lock already.
import { type Decimal, maxOf, ONE, ZERO } from '../domain/decimal.ts';
import type { OrderRequest, Side, Slot } from '../domain/order.ts';
import type { LiveOrder } from './live-order.ts';
import type { Costs } from './strategy.ts';

/** What a buy needs per unit of notional: itself and the higher fee, as an order meant to rest may take after all. */
export function buyFactor(costs: Costs): Decimal {
  return ONE.add(maxOf(costs.makerFeeRatio, costs.takerFeeRatio));
}

/**
 * What an order needs of its own asset: quote with the fee for a buy, base for a sale, whose fee and tax are paid from
 * its proceeds.
 */
export function fundsNeeded(order: Pick<OrderRequest, 'side' | 'price' | 'quantity'>, costs: Costs): Decimal {
  return order.side === 'buy' ? order.quantity.mul(order.price).mul(buyFactor(costs)) : order.quantity;
}

/** What an order locks at the least: without a fee, as not every ledger or venue reserves one. */
export function fundsLocked(order: Pick<LiveOrder, 'side' | 'price' | 'remaining'>): Decimal {
  return order.side === 'buy' ? order.price.mul(order.remaining) : order.remaining;
}

/** Sums of a value over the orders of each slot. */
export function sumBySlot(
  live: readonly LiveOrder[],
  value: (order: LiveOrder) => Decimal,
): ReadonlyMap<Slot, Decimal> {
  const sums = new Map<Slot, Decimal>();
  for (const order of live) {
    const sum = sums.get(order.slot);
    sums.set(order.slot, sum === undefined ? value(order) : sum.add(value(order)));
  }
  return sums;
}

/** Remaining base of the side's own orders in slots other than these. */
export function remainingOutside(live: readonly LiveOrder[], side: Side, slots: ReadonlySet<Slot>): Decimal {
  let sum = ZERO;
  for (const order of live) if (order.side === side && !slots.has(order.slot)) sum = sum.add(order.remaining);
  return sum;
}
