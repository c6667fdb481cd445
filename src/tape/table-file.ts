// A file with one header line, its columns found by name, and its cells read with the place of any mistake.
import { readLines } from './read-lines.ts';
import { TapeError } from './tape-error.ts';
import type { EpochUs } from './types.ts';

export interface TableHeader {
  readonly file: string;
  readonly names: readonly string[];
}

export interface TableRow {
  readonly header: TableHeader;
  readonly line: number;
  readonly cells: readonly string[];
}

/** What `columnsOf` makes of the header is handed out with every row; it is asked even where no row follows. */
export interface FoundRow<Columns> {
  readonly row: TableRow;
  readonly columns: Columns;
}

/** The data rows of a comma-separated file; each has exactly as many cells as the header has names. */
export async function* readTable<Columns>(
  file: string,
  columnsOf: (header: TableHeader) => Columns,
): AsyncGenerator<FoundRow<Columns>> {
  let found: { header: TableHeader; columns: Columns } | null = null;
  for await (const { number, text } of readLines(file)) {
    const cells = text.split(',');
    if (found === null) {
      const header = { file, names: cells };
      found = { header, columns: columnsOf(header) };
      continue;
    }
    const { header, columns } = found;
    if (cells.length !== header.names.length) {
      const sentence = `The row has ${cells.length} cells, the header names ${header.names.length} columns.`;
      throw new TapeError({ file, line: number }, sentence);
    }
    yield { row: { header, line: number, cells }, columns };
  }
  if (found === null) throw new TapeError({ file, line: 1 }, 'The file is empty; a header line was expected.');
}

/** The place of column `name`, or -1 when the header has none. */
export function findColumn(header: TableHeader, name: string): number {
  return header.names.indexOf(name);
}

/** The place of column `name`. Throws TapeError when the header has none. */
export function requireColumn(header: TableHeader, name: string): number {
  const index = findColumn(header, name);
  if (index >= 0) return index;
  throw new TapeError({ file: header.file, line: 1, column: name }, 'The header has no such column; one was expected.');
}

/** A TapeError about one cell of a row. */
export function cellError(row: TableRow, index: number, sentence: string): TapeError {
  const column = row.header.names[index] ?? '';
  return new TapeError({ file: row.header.file, line: row.line, column, value: row.cells[index] ?? '' }, sentence);
}

// Microseconds of 2001-09-09 and of 2255-06-05: what lies outside is written in another unit.
const EARLIEST_US = 1e15;
const LATEST_US = Number.MAX_SAFE_INTEGER;
const INTEGER = /^\d+$/;

/** A time in microseconds. Throws TapeError when the cell holds something else. */
export function timeCell(row: TableRow, index: number): EpochUs {
  const text = row.cells[index] ?? '';
  const value = Number(text);
  if (INTEGER.test(text) && value >= EARLIEST_US && value <= LATEST_US) return value;
  throw cellError(row, index, `"${text}" is not a time in microseconds since 1970.`);
}
