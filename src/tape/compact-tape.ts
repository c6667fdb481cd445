// A recording in memory: columns of numbers instead of rows of objects.
import type { Instrument } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { Tape, TapeLevel, TapeRow } from './types.ts';

const BUY = 0;
const SELL = 1;
const BOOK = 2;

interface Columns {
  readonly kind: NumberColumn;
  readonly at: NumberColumn;
  /** The index of the row's first level; a trade has one level, a book its bids and then its asks. */
  readonly firstLevel: NumberColumn;
  readonly bidCount: NumberColumn;
  readonly price: NumberColumn;
  readonly quantity: NumberColumn;
}

interface TapeBuilder {
  /** Rows come in order of time. */
  add(row: TapeRow): void;
  build(): Tape;
}

/** Collects rows into a tape; about 16 bytes a level and 32 a row. */
export function tapeBuilder(instrument: Instrument): TapeBuilder {
  const columns: Columns = {
    kind: numberColumn(),
    at: numberColumn(),
    firstLevel: numberColumn(),
    bidCount: numberColumn(),
    price: numberColumn(),
    quantity: numberColumn(),
  };
  return {
    add: (row) => addRow(columns, row),
    build: () => ({
      instrument,
      length: columns.at.length,
      timeOf: (index) => columns.at.at(index),
      row: (index) => rowAt(columns, index),
    }),
  };
}

/** A tape of rows already in memory, in order of time. */
export function tapeOf(instrument: Instrument, rows: Iterable<TapeRow>): Tape {
  const builder = tapeBuilder(instrument);
  for (const row of rows) builder.add(row);
  return builder.build();
}

function addRow(columns: Columns, row: TapeRow): void {
  const { at, price } = columns;
  invariant(
    at.length === 0 || row.at >= at.at(at.length - 1),
    () => `Row ${at.length} at ${row.at} is older than the one before.`,
  );
  columns.firstLevel.push(price.length);
  at.push(row.at);
  if (row.kind === 'trade') {
    columns.kind.push(row.takerSide === 'buy' ? BUY : SELL);
    columns.bidCount.push(0);
    addLevel(columns, row);
    return;
  }
  columns.kind.push(BOOK);
  columns.bidCount.push(row.bids.length);
  for (const level of row.bids) addLevel(columns, level);
  for (const level of row.asks) addLevel(columns, level);
}

function addLevel(columns: Columns, level: TapeLevel): void {
  columns.price.push(level.priceTicks);
  columns.quantity.push(level.quantityLots);
}

function rowAt(columns: Columns, index: number): TapeRow {
  invariant(
    index >= 0 && index < columns.at.length,
    () => `The tape has ${columns.at.length} rows, none numbered ${index}.`,
  );
  const at = columns.at.at(index);
  const first = columns.firstLevel.at(index);
  const kind = columns.kind.at(index);
  if (kind !== BOOK) {
    const level = levelAt(columns, first);
    return { kind: 'trade', at, takerSide: kind === BUY ? 'buy' : 'sell', ...level };
  }
  const end = index + 1 < columns.at.length ? columns.firstLevel.at(index + 1) : columns.price.length;
  const middle = first + columns.bidCount.at(index);
  return { kind: 'book', at, bids: levelsAt(columns, first, middle), asks: levelsAt(columns, middle, end) };
}

function levelAt(columns: Columns, index: number): TapeLevel {
  return { priceTicks: columns.price.at(index), quantityLots: columns.quantity.at(index) };
}

function levelsAt(columns: Columns, from: number, to: number): TapeLevel[] {
  const levels: TapeLevel[] = [];
  for (let index = from; index < to; index += 1) levels.push(levelAt(columns, index));
  return levels;
}

// A growing column of numbers in eight bytes each: rows of objects would take ten times the memory.

interface NumberColumn {
  readonly length: number;
  push(value: number): void;
  /** The value at `index`, which must be under `length`. */
  at(index: number): number;
}

const FIRST_CAPACITY = 1_024;

function numberColumn(): NumberColumn {
  let values = new Float64Array(FIRST_CAPACITY);
  let length = 0;
  return {
    get length() {
      return length;
    },
    push(value) {
      if (length === values.length) {
        const wider = new Float64Array(length * 2);
        wider.set(values);
        values = wider;
      }
      values[length] = value;
      length += 1;
    },
    at: (index) => values[index] ?? Number.NaN,
  };
}
