// Recorded trades in the Tardis column layout (`trades`): timestamp, local_timestamp, side, price, amount.
import { type Decimal, decimal, parseDecimal } from '../domain/decimal.ts';
import type { Side } from '../domain/order.ts';
import { type DurationMs, MINUTE } from '../domain/time.ts';
import { lotsCell, type Pass, priceCell, type RowFormat, startReading, wholeLots } from './reading.ts';
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
    const { counts } = pass;
    const takerSide = sideCell(row, columns.side);
    const priceTicks = priceCell(row, columns.price, pass);
    const lots = lotsCell(row, columns.amount, pass);
    counts.volume = counts.volume.add(decimalCell(row, columns.amount));
    // A row has one reason at most to be left out.
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

/** Of a cell that holds a number. */
const decimalCell = ({ cells }: TableRow, index: number): Decimal => parseDecimal(cells[index] ?? '') ?? decimal(0);

/** Rows with one id are compared within this time. */
const RECENT_MS: DurationMs = MINUTE;

/**
 * Whether the row repeats another one: the same id with the same content. An id of rows that differ tells nothing: some
 * recorders write the same one into every row.
 */
function countDuplicate(row: TableRow, columns: TradeColumns, pass: Pass): boolean {
  const cell = (column: number): string => row.cells[column] ?? '';
  const { recent, counts, timeLine, source } = pass;
  const at = timeLine.lastAt ?? 0;
  for (const [old, trade] of recent) {
    if (trade.at >= at - Math.max(RECENT_MS, source.maxBackwardMs) * 1_000) break;
    recent.delete(old);
  }
  // Recorders write one number in several ways: 0.00022 and 0.000220.
  const numbers = [columns.timestamp, columns.price, columns.amount].map((column) =>
    decimalCell(row, column).toFixed(),
  );
  const content = [cell(columns.side), ...numbers].join();
  const id = cell(columns.id);
  const name = id === '' ? content : `id ${id}`;
  const known = recent.get(name);
  const isShared = known !== undefined && (known.isShared || known.content !== content);
  recent.delete(name);
  recent.set(name, { at, content, isShared });
  if (known === undefined) return false;
  const isTwin = id !== '' && !isShared;
  counts[isTwin ? 'duplicates' : isShared ? 'sharedIds' : 'alikeWithoutIds'] += 1;
  return isTwin;
}

/** Reads the trades of consecutive files. Walking `rows` throws TapeError. */
export function readTrades(source: TapeSource): TapeReading<TapeTrade> {
  return startReading(source, TRADES);
}
