// A book of levels, out of the text of an answer.
import { decimal } from '../../src/domain/decimal.ts';
import type { OrderBook } from '../../src/domain/order-book.ts';

type Rows = readonly (readonly [string, string])[];

/** By its look: what is no book tells nothing. */
export const isBook = (text: string): boolean => text.startsWith('{') && text.includes('"bids"') && text.endsWith('}');

/** Null where a row can't be read (F64). */
export function bookIn(text: string): OrderBook | null {
  try {
    const { bids, asks } = JSON.parse(text) as Readonly<Record<'bids' | 'asks', Rows>>;
    const levels = (rows: Rows) =>
      rows.map(([price, quantity]) => ({ price: decimal(price), quantity: decimal(quantity) }));
    return { bids: levels(bids), asks: levels(asks) };
  } catch {
    return null;
  }
}
