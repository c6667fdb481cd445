// A book aggregated by price, and the prices read off it.
import { Decimal } from './decimal.ts';
import type { OrderRequest, Side } from './order.ts';

export interface Level {
  readonly price: Decimal;
  readonly quantity: Decimal;
}

/** Bids from highest to lowest, asks from lowest to highest. Either side may be empty. */
export interface OrderBook {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

export interface Touch {
  readonly bid: Level;
  readonly ask: Level;
}

/** Whether both show the same quantities at the same prices. */
export function isSameBook(a: OrderBook, b: OrderBook): boolean {
  return hasSameLevels(a.bids, b.bids) && hasSameLevels(a.asks, b.asks);
}

const hasSameLevels = (a: readonly Level[], b: readonly Level[]): boolean =>
  a.length === b.length &&
  a.every(({ price, quantity }, index) => {
    const other = b[index];
    return other !== undefined && price.eq(other.price) && quantity.eq(other.quantity);
  });

/** Best bid and ask, or `null` when a side is empty or the book is crossed or locked: there is no fallback price. */
export function touchOf(book: OrderBook): Touch | null {
  const bid = book.bids[0];
  const ask = book.asks[0];
  return bid && ask && bid.price.lt(ask.price) ? { bid, ask } : null;
}

/** (bid + ask) / 2. */
export function midPrice(touch: Touch): Decimal {
  return touch.bid.price.add(touch.ask.price).div(2);
}

/** The touch weighted by the opposite sizes: nearer to the side that has less. */
export function microPrice(touch: Touch): Decimal {
  const { bid, ask } = touch;
  const size = bid.quantity.add(ask.quantity);
  if (size.isZero()) return midPrice(touch);
  return bid.price.mul(ask.quantity).add(ask.price.mul(bid.quantity)).div(size);
}

/** (ask − bid) / mid in basis points. */
export function spreadBps(touch: Touch): Decimal {
  return touch.ask.price.sub(touch.bid.price).div(midPrice(touch)).mul(10_000);
}

/** Whether there is a level at this price; null where the book does not reach so far, which says nothing. */
export function showsPrice(
  { bids, asks }: OrderBook,
  { side, price }: Pick<OrderRequest, 'side' | 'price'>,
): boolean | null {
  const outward = side === 'buy' ? 1 : -1;
  for (const level of side === 'buy' ? bids : asks) {
    const beyond = price.cmp(level.price) * outward;
    if (beyond >= 0) return beyond === 0;
  }
  return null;
}

/** One of our own orders as a book may hold it. */
export interface OwnLevel extends Pick<OrderRequest, 'side' | 'price' | 'quantity'> {
  /** Whether it is known to rest; else it may be gone, or never have come. */
  readonly isCertain: boolean;
}

/**
 * The book without our own resting orders, those first that are certain, so that we never quote against ourselves.
 * Where a level has less than one that is certain, a part of that has filled, and what is left is ours. One that is not
 * certain, and that a level has too little for, is not in it: what is there is others', and their price must not vanish
 * from the market.
 */
export function withoutOwn(book: OrderBook, own: readonly OwnLevel[]): OrderBook {
  if (own.length === 0) return book;
  const ordered = (of: Side, direction: 1 | -1): OwnLevel[] =>
    own
      .filter(({ side }) => side === of)
      .sort((a, b) => a.price.cmp(b.price) * direction || Number(b.isCertain) - Number(a.isCertain));
  return {
    bids: stripped(book.bids, ordered('buy', -1), -1),
    asks: stripped(book.asks, ordered('sell', 1), 1),
  };
}

/**
 * Both lists best first, so each is walked once; `direction` is 1 where a lower price is better (asks), −1 where a
 * higher one is.
 */
function stripped(levels: readonly Level[], own: readonly OwnLevel[], direction: 1 | -1): readonly Level[] {
  if (own.length === 0) return levels;
  const left: Level[] = [];
  let next = 0;
  for (const level of levels) {
    let quantity = level.quantity;
    for (let order = own[next]; order !== undefined; order = own[next]) {
      const ahead = order.price.cmp(level.price) * direction;
      if (ahead > 0) break;
      if (ahead === 0 && (order.isCertain || order.quantity.lte(quantity))) quantity = quantity.sub(order.quantity);
      next += 1;
    }
    if (quantity === level.quantity) left.push(level);
    else if (quantity.gt(0)) left.push({ price: level.price, quantity });
  }
  return left;
}

/** Total quantity of the levels. */
export function depthOf(levels: readonly Level[]): Decimal {
  return levels.reduce((sum, level) => sum.add(level.quantity), new Decimal(0));
}
