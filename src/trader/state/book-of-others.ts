// The market without us: a book with own orders taken out of it.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type OrderBook, type OwnLevel, withoutOwn } from '../../domain/order-book.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { BookSeen } from '../../quoting/strategy.ts';
import { liveIntents } from '../durable/durable.ts';
import { type DurableOrders, type Intent, remainingOf } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import { bookSurfaceOf, marketOf, type TraderState } from './state.ts';

/**
 * The last book of a symbol as a price may be made of it: without our own orders, and none while it is held for frozen
 * (decision 0027).
 */
export function trustedBook(state: TraderState, symbol: InstrumentSymbol): BookSeen | null {
  const { book: read, sentAt, frozen } = bookSurfaceOf(state, symbol);
  if (frozen !== null || sentAt === null) return null;
  const book = state.markets.has(symbol) ? bookOfOthers(state, symbol) : read;
  return book && { book, sentAt };
}

/**
 * The last book without what of it was, or may have been, ours when it was read: every intent that had left when it
 * came and is not closed, those that closed only after the request for it had left, and what of either has filled
 * since.
 */
export function bookOfOthers(state: TraderState, symbol: InstrumentSymbol): OrderBook | null {
  const { book, sentAt, receivedAt } = marketOf(state, symbol).book;
  if (book === null || sentAt === null || receivedAt === null) return null;
  const live = liveIntents(state.durable, symbol).filter((intent) => intent.sentAt < receivedAt);
  const own = [...live, ...recentlyClosed(state.durable.orders, symbol, sentAt)].map((intent) =>
    restingPart(intent, sentAt),
  );
  own.push(...filledSince(state, symbol, sentAt));
  return withoutOwn(book, own);
}

/** One that was named after the request for the book had left may have come after the book was made. */
const restingPart = (intent: Intent, sentAt: EpochMs): OwnLevel => ({
  side: intent.side,
  price: intent.price,
  quantity: remainingOf(intent),
  isCertain: intent.state === 'open' && intent.since <= sentAt,
});

/** A fill is known sooner than the next book: what it took away is still in the one that was read before. */
function filledSince(
  { durable, clock }: Pick<TraderState, 'durable' | 'clock'>,
  symbol: InstrumentSymbol,
  sentAt: EpochMs,
): OwnLevel[] {
  const since = sentAt + (clock?.offsetMs ?? 0) - (clock?.uncertaintyMs ?? 0);
  const { recent } = marketIn(durable, symbol).tally;
  return recent
    .filter(({ fill, ours }) => ours && fill.venueTime >= since)
    .map(({ fill: { side, price, quantity } }) => ({ side, price, quantity, isCertain: false }));
}

function recentlyClosed(orders: DurableOrders, symbol: InstrumentSymbol, since: number): Intent[] {
  const recent: Intent[] = [];
  for (const intent of [...orders.closed.values()].slice(-RECENTLY).reverse()) {
    if (intent.since < since) break;
    if (intent.symbol === symbol && intent.closedAs === 'canceled') recent.push(intent);
  }
  return recent;
}

/** How many of the last closed intents can have closed since a book was asked for. */
const RECENTLY = 64;
