// Records as text: what archives and the faked disk hold.
import type { JournalRecord } from '../ports/journal-storage.ts';

/** One record as a line of JSON with its line feed. */
export const lineOf = (record: JournalRecord): string => `${JSON.stringify(record)}\n`;

const NUMBERS = ['seq', 'epoch', 'wall', 'mono'] as const;
const TEXTS = ['type', 'payload', 'prevHash', 'hash'] as const;

/** The record that a parsed JSON value is; null for anything else, and for one with more or fewer fields. */
export function recordOf(value: unknown): JournalRecord | null {
  if (typeof value !== 'object' || value === null) return null;
  const row = value as Readonly<Record<string, unknown>>;
  const numbers = NUMBERS.every((name) => typeof row[name] === 'number');
  const texts = TEXTS.every((name) => typeof row[name] === 'string');
  const whole = Object.keys(row).length === NUMBERS.length + TEXTS.length;
  return numbers && texts && whole ? (row as unknown as JournalRecord) : null;
}
