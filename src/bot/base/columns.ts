// A table on a terminal.

interface Columns {
  /** Columns of numbers. */
  readonly right?: readonly number[];
  /** A cell wider than this does not widen its column. */
  readonly widest?: number;
}

export function inColumns(
  rows: readonly (readonly string[])[],
  { right = [], widest = Number.POSITIVE_INFINITY }: Columns = {},
): string[] {
  const widths = (rows[0] ?? []).map((_, column) => {
    const lengths = rows.map((row) => row[column]?.length ?? 0);
    return Math.max(0, ...lengths.filter((length) => length <= widest));
  });
  const padded = (cell: string, column: number): string =>
    right.includes(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0);
  return rows.map((row) => row.map(padded).join('  ').trimEnd());
}
