// Rows of trades and books as recorded.
import { type Decimal, decimal, parseDecimal } from '../domain/decimal.ts';
import type { Side } from '../domain/order.ts';
import { type DurationMs, MINUTE } from '../domain/time.ts';
import { lotsCell, type Pass, priceCell, type RowFormat, startReading, wholeLots } from './reading.ts';
import { cellError, findColumn, requireColumn, type TableHeader, type TableRow } from './table-file.ts';
import type { TapeBook, TapeLevel, TapeReading, TapeSource, TapeTrade } from './types.ts';

interface TradeColumns {
  /** Negative if the file has none. */
  readonly id: number;
  readonly timestamp: number;
  readonly side: number;
  readonly price: number;
  readonly amount: number;
}

const TRADES: RowFormat<TradeColumns, TapeTrade> = {
  kind: 'trades',
  isWhole: () => true,
  columns: (header) => ({
    id: findColumn(header, 'id'),
    timestamp: requireColumn(header, 'timestamp'),
    side: requireColumn(header, 'side'),
    price: requireColumn(header, 'price'),
    amount: requireColumn(header, 'amount'),
  }),
  row(row, columns, pass) {
    const { counts } = pass;
    const takerSide = sideCell(row, columns.side);
    const priceTicks = priceCell(row, columns.price, pass);
    const lots = lotsCell(row, columns.amount, pass);
    counts.volume = counts.volume.add(decimalCell(row, columns.amount));
    // A row is left out for one reason at most.
    if (countDuplicate(row, columns, pass)) return null;
    if (takerSide === 'unknown') {
      counts.unknownSides += 1;
      return null;
    }
    const quantityLots = wholeLots(lots, pass);
    return quantityLots === 0 ? null : { kind: 'trade', takerSide, priceTicks, quantityLots };
  },
};

function sideCell(row: TableRow, index: number): Side | 'unknown' {
  const text = row.cells[index] ?? '';
  if (text === 'buy' || text === 'sell' || text === 'unknown') return text;
  throw cellError(row, index, `"${text}" is not a taker's side (buy, sell or unknown).`);
}

/** For a cell known to hold a number. */
const decimalCell = ({ cells }: TableRow, index: number): Decimal => parseDecimal(cells[index] ?? '') ?? decimal(0);

/** Rows with the same id are compared within this time. */
const RECENT_MS: DurationMs = MINUTE;

/**
 * Whether the row repeats another: the same id with the same content. An id shared by rows that differ proves nothing:
 * some recorders write the same one into every row.
 */
function countDuplicate(row: TableRow, columns: TradeColumns, pass: Pass): boolean {
  const cell = (column: number): string => row.cells[column] ?? '';
  const id = cell(columns.id);
  if (id === '') return false;
  const { recent, counts, timeLine, source } = pass;
  const at = timeLine.lastAt ?? 0;
  for (const [old, trade] of recent) {
    if (trade.at >= at - Math.max(RECENT_MS, source.maxBackwardMs) * 1_000) break;
    recent.delete(old);
  }
  // Recorders write the same number in several ways: 0.00022 and 0.000220.
  const numbers = [columns.timestamp, columns.price, columns.amount].map((column) =>
    decimalCell(row, column).toFixed(),
  );
  const content = [cell(columns.side), ...numbers].join();
  const known = recent.get(id);
  const isShared = known !== undefined && (known.isShared || known.content !== content);
  recent.delete(id);
  recent.set(id, { at, content, isShared });
  const isTwin = known !== undefined && !isShared;
  if (isTwin) counts.duplicates += 1;
  return isTwin;
}

/** Reads the trades of consecutive files. Walking `rows` throws TapeError. */
export function readTrades(source: TapeSource): TapeReading<TapeTrade> {
  return startReading(source, TRADES);
}

// Recorded books in the Tardis column layout (`book_snapshot_N`): asks[i].price, asks[i].amount, bids[i].price,
// bids[i].amount.

interface LevelColumns {
  readonly price: number;
  readonly amount: number;
}

interface BookColumns {
  readonly bids: readonly LevelColumns[];
  readonly asks: readonly LevelColumns[];
}

const BOOKS: RowFormat<BookColumns, TapeBook> = {
  kind: 'books',
  columns: (header) => ({ bids: levelColumns(header, 'bids'), asks: levelColumns(header, 'asks') }),
  row(row, columns, pass) {
    const bids = levelCells(row, columns.bids, { pass, falling: true });
    const asks = levelCells(row, columns.asks, { pass, falling: false });
    const [bid, ask] = [bids[0], asks[0]];
    if (bid !== undefined && ask !== undefined && bid.priceTicks >= ask.priceTicks) {
      pass.counts.crossedBooks += 1;
      return null;
    }
    if (bid !== undefined && ask !== undefined) pass.counts.twoSidedBooks += 1;
    return { kind: 'book', bids, asks };
  },
  isWhole: ({ bids, asks }) => bids.length > 0 && asks.length > 0,
};

/** As many levels as the header names, from 0 on. */
function levelColumns(header: TableHeader, side: 'bids' | 'asks'): readonly LevelColumns[] {
  requireColumn(header, `${side}[0].price`);
  const columns: LevelColumns[] = [];
  for (;;) {
    const price = findColumn(header, `${side}[${columns.length}].price`);
    if (price < 0) return columns;
    columns.push({ price, amount: requireColumn(header, `${side}[${columns.length}].amount`) });
  }
}

/** Levels from the best outward; empty cells end a side thinner than the layout. */
function levelCells(
  row: TableRow,
  columns: readonly LevelColumns[],
  { pass, falling }: { pass: Pass; falling: boolean },
): TapeLevel[] {
  const levels: TapeLevel[] = [];
  let before = falling ? Number.POSITIVE_INFINITY : 0;
  for (const [index, { price, amount }] of columns.entries()) {
    if (row.cells[price] === '') {
      assertEmpty(row, columns.slice(index));
      break;
    }
    const priceTicks = priceCell(row, price, pass);
    if (falling ? priceTicks >= before : priceTicks <= before) {
      throw cellError(
        row,
        price,
        `Price ${row.cells[price]} is not further from the other side than the level before it.`,
      );
    }
    before = priceTicks;
    const quantityLots = wholeLots(lotsCell(row, amount, pass), pass);
    if (quantityLots > 0) levels.push({ priceTicks, quantityLots });
  }
  return levels;
}

/** A filled cell after an empty price belongs to a lost level: all after it would be lost silently. */
function assertEmpty(row: TableRow, columns: readonly LevelColumns[]): void {
  const filled = columns.flatMap(({ price, amount }) => [price, amount]).find((column) => row.cells[column] !== '');
  if (filled !== undefined) throw cellError(row, filled, `${row.cells[filled]} stands behind an empty price.`);
}

/** Reads the books of consecutive files. Walking `rows` throws TapeError. */
export function readBooks(source: TapeSource): TapeReading<TapeBook> {
  return startReading(source, BOOKS);
}
