// From files on disk to a tape in memory.
import type { Instrument } from '../domain/instrument.ts';
import type { DurationMs } from '../domain/time.ts';
import { tapeBuilder } from './compact-tape.ts';
import { mergeByTime } from './merge-by-time.ts';
import { readBooks } from './read-books.ts';
import { readTrades } from './read-trades.ts';
import { TapeError } from './tape-error.ts';
import type { Tape, TapeReport } from './types.ts';

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
}

/** Reads the files and merges them by the exchange's time. Rejects with TapeError. */
export async function loadTape(files: TapeFiles): Promise<LoadedTape> {
  const { instrument, maxBackwardMs, recordedSymbol } = files;
  const shared = { instrument, maxBackwardMs, recordedSymbol };
  const trades = readTrades({ ...shared, files: files.trades, maxSilenceMs: files.maxTradeSilenceMs });
  const books = readBooks({ ...shared, files: files.books, maxSilenceMs: files.maxBookSilenceMs });
  const builder = tapeBuilder(instrument);
  for await (const row of mergeByTime(trades.rows, books.rows)) builder.add(row);
  const loaded = { tape: builder.build(), books: books.report(), trades: trades.report() };
  requireOneSymbol(loaded);
  return loaded;
}

/** Trades of one market in the book of another would be played at prices that never met. */
function requireOneSymbol({ trades, books }: LoadedTape): void {
  if (trades.symbol === null || books.symbol === null || trades.symbol.text === books.symbol.text) return;
  const { text, file, line } = books.symbol;
  const sentence = `The books are about ${text}; those of ${trades.symbol.text} were expected (${trades.symbol.file}).`;
  throw new TapeError({ file, line, column: 'symbol', value: text }, sentence);
}
