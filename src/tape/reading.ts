// Shared by the two readers: one pass over consecutive files of a kind, with counts of what had to be adjusted.
import { decimal } from '../domain/decimal.ts';
import {
  advance,
  endGap,
  newTimeLine,
  type StepCount,
  type StepCounter,
  stepCounter,
  type TimeLine,
  trackGaps,
} from './row-checks.ts';
import {
  cellError,
  findColumn,
  readTable,
  requireColumn,
  type TableHeader,
  type TableRow,
  TapeError,
  timeCell,
} from './table-file.ts';
import type { EpochUs, RecordedSymbol, TapeReading, TapeReport, TapeSource } from './types.ts';

/** The state of one pass. Readers update `counts`. */
export interface Pass {
  readonly source: TapeSource;
  readonly ticks: StepCounter;
  readonly lots: StepCounter;
  readonly timeLine: TimeLine;
  readonly counts: ReturnType<typeof noCounts>;
  /** Trades that a later row may repeat, by id; the oldest first. */
  readonly recent: Map<string, RecentTrade>;
  /** The symbol as written in the files, once known. */
  symbol: RecordedSymbol | null;
}

interface RecentTrade {
  readonly at: EpochUs;
  readonly content: string;
  /** Whether different trades have its id, which then identifies none of them. */
  readonly isShared: boolean;
}

const noCounts = () => ({
  ...{ played: 0, flooredQuantities: 0, droppedQuantities: 0, unknownSides: 0, duplicates: 0 },
  ...{ volume: decimal(0), twoSidedBooks: 0, crossedBooks: 0 },
});

/** How to turn one kind of file into rows. */
export interface RowFormat<Columns, Row> {
  readonly kind: TapeKind;
  /** The columns of one file; throws TapeError when one is missing. */
  columns(header: TableHeader): Columns;
  /** One row, or `null` when it is left out (and counted). */
  row(row: TableRow, columns: Columns, pass: Pass): Omit<Row, 'at'> | null;
  /** Whether it shows the market. */
  isWhole(row: Omit<Row, 'at'>): boolean;
}

/**
 * Reads the files one after the other. No file is opened before the first row is requested; `rows` can be iterated
 * once.
 */
export function startReading<Columns, Row extends { at: EpochUs }>(
  source: TapeSource,
  format: RowFormat<Columns, Row>,
): TapeReading<Row> {
  const pass: Pass = {
    source,
    ticks: stepCounter(source.instrument.tickSize),
    lots: stepCounter(source.instrument.lotSize),
    timeLine: newTimeLine(),
    counts: noCounts(),
    recent: new Map(),
    symbol: null,
  };
  return { rows: readRows(pass, format), report: () => reportOf(pass) };
}

async function* readRows<Columns, Row extends { at: EpochUs }>(
  pass: Pass,
  format: RowFormat<Columns, Row>,
): AsyncGenerator<Row> {
  const columnsOf = (header: TableHeader) => {
    requireKind(header, format.kind);
    const shared = { symbol: findColumn(header, 'symbol'), timestamp: requireColumn(header, 'timestamp') };
    return { shared, own: format.columns(header) };
  };
  for (const file of pass.source.files) {
    for await (const { row, columns } of readTable(file, columnsOf)) {
      const { symbol, timestamp } = columns.shared;
      requireSameSymbol(row, symbol, pass);
      const at = advance(pass.timeLine, timeCell(row, timestamp), { row, column: timestamp, source: pass.source });
      const read = format.row(row, columns.own, pass);
      const isWhole = read !== null && format.isWhole(read);
      trackGaps(pass.timeLine, row, { isWhole, maxSilenceMs: pass.source.maxSilenceMs });
      if (read === null) continue;
      pass.counts.played += 1;
      yield { ...read, at } as Row;
    }
  }
}

/** A file of several symbols would be played as one market. */
function requireSameSymbol(row: TableRow, column: number, pass: Pass): void {
  if (column < 0) return;
  const symbol = row.cells[column] ?? '';
  const { recordedSymbol } = pass.source;
  pass.symbol ??= { text: symbol, file: row.header.file, line: row.line };
  if (recordedSymbol !== null && symbol !== recordedSymbol) {
    throw cellError(row, column, `The row is about ${symbol}; recordedSymbol says that ${recordedSymbol} is expected.`);
  }
  if (symbol === pass.symbol.text) return;
  throw cellError(row, column, `The row is about ${symbol}, the rows before it about ${pass.symbol.text}.`);
}

function reportOf({ source, symbol, counts, timeLine }: Pass): TapeReport {
  const { maxSilenceMs } = source;
  const { broken, ...line } = timeLine;
  // No row has come yet that would have ended it.
  if (broken !== null) endGap(line, broken, maxSilenceMs);
  const { rows, firstAt, lastAt, gapCount, longestGap, backwardTimes } = line;
  return { symbol, rows, firstAt, lastAt, maxSilenceMs, gapCount, longestGap, backwardTimes, ...counts };
}

/**
 * A price as whole ticks. A price off the tick is an error, never rounded: the tick size is then not the recording's,
 * and rounded prices would cross or merge separate levels.
 */
export function priceCell(row: TableRow, index: number, pass: Pass): number {
  const text = row.cells[index] ?? '';
  const count = pass.ticks(text);
  if (count === null) throw cellError(row, index, `"${text}" is not a price; a number above 0 was expected.`);
  if (!count.exact) {
    const { symbol, tickSize } = pass.source.instrument;
    throw cellError(row, index, `Price ${text} is not a multiple of tick size ${tickSize.toFixed()} (${symbol}).`);
  }
  if (count.whole === 0) throw cellError(row, index, `Price ${text} is not above zero.`);
  return count.whole;
}

/** A quantity in lots. */
export function lotsCell(row: TableRow, index: number, pass: Pass): StepCount {
  const text = row.cells[index] ?? '';
  const count = pass.lots(text);
  if (count === null) throw cellError(row, index, `"${text}" is not a quantity; a number not below 0 was expected.`);
  return count;
}

/**
 * Whole lots, rounded down (counted) because a coarser lot than the recording's is a fair choice; 0 means to leave the
 * row out.
 */
export function wholeLots({ whole, exact }: StepCount, { counts }: Pass): number {
  if (whole === 0) counts.droppedQuantities += 1;
  else if (!exact) counts.flooredQuantities += 1;
  return whole;
}

// The two kinds of recording, distinguished by their columns.

type TapeKind = 'trades' | 'books';

const COLUMNS: Readonly<Record<TapeKind, readonly string[]>> = {
  trades: ['side', 'price', 'amount'],
  books: ['asks[0].price', 'bids[0].price'],
};

/** Throws TapeError if the header is the other kind's: the two were swapped, and no column is missing. */
function requireKind(header: TableHeader, expected: TapeKind): void {
  const other = expected === 'trades' ? 'books' : 'trades';
  const has = (kind: TapeKind): boolean => COLUMNS[kind].every((name) => findColumn(header, name) >= 0);
  if (has(expected) || !has(other)) return;
  const columns = COLUMNS[expected].join(', ');
  const sentence = `The header is that of recorded ${other}; ${expected} were expected (columns ${columns}).`;
  throw new TapeError({ file: header.file, line: 1 }, sentence);
}
