// The quantity is the order's name: the exchange accepts no client id, but returns price and quantity to the last
// digit.
import { type Decimal, decimal } from '../domain/decimal.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { OrderRequest } from '../domain/order.ts';
import { isDoubtful, type LiveOrder } from './live-order.ts';

/** A name is a number of lots below this, subtracted from the wanted quantity. */
export const NAMES = 10;
/** The most that a name subtracts, as a share of the wanted quantity. */
const MOST_OFF_RATIO = decimal('0.01');

export interface Naming {
  /** Own orders that are or may be live. */
  readonly orders: readonly LiveOrder[];
  /** Successive creates try successive names first. */
  readonly createNumber: number;
}

/**
 * The wanted quantity minus a number of lots that makes it unique among the symbol's orders. Where ten lots are more
 * than 1 % of it, only orders that could be mistaken for each other are made different, by as few lots as possible. If
 * no quantity is unique, it stays as wanted, and the risk gate denies the order as a duplicate.
 */
export function namedQuantity(
  { side, price, quantity }: Pick<OrderRequest, 'side' | 'price' | 'quantity'>,
  { lotSize, minNotional }: Instrument,
  { orders, createNumber }: Naming,
): Decimal {
  const hasNames = lotSize.mul(NAMES).lte(quantity.mul(MOST_OFF_RATIO));
  const first = hasNames ? createNumber : 0;
  const unlike = (others: readonly LiveOrder[]): Decimal | null => {
    for (let index = 0; index < NAMES; index += 1) {
      const named = quantity.sub(lotSize.mul((first + index) % NAMES));
      const isValid = named.gt(0) && named.mul(price).gte(minNotional);
      if (isValid && !others.some((order) => order.quantity.eq(named))) return named;
    }
    return null;
  };
  const alike = orders.filter((order) => order.side === side && (order.price.eq(price) || isDoubtful(order)));
  return (hasNames ? unlike(orders) : null) ?? unlike(alike) ?? quantity;
}
