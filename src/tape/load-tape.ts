// From files on disk to a tape in memory.
import { type Decimal, decimal } from '../domain/decimal.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { DurationMs } from '../domain/time.ts';
import { tapeBuilder } from './compact-tape.ts';
import { mergeByTime } from './merge-by-time.ts';
import { readBooks } from './read-books.ts';
import { readTrades } from './read-trades.ts';
import { TapeError } from './tape-error.ts';
import type { Tape, TapeBook, TapeReport, TapeSource } from './types.ts';

export interface TapeFiles {
  readonly instrument: Instrument;
  /** Consecutive `book_snapshot_N` files, oldest first. */
  readonly books: readonly string[];
  /** Consecutive `trades` files, oldest first. */
  readonly trades: readonly string[];
  /** Longest silence between two books, and between two trades, that is no gap. */
  readonly maxBookSilenceMs: DurationMs;
  readonly maxTradeSilenceMs: DurationMs;
  readonly maxBackwardMs: DurationMs;
  /** The symbol as the files must write it, where that was configured. */
  readonly recordedSymbol: string | null;
}

export interface LoadedTape {
  readonly tape: Tape;
  readonly books: TapeReport;
  readonly trades: TapeReport;
  /** Rows whose price is far from the middle of the last book: trades are left out, books are played. */
  readonly far: { readonly trade: number; readonly book: number };
  /** In base, what is played of `trades.volume`. */
  readonly playedVolume: Decimal;
}

/** Reads the files and merges them by the exchange's time. Rejects with TapeError. */
export async function loadTape(files: TapeFiles): Promise<LoadedTape> {
  const { instrument, maxBackwardMs, recordedSymbol } = files;
  const shared = { instrument, maxBackwardMs, recordedSymbol };
  const trades = readTrades({ ...shared, files: files.trades, maxSilenceMs: files.maxTradeSilenceMs });
  const bookSource = { ...shared, files: files.books, maxSilenceMs: files.maxBookSilenceMs };
  const books = readBooks(bookSource);
  const builder = tapeBuilder(instrument);
  const far = { trade: 0, book: 0 };
  let middle = await firstMiddle(bookSource);
  let playedVolume = decimal(0);
  for await (const row of mergeByTime(trades.rows, books.rows)) {
    const price = row.kind === 'trade' ? row.priceTicks : middleOf(row);
    const isFar = price !== null && middle !== null && Math.abs(price - middle) > middle * FARTHEST_RATIO;
    if (isFar) far[row.kind] += 1;
    if (row.kind === 'book') middle = price ?? middle;
    else if (isFar) continue;
    else playedVolume = playedVolume.add(instrument.lotSize.mul(row.quantityLots));
    builder.add(row);
  }
  const report = trades.report();
  const played = { trades: { ...report, played: report.played - far.trade }, far, playedVolume };
  const loaded = { tape: builder.build(), books: books.report(), ...played };
  requireOneSymbol(loaded);
  return loaded;
}

/** Of the middle of the book. A trade so far from it is a fault of the recording, and would sweep the book. */
const FARTHEST_RATIO = 0.5;

/** Also trades before the first book are compared with it. */
async function firstMiddle(source: TapeSource): Promise<number | null> {
  for await (const book of readBooks(source).rows) {
    const middle = middleOf(book);
    if (middle !== null) return middle;
  }
  return null;
}

function middleOf({ bids: [bid], asks: [ask] }: TapeBook): number | null {
  return bid === undefined || ask === undefined ? null : (bid.priceTicks + ask.priceTicks) / 2;
}

/** Trades of one market in the book of another would be played at prices that never met. */
function requireOneSymbol({ trades, books }: Pick<LoadedTape, 'trades' | 'books'>): void {
  if (trades.symbol === null || books.symbol === null || trades.symbol.text === books.symbol.text) return;
  const { text, file, line } = books.symbol;
  const sentence = `The books are about ${text}; those of ${trades.symbol.text} were expected (${trades.symbol.file}).`;
  throw new TapeError({ file, line, column: 'symbol', value: text }, sentence);
}
