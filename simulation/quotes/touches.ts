// The best prices that the others may have in a book: which orders of the bot's were in it only the bot knows.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { Side } from '../../src/domain/order.ts';
import { MINUTE } from '../../src/domain/time.ts';
import type { CheckContext } from '../checks/context.ts';
import type { BookedFill, JournalIntent } from '../checks/journal-model.ts';
import { bestOfOthers, type Row, type ShownBook } from '../shown/shown-book.ts';
import type { Touch } from './wanted.ts';

/** The last intents of each symbol. */
export type Recent = ReadonlyMap<string, readonly JournalIntent[]>;

/** So many sums of own orders at one price are tried, those of the newest orders first. */
const MOST_SUMS = 256;

interface Looked {
  readonly symbol: string;
  readonly book: ShownBook;
  /** Whether what is left of a level matters, and not its price alone. */
  readonly withSizes: boolean;
}

/** Every pair of the best of others: with any order of ours that may be in the book taken out of it, or not. */
export function touchesOf(recent: Recent, context: CheckContext, { symbol, book, withSizes }: Looked): Touch[] {
  const from = context.now() - 2 * context.settings.assumptions.readLagBoundMs - 2 * MINUTE;
  const own = (recent.get(symbol) ?? []).filter(({ state, since }) => state !== 'closed' || since > from);
  const ownAt =
    (side: Side) =>
    ({ price, quantity }: Row) => {
      const there = own.filter((order) => order.side === side && price.eq(order.price));
      return withSizes ? sumsOf(there.reverse(), quantity, context) : there.slice(0, 1).map(() => WHOLE);
    };
  const asks = bestOfOthers(book.asks, ownAt('sell'));
  return bestOfOthers(book.bids, ownAt('buy')).flatMap((buy) => asks.map((sell) => ({ buy, sell })));
}

/** All that stands at a price. */
const WHOLE = new Decimal(Number.POSITIVE_INFINITY);

/**
 * What of a level may be these orders: any of them, each with what was left of it after any of its fills; or all of it,
 * where that is more than the level has.
 */
function sumsOf(orders: readonly JournalIntent[], most: Decimal, { journal }: CheckContext): Decimal[] {
  let sums: Decimal[] = [ZERO];
  for (const order of orders) {
    const parts = remainders(order, journal.fills.values());
    const more = sums.flatMap((sum) => parts.map((part) => sum.add(part)).filter((each) => each.lte(most)));
    const all = new Map([...sums, ...more].map((sum) => [sum.toFixed(), sum]));
    sums = [...all.values()].slice(0, MOST_SUMS);
  }
  return [...sums.filter((sum) => sum.gt(0)), ...(orders.length > 0 ? [WHOLE] : [])];
}

function remainders({ intentId, quantity }: JournalIntent, fills: Iterable<BookedFill>): Decimal[] {
  const parts = [new Decimal(quantity)];
  for (const fill of fills) if (fill.intentId === intentId) parts.push((parts.at(-1) ?? ZERO).sub(fill.quantity));
  return parts;
}
