// A fill shows in the book before anything else is asked for: books are read more often than own trades.
import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { OrderBook } from '../../domain/order-book.ts';
import { liveIntents } from '../durable/durable.ts';
import { type Intent, remainingOf } from '../durable/intent.ts';
import { marketOf, type TraderState } from '../state/state.ts';
import { need } from '../state/surfaces.ts';

/**
 * Asks for own trades where the last book showed what remains of an open order, and this one, about to become the last,
 * shows less. A book that lacked it before has been asked about, or is late.
 */
export function noteTaken(state: TraderState, symbol: InstrumentSymbol, book: OrderBook, now: number): void {
  const market = marketOf(state, symbol);
  const before = market.book.book;
  if (before === null) return;
  const isTaken = (intent: Intent): boolean =>
    intent.state === 'open' && isShown(before, intent) && !isShown(book, intent);
  if (liveIntents(state.durable, symbol).some(isTaken)) need(market.trades, now);
}

const isShown = (book: OrderBook, intent: Intent): boolean => quantityAt(book, intent).gte(remainingOf(intent));

function quantityAt({ bids, asks }: OrderBook, { side, price }: Intent): Decimal {
  return (side === 'buy' ? bids : asks).find((level) => level.price.eq(price))?.quantity ?? ZERO;
}
