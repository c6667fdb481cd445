// Rows as CSV (RFC 4180) and as JSON, from one list of columns: a column has one name in both.
import { plainText } from '../../domain/text.ts';
import type { EpochMs } from '../../domain/time.ts';

export type Cell = string | number | null;

export interface Column<Row> {
  /** As documented in docs/statements.md; never renamed. */
  readonly name: string;
  readonly cell: (row: Row) => Cell;
}

/** The header and a line for each row, without line feeds. */
export function* csvLines<Row>(columns: readonly Column<Row>[], rows: Iterable<Row>): Generator<string> {
  yield columns.map(({ name }) => name).join(',');
  for (const row of rows) yield columns.map(({ cell }) => csvCell(cell(row))).join(',');
}

/** A spreadsheet takes such a text for a formula, and runs it. */
const FORMULA = /^[=+\-@＝＋－＠]/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** Empty for what is not known. */
function csvCell(cell: Cell): string {
  const plain = plainText(cell === null ? '' : String(cell));
  const text = FORMULA.test(plain) && !NUMBER.test(plain) ? `'${plain}` : plain;
  return /[",;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** `null` for what is not known. */
export const jsonRow = <Row>(columns: readonly Column<Row>[], row: Row): Readonly<Record<string, Cell>> =>
  Object.fromEntries(columns.map(({ name, cell }) => [name, cell(row)]));

/** A moment twice: `<name>` in UTC after ISO 8601, `<name>_ms` in milliseconds since 1970. */
export const momentColumns = <Row>(name: string, of: (row: Row) => EpochMs | null): readonly Column<Row>[] => [
  { name, cell: (row) => isoTime(of(row)) },
  { name: `${name}_ms`, cell: of },
];

const isoTime = (at: EpochMs | null): string | null => (at === null ? null : new Date(at).toISOString());
