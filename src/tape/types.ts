// The terms of recorded market data. Prices and quantities are whole ticks and lots of the instrument.
import type { Decimal } from '../domain/decimal.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';

/** Microseconds since 1970-01-01T00:00:00Z: the unit of the recordings. Exact in a number until the year 2255. */
export type EpochUs = number;

export interface TapeLevel {
  readonly priceTicks: number;
  readonly quantityLots: number;
}

export interface TapeTrade {
  readonly kind: 'trade';
  /** The exchange's clock. */
  readonly at: EpochUs;
  readonly takerSide: Side;
  readonly priceTicks: number;
  readonly quantityLots: number;
}

/** The best levels of both sides after everything up to `at`: bids fall, asks rise. */
export interface TapeBook {
  readonly kind: 'book';
  readonly at: EpochUs;
  readonly bids: readonly TapeLevel[];
  readonly asks: readonly TapeLevel[];
}

export type TapeRow = TapeTrade | TapeBook;

/** Consecutive files of one kind about one symbol, in order of time, with their tolerances. */
export interface TapeSource {
  /** `.gz` is decompressed. */
  readonly files: readonly string[];
  /** Its tick and lot are the recording's, or its lots are coarser. */
  readonly instrument: Instrument;
  /** A longer time without a row that shows the market is reported as a gap. */
  readonly maxSilenceMs: DurationMs;
  /**
   * A row at most this much older than the previous one takes that one's time and is counted; an older one is an error.
   */
  readonly maxBackwardMs: DurationMs;
  /** The symbol that the files must contain; `null` uses the first row's. */
  readonly recordedSymbol: string | null;
}

/** A symbol as written in a file, and its first place. */
export interface RecordedSymbol {
  readonly text: string;
  readonly file: string;
  readonly line: number;
}

/** No row that shows the market between these two moments. The place is that of the row at its end. */
export interface TapeGap {
  readonly fromAt: EpochUs;
  readonly toAt: EpochUs;
  readonly file: string;
  readonly line: number;
}

/** From the first to the last row of all recordings played together, in whole milliseconds. */
export interface PlayedSpan {
  readonly firstAt: EpochMs;
  readonly lastAt: EpochMs;
}

/** A summary of the rows read and the adjustments made. */
export interface TapeReport {
  /** `null` if the files do not name it, or have no row. */
  readonly symbol: RecordedSymbol | null;
  readonly rows: number;
  /** Rows that were not left out. */
  readonly played: number;
  /** In base, over all rows of trades, including those left out. */
  readonly volume: Decimal;
  readonly firstAt: EpochUs | null;
  readonly lastAt: EpochUs | null;
  /** A longer time without a row that shows the market (a trade that is played, a book of both sides) is a gap. */
  readonly maxSilenceMs: DurationMs;
  readonly gapCount: number;
  readonly longestGap: TapeGap | null;
  /** Quantities that were not whole lots and lost the remainder. */
  readonly flooredQuantities: number;
  /** Quantities under one lot: the trade or level is left out. Not counted as floored. */
  readonly droppedQuantities: number;
  /** Trades without a known taker side: left out. */
  readonly unknownSides: number;
  /** Repeated trades, equal in every field: left out. They are recognized by their ids, if they have any. */
  readonly duplicates: number;
  /** Books with a bid and an ask. */
  readonly twoSidedBooks: number;
  /** Books whose best bid was not below the best ask: left out. */
  readonly crossedBooks: number;
  /** Rows that went back in time within `maxBackwardMs`. */
  readonly backwardTimes: number;
}

/** Rows as they are read; the report covers the rows read so far. */
export interface TapeReading<Row> {
  readonly rows: AsyncIterable<Row>;
  report(): TapeReport;
}

/** A recording in memory, trades and books merged in order of the exchange's time. */
export interface Tape {
  readonly instrument: Instrument;
  readonly length: number;
  /** Exchange time of row `index`; never falls with the index. */
  timeOf(index: number): EpochUs;
  row(index: number): TapeRow;
}
