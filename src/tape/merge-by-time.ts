// One order of events out of two recordings.
import type { TapeBook, TapeRow, TapeTrade } from './types.ts';

/**
 * Both in order of the exchange's time, each in its own order. At equal times trades come first: a book shows the
 * market after the trades up to its time.
 */
export async function* mergeByTime(
  trades: AsyncIterable<TapeTrade>,
  books: AsyncIterable<TapeBook>,
): AsyncGenerator<TapeRow> {
  const tradeRows = trades[Symbol.asyncIterator]();
  const bookRows = books[Symbol.asyncIterator]();
  try {
    let trade = await tradeRows.next();
    let book = await bookRows.next();
    while (trade.done !== true || book.done !== true) {
      if (trade.done !== true && (book.done === true || trade.value.at <= book.value.at)) {
        yield trade.value;
        trade = await tradeRows.next();
      } else if (book.done !== true) {
        yield book.value;
        book = await bookRows.next();
      }
    }
  } finally {
    await tradeRows.return?.();
    await bookRows.return?.();
  }
}
