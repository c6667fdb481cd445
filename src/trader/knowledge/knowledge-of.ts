// Everything that a view brings beside book and holdings, as of the last reads.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type BookSeen, type Knowledge, NO_KNOWLEDGE } from '../../quoting/strategy.ts';
import { trustedBook } from '../state/book-of-others.ts';
import { bookSurfaceOf, marketOf, type TraderState } from '../state/state.ts';
import type { Surface } from '../state/surfaces.ts';
import { doubtedBooks } from './price-doubt.ts';

/**
 * What the strategy of the symbol is told, but for the estimates, which each good book moves; `known` is what whoever
 * knows of changes works out.
 */
export function knowledgeOf(
  state: TraderState,
  symbol: InstrumentSymbol,
  {
    doubted,
    ...known
  }: Pick<Knowledge, 'ownFills' | 'averageCost' | 'mostBase' | 'locks'> & {
    readonly doubted: readonly InstrumentSymbol[];
  },
): Knowledge {
  const { knowledge, references } = marketOf(state, symbol);
  // The list of references grows with each good book, and each gives other inputs.
  return {
    ...NO_KNOWLEDGE,
    ...known,
    references,
    trades: knowledge.trades,
    books: booksFor(state, symbol, doubted),
  };
}

/** Whether all that its strategy needs was read, or refused, once, and books of runs were confirmed. */
export function isInformed(state: TraderState, symbol: InstrumentSymbol): boolean {
  const { needs, tradesRead } = marketOf(state, symbol).knowledge;
  const surfaces: Surface[] = (needs.books ?? []).map((other) => bookSurfaceOf(state, other));
  if (needs.trades === true) surfaces.push(tradesRead);
  const isRead = surfaces.every(({ sentAt, failures }) => sentAt !== null || failures > 0);
  return isRead && doubtedBooks(state, symbol).length === 0;
}

/** A market whose price the bot itself does not trust makes none for another one either. */
function booksFor(
  state: TraderState,
  symbol: InstrumentSymbol,
  doubted: readonly InstrumentSymbol[],
): Knowledge['books'] {
  const { books = [] } = marketOf(state, symbol).knowledge.needs;
  if (books.length === 0) return NO_KNOWLEDGE.books;
  return new Map(
    books.flatMap((other): [InstrumentSymbol, BookSeen][] => {
      const seen = doubted.includes(other) ? null : trustedBook(state, other);
      return seen === null ? [] : [[other, seen]];
    }),
  );
}
