// The price that quotes center on, taken from a book.
import type { Decimal } from '../domain/decimal.ts';
import { depthOf, type Level, microPrice, midPrice, type OrderBook, touchOf } from '../domain/order-book.ts';

/**
 * `mid`: halfway between the best prices. `micro`: the best prices, each weighted by the size at the other.
 * `sizeWeightedMid`: the same with the sizes of the best five levels, which flickers less than the touch alone.
 * `external`: other exchanges' price, which is in no book of ours. `lastTrade`: the last public trade's price.
 * `ownLastFill`: our own last fill's price, and `mid` before the first. `fixed`: as configured.
 */
export const REFERENCE_SOURCES = [
  ...(['mid', 'micro', 'sizeWeightedMid'] as const),
  ...(['external', 'lastTrade', 'ownLastFill', 'fixed'] as const),
] as const;
export type ReferenceSource = (typeof REFERENCE_SOURCES)[number];

/** The kinds that a book provides. */
type BookReference = 'mid' | 'micro' | 'sizeWeightedMid';

const WEIGHED_LEVELS = 5;

/** In quote per base; `null` for a book that is one-sided, empty, crossed or locked: there is no fallback price. */
export function referencePrice(book: OrderBook, source: BookReference): Decimal | null {
  const touch = touchOf(book);
  if (touch === null) return null;
  switch (source) {
    case 'mid':
      return midPrice(touch);
    case 'micro':
      return microPrice(touch);
    case 'sizeWeightedMid':
      return microPrice({ bid: deepened(touch.bid, book.bids), ask: deepened(touch.ask, book.asks) });
  }
}

function deepened(best: Level, levels: readonly Level[]): Level {
  return { price: best.price, quantity: depthOf(levels.slice(0, WEIGHED_LEVELS)) };
}
