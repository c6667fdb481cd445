// A book aggregated by price, and its derived prices.
import { type Decimal, HALF, parsedDecimal, ZERO } from './decimal.ts';
import type { OrderRequest, Side } from './order.ts';

export interface Level {
  readonly price: Decimal;
  readonly quantity: Decimal;
}

/**
 * A level as the venue wrote it, checked by its maker. Few of a hundred levels are read; only those become decimals.
 */
export class WrittenLevel implements Level {
  private readonly priceText: string;
  private readonly quantityText: string;

  constructor(priceText: string, quantityText: string) {
    this.priceText = priceText;
    this.quantityText = quantityText;
  }

  get price(): Decimal {
    return parsedDecimal(this.priceText);
  }

  get quantity(): Decimal {
    return parsedDecimal(this.quantityText);
  }

  toJSON(): Level {
    return { price: this.price, quantity: this.quantity };
  }

  isWrittenLike(other: WrittenLevel): boolean {
    return this.priceText === other.priceText && this.quantityText === other.quantityText;
  }
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
  a === b ||
  (a.length === b.length &&
    a.every((level, index) => {
      const other = b[index];
      return other !== undefined && isSameLevel(level, other);
    }));

const isSameLevel = (a: Level, b: Level): boolean =>
  (a instanceof WrittenLevel && b instanceof WrittenLevel && a.isWrittenLike(b)) ||
  (a.price.eq(b.price) && a.quantity.eq(b.quantity));

/** Best bid and ask, or `null` if a side is empty or the book is crossed or locked: there is no fallback price. */
export function touchOf(book: OrderBook): Touch | null {
  const bid = book.bids[0];
  const ask = book.asks[0];
  return bid && ask && bid.price.lt(ask.price) ? { bid, ask } : null;
}

/** (bid + ask) / 2. */
export function midPrice(touch: Touch): Decimal {
  return touch.bid.price.add(touch.ask.price).mul(HALF);
}

/** The touch weighted by the opposite sizes: nearer to the smaller side. */
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

type Place = Pick<OrderRequest, 'side' | 'price'>;

/** Whether there is a level at this price; null where the book does not reach that far, which proves nothing. */
export function showsPrice({ bids, asks }: OrderBook, { side, price }: Place): boolean | null {
  const levels = side === 'buy' ? bids : asks;
  const level = levels[indexOf(levels, side, price)];
  return level === undefined ? null : level.price.eq(price);
}

/** Zero without a level at this price. */
export function quantityAt({ bids, asks }: OrderBook, { side, price }: Place): Decimal {
  const levels = side === 'buy' ? bids : asks;
  const level = levels[indexOf(levels, side, price)];
  return level?.price.eq(price) ? level.quantity : ZERO;
}

/** The index of the best level that is not better than the price; the number of levels if all are better. */
function indexOf(levels: readonly Level[], side: Side, price: Decimal): number {
  let [low, high] = [0, levels.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const beyond = levels[middle]?.price.cmp(price) ?? 0;
    if (side === 'buy' ? beyond > 0 : beyond < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** One of our own orders that a book may contain. */
export interface OwnLevel extends Pick<OrderRequest, 'side' | 'price' | 'quantity'> {
  /** Whether it is known to rest; otherwise it may be gone, or never have arrived. */
  readonly isCertain: boolean;
}

/**
 * The book without our own resting orders, certain ones first, so that we never quote against ourselves. Where a level
 * has less than a certain order, that order has partly filled, and the rest is ours. An uncertain order that a level
 * has too little for is not in it: the quantity there belongs to others, and their price must not vanish from the
 * market.
 */
export function withoutOwn(book: OrderBook, own: readonly OwnLevel[]): OrderBook {
  const certainFirst = own.toSorted((a, b) => Number(b.isCertain) - Number(a.isCertain));
  return { bids: stripped(book.bids, 'buy', certainFirst), asks: stripped(book.asks, 'sell', certainFirst) };
}

function stripped(levels: readonly Level[], of: Side, own: readonly OwnLevel[]): readonly Level[] {
  const left = new Map<number, Level>();
  for (const { side, price, quantity, isCertain } of own) {
    if (side !== of) continue;
    const index = indexOf(levels, side, price);
    const level = left.get(index) ?? levels[index];
    if (!level?.price.eq(price)) continue;
    if (isCertain || quantity.lte(level.quantity)) left.set(index, { price, quantity: level.quantity.sub(quantity) });
  }
  if (left.size === 0) return levels;
  const others = [...levels];
  // From the end on, as a level without a rest goes.
  for (const [index, level] of [...left].sort(([a], [b]) => b - a))
    if (level.quantity.gt(0)) others[index] = level;
    else others.splice(index, 1);
  return others;
}

/** Total quantity of the levels. */
export function depthOf(levels: readonly Level[]): Decimal {
  return levels.reduce((sum, level) => sum.add(level.quantity), ZERO);
}
