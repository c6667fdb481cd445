// Recorded books in the Tardis column layout (`book_snapshot_N`): asks[i].price, asks[i].amount, bids[i].price,
// bids[i].amount.
import { lotsCell, type Pass, priceCell, type RowFormat, startReading, wholeLots } from './reading.ts';
import { cellError, findColumn, requireColumn, type TableHeader, type TableRow } from './table-file.ts';
import type { TapeBook, TapeLevel, TapeReading, TapeSource } from './types.ts';

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

/** Levels from the best outwards; empty cells end a side that is thinner than the layout. */
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

/** A filled cell behind an empty price is of a level that was lost: all behind it would be lost unsaid. */
function assertEmpty(row: TableRow, columns: readonly LevelColumns[]): void {
  const filled = columns.flatMap(({ price, amount }) => [price, amount]).find((column) => row.cells[column] !== '');
  if (filled !== undefined) throw cellError(row, filled, `${row.cells[filled]} stands behind an empty price.`);
}

/** Reads the books of consecutive files. Walking `rows` throws TapeError. */
export function readBooks(source: TapeSource): TapeReading<TapeBook> {
  return startReading(source, BOOKS);
}
