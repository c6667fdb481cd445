// Directions seen from a quote: outwards is away from the market, down for bids and up for asks.
import { type Decimal, maxOf, minOf } from '../domain/decimal.ts';
import type { Side } from '../domain/order.ts';

/** The price `distance` further out. */
export function outwardBy(side: Side, price: Decimal, distance: Decimal): Decimal {
  return side === 'buy' ? price.sub(distance) : price.add(distance);
}

/** Whichever price is further out. */
export function outermost(side: Side, a: Decimal, b: Decimal): Decimal {
  return side === 'buy' ? minOf(a, b) : maxOf(a, b);
}

/** Whichever price is further in. */
function innermost(side: Side, a: Decimal, b: Decimal): Decimal {
  return side === 'buy' ? maxOf(a, b) : minOf(a, b);
}

/** The innermost price of a side, whatever the order of the list; `null` where the side is empty. */
export function innermostOf(side: Side, orders: readonly Priced[]): Decimal | null {
  let best: Decimal | null = null;
  for (const order of orders) {
    if (order.side === side) best = best === null ? order.price : innermost(side, best, order.price);
  }
  return best;
}

interface Priced {
  readonly side: Side;
  readonly price: Decimal;
}
