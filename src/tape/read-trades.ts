// Recorded trades in the Tardis column layout (`trades`): timestamp, local_timestamp, side, price, amount.
import { parseDecimal } from '../domain/decimal.ts';
import { type Pass, priceCell, quantityCell, type RowFormat, startReading } from './reading.ts';
import { cellError, findColumn, requireColumn, type TableRow } from './table-file.ts';
import type { TapeReading, TapeSource, TapeTrade } from './types.ts';

interface TradeColumns {
  /** Negative where the file has none. */
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
    const takerSide = row.cells[columns.side] ?? '';
    const priceTicks = priceCell(row, columns.price, pass);
    const quantityLots = quantityCell(row, columns.amount, pass);
    if (isDuplicate(row, columns, pass)) return null;
    switch (takerSide) {
      case 'buy':
      case 'sell':
        return quantityLots === 0 ? null : { kind: 'trade', takerSide, priceTicks, quantityLots };
      case 'unknown':
        pass.counts.unknownSides += 1;
        return null;
      default:
        throw cellError(row, columns.side, `"${takerSide}" is not a taker's side (buy, sell or unknown).`);
    }
  },
};

/**
 * The same id with the same content. Ids alone tell nothing: some recorders write the same one into every row. A row
 * may be so much later than its twin as rows may go back in time.
 */
function isDuplicate(row: TableRow, columns: TradeColumns, pass: Pass): boolean {
  const cell = (column: number): string => row.cells[column] ?? '';
  const { id, timestamp, side, price, amount } = columns;
  // Recorders write one number in several ways: 0.00022 and 0.000220.
  const numbers = [timestamp, price, amount].map((column) => parseDecimal(cell(column))?.toFixed());
  const name = [cell(id), cell(side), ...numbers].join();
  const { recent, counts, timeLine, source } = pass;
  const now = timeLine.lastAt ?? 0;
  for (const [old, at] of recent) {
    if (at >= now - source.maxBackwardMs * 1_000) break;
    recent.delete(old);
  }
  const isKnown = recent.has(name);
  if (!isKnown) recent.set(name, now);
  if (!isKnown) return false;
  const hasId = cell(id) !== '';
  counts[hasId ? 'duplicates' : 'alikeWithoutIds'] += 1;
  return hasId;
}

/** Reads the trades of consecutive files. Walking `rows` throws TapeError. */
export function readTrades(source: TapeSource): TapeReading<TapeTrade> {
  return startReading(source, TRADES);
}
