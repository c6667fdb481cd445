// The two kinds of recording, told apart by their columns.
import { findColumn, type TableHeader } from './table-file.ts';
import { TapeError } from './tape-error.ts';

export type TapeKind = 'trades' | 'books';

const COLUMNS: Readonly<Record<TapeKind, readonly string[]>> = {
  trades: ['side', 'price', 'amount'],
  books: ['asks[0].price', 'bids[0].price'],
};

/** Throws TapeError where the header is that of the other kind: the two were mixed up, and no column is missing. */
export function requireKind(header: TableHeader, expected: TapeKind): void {
  const other = expected === 'trades' ? 'books' : 'trades';
  const has = (kind: TapeKind): boolean => COLUMNS[kind].every((name) => findColumn(header, name) >= 0);
  if (has(expected) || !has(other)) return;
  const columns = COLUMNS[expected].join(', ');
  const sentence = `The header is that of recorded ${other}; ${expected} were expected (columns ${columns}).`;
  throw new TapeError({ file: header.file, line: 1 }, sentence);
}
