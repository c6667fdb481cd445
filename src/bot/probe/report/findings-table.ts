// The findings for a person: question, finding, how sure, and the evidence; then what stays open and how to close it.
import type { Finding } from '../facts/finding.ts';
import { type Written, wantedWords } from './write-configuration.ts';

const HEADINGS = ['question', 'finding', 'sure', 'evidence'] as const;
/** A longer finding does not widen the column for all others. */
const WIDEST_FINDING = 44;

/** What was answered first, then what was not: nothing is left out. */
export function findingLines(findings: readonly Finding[]): readonly string[] {
  const answered = findings.filter(({ confidence }) => confidence !== 'unknown');
  const still = findings.filter(({ confidence }) => confidence === 'unknown');
  const rows = answered.map(({ question, finding, confidence, evidence }) => [question, finding, confidence, evidence]);
  return [
    ...table([HEADINGS, ...rows]),
    '',
    'Still open:',
    ...still.map(({ question, finding, evidence }) =>
      finding.startsWith('not known') ? `  ${question}: ${evidence}` : `  ${question}: ${finding}; ${evidence}`,
    ),
  ];
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = HEADINGS.map((_, column) => {
    const lengths = rows.map((row) => (row[column] ?? '').length);
    return Math.max(...lengths.filter((length) => length <= WIDEST_FINDING));
  });
  return rows.map((row) =>
    row.map((cell, column) => (column === 3 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '),
  );
}

/** What was written, and what was not. */
export function writtenLines({ file, applied, refused }: Written): readonly string[] {
  const changes =
    applied.length === 0 ? 'with nothing changed but its comments' : `with ${applied.map(wantedWords).join(', ')}`;
  return [
    `${file} is written, ${changes}.`,
    ...refused.map(({ change, why }) => `NOT APPLIED: ${wantedWords(change)}. ${why}`),
  ];
}
