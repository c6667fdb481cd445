// Our own orders for quoting: those that are or may be on the book.
import { type Decimal, maxOf, minOf, ONE, ZERO } from '../domain/decimal.ts';
import type { IntentId } from '../domain/ids.ts';
import type { OrderRequest, Side, Slot } from '../domain/order.ts';
import type { EpochMs } from '../domain/time.ts';
import type { Costs } from './strategy.ts';

export interface LiveOrder {
  readonly intentId: IntentId;
  readonly slot: Slot;
  readonly side: Side;
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** Quantity minus booked fills, in base. */
  readonly remaining: Decimal;
  /**
   * The part of `remaining` that counts as exposure; absent: all. Less only for an order that is gone and not yet
   * counted.
   */
  readonly exposed?: Decimal;
  readonly sentAt: EpochMs;
  /**
   * `open`: the venue named it and nothing shows that it is gone. `pending`: sent, unknown, being canceled or gone by
   * itself: it may be live, it takes its slot, and only resolution may touch it. `leaving`: its cancel was
   * acknowledged, or a complete list sent after the cancel lacks it. It no longer takes its slot, but counts as live
   * everywhere else until proved closed. `doubtful`: the same for an order whose create has no answer and that a first
   * look did not find.
   */
  readonly status: 'open' | 'pending' | 'leaving' | 'doubtful';
}

export const isDoubtful = ({ status }: LiveOrder): boolean => status === 'doubtful';

/** Whether another order may be placed in its slot. */
export const leavesSlotFree = ({ status }: LiveOrder): boolean => status === 'leaving' || status === 'doubtful';

// Money that an order locks, and that our own live or possibly live orders lock already.

/**
 * Quote needed by a buy per unit of notional: itself and the higher fee, as an order meant to rest may take after all.
 */
export function buyFactor(costs: Costs): Decimal {
  return ONE.add(maxOf(costs.makerFeeRatio, costs.takerFeeRatio));
}

/**
 * Funds that an order needs: quote with the fee for a buy, base for a sale, whose fee and tax are paid from its
 * proceeds.
 */
export function fundsNeeded(order: Pick<OrderRequest, 'side' | 'price' | 'quantity'>, costs: Costs): Decimal {
  return order.side === 'buy' ? order.quantity.mul(order.price).mul(buyFactor(costs)) : order.quantity;
}

/** The least that an order locks: without a fee, as not every ledger or venue reserves one. */
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

// Directions as seen from a quote: outward is away from the market, down for bids and up for asks.

/** The price `distance` further out. */
export function outwardBy(side: Side, price: Decimal, distance: Decimal): Decimal {
  return side === 'buy' ? price.sub(distance) : price.add(distance);
}

/** Whichever price is further out. */
export function outermost(side: Side, a: Decimal, b: Decimal): Decimal {
  return side === 'buy' ? minOf(a, b) : maxOf(a, b);
}

/** The innermost price of a side, for any order of the list; `null` where the side is empty. */
export function innermostOf(side: Side, orders: readonly Priced[]): Decimal | null {
  const further = side === 'buy' ? maxOf : minOf;
  let best: Decimal | null = null;
  for (const order of orders) if (order.side === side) best = best === null ? order.price : further(best, order.price);
  return best;
}

interface Priced {
  readonly side: Side;
  readonly price: Decimal;
}
