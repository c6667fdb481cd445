// Everything that a view brings beside book and holdings, as of the last reads.
import { type Decimal, decimal } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { ReferenceSource } from '../../quoting/reference-price.ts';
import { type BookSeen, type Knowledge, NO_KNOWLEDGE } from '../../quoting/strategy.ts';
import { marketIn } from '../durable/market.ts';
import { trustedBook } from '../state/book-of-others.ts';
import { bookSurfaceOf, marketOf, type TraderState } from '../state/state.ts';
import type { Surface } from '../state/surfaces.ts';

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

// Whether what a market shows is fit to make a price of for another one.

/** The sentence of its halt. Also one of a journal from before, whose sentence had no numbers. */
const JUMPED = /The reference price jumped(?: from (?<from>[\d.]+) to (?<to>[\d.]+) )?.* and stayed: /;
const FAR_FROM_STATED =
  /The reference price was (?<to>[\d.]+) at .*, far from the stated (?<from>[\d.]+), and stayed: /;

export const isJumpHalt = (reason: string): boolean => JUMPED.test(reason) || FAR_FROM_STATED.test(reason);

/** The price of before or the stated one, and the one that books showed; null where the sentence has no numbers. */
export function pricesOfJumpHalt(reason: string): { readonly from: Decimal; readonly to: Decimal } | null {
  const { from, to } = (JUMPED.exec(reason) ?? FAR_FROM_STATED.exec(reason))?.groups ?? {};
  return from === undefined || to === undefined ? null : { from: decimal(from), to: decimal(to) };
}

/** Why a price of this market is not fit to convert that of another one; null where it is. */
export function priceDoubt(state: Pick<TraderState, 'durable' | 'markets'>, symbol: InstrumentSymbol): string | null {
  const { jump, lastGoodReference } = marketOf(state, symbol);
  if (isJumpHalt(marketIn(state.durable, symbol).halt?.reason ?? ''))
    return `${symbol} is halted here because its price jumped.`;
  if (jump !== null) return `The price of ${symbol} jumped here, and is not trusted.`;
  return lastGoodReference === null ? `No second book has confirmed the price of ${symbol} here yet.` : null;
}

/** Prices that are not the exchange's own tell nothing of its books, and its books nothing of them. */
export const OF_OTHERS: ReadonlySet<ReferenceSource> = new Set<ReferenceSource>(['external', 'fixed']);

/** Of the books that the strategy of the symbol needs, those that no price is made of now. */
export function doubtedBooks(
  state: Pick<TraderState, 'durable' | 'markets'>,
  symbol: InstrumentSymbol,
): readonly InstrumentSymbol[] {
  const { books = NONE } = marketOf(state, symbol).knowledge.needs;
  if (books.length === 0) return NONE;
  return books.filter((other) => {
    const run = state.markets.get(other)?.run;
    return run !== undefined && !OF_OTHERS.has(run.referenceSource) && priceDoubt(state, other) !== null;
  });
}

const NONE: readonly InstrumentSymbol[] = [];
