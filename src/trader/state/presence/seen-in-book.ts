// Whether books show that own orders rest. A book that no longer shows the price of an order, after one that did,
// says so before any list of own orders: the order has most likely filled.
import type { IntentId } from '../../../domain/ids.ts';
import { type OrderBook, showsPrice } from '../../../domain/order-book.ts';
import type { EpochMs } from '../../../domain/time.ts';
import type { Intent } from '../../durable/intent.ts';
import type { BookSurface } from '../surfaces.ts';

/** Of the open orders of a symbol. */
export interface SeenInBook {
  /** The last book that was looked at, and when the request for it left. */
  readonly book: OrderBook | null;
  readonly sentAt: EpochMs;
  /** Orders at whose price a book has shown a level, and whether the last book that reaches so far still does. */
  readonly shown: ReadonlyMap<IntentId, boolean>;
}

export const NOTHING_SEEN: SeenInBook = { book: null, sentAt: 0, shown: new Map() };

/** What is known after a book. An order that no book has shown yet may be on its way into it. */
export function lookInBook(before: SeenInBook, { book, sentAt }: BookSurface, own: readonly Intent[]): SeenInBook {
  if (book === null || sentAt === null || book === before.book) return before;
  const shown = new Map<IntentId, boolean>();
  for (const intent of own) {
    if (intent.state !== 'open') continue;
    const earlier = before.shown.get(intent.intentId);
    const now = showsPrice(book, intent) ?? earlier;
    if (now === true || earlier !== undefined) shown.set(intent.intentId, now === true);
  }
  return { book, sentAt, shown };
}

export const hasVanished = ({ shown }: SeenInBook, { intentId }: Intent): boolean => shown.get(intentId) === false;
