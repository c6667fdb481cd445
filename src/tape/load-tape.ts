// From files on disk to a tape in memory.
import type { Instrument } from '../domain/instrument.ts';
import type { DurationMs } from '../domain/time.ts';
import { tapeBuilder } from './compact-tape.ts';
import { mergeByTime } from './merge-by-time.ts';
import { readBooks } from './read-books.ts';
import { readTrades } from './read-trades.ts';
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
}

export interface LoadedTape {
  readonly tape: Tape;
  readonly books: TapeReport;
  readonly trades: TapeReport;
}

/** Reads the files and merges them by the exchange's time. Rejects with TapeError. */
export async function loadTape(files: TapeFiles): Promise<LoadedTape> {
  const { instrument, maxBackwardMs } = files;
  const trades = readTrades({ files: files.trades, instrument, maxSilenceMs: files.maxTradeSilenceMs, maxBackwardMs });
  const books = readBooks({ files: files.books, instrument, maxSilenceMs: files.maxBookSilenceMs, maxBackwardMs });
  const builder = tapeBuilder(instrument);
  for await (const row of mergeByTime(trades.rows, books.rows)) builder.add(row);
  return { tape: builder.build(), books: books.report(), trades: trades.report() };
}
