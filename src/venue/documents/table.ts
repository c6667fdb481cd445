// A Markdown table.

/** Header, rule and rows, ending in a line feed. A bar inside a cell is escaped. */
export function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  return `${line(heads)}|${'---|'.repeat(heads.length)}\n${rows.map(line).join('')}`;
}
