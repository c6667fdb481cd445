// Records as lines of text: what a file that can tear looks like, and what of it may be used after a crash (P2).
import { fail, ok, type Result } from '../domain/result.ts';
import type { JournalRecord } from '../ports/journal-storage.ts';
import { type ChainFault, follow, GENESIS, type Head } from './chain.ts';

/** One record as a line of JSON with its line feed. */
export const lineOf = (record: JournalRecord): string => `${JSON.stringify(record)}\n`;

export interface Recovered {
  readonly records: readonly JournalRecord[];
  readonly head: Head;
  /** How many characters of the image hold these records; the next record is written after them. */
  readonly length: number;
  /** The incomplete last record that was dropped; empty when there was none. */
  readonly dropped: string;
}

/**
 * Reads an image. Only an incomplete last record may be dropped: what stands after the last line feed, whatever it is, because
 * a record is acknowledged only when its line feed is durable. Every other damage refuses, with the number of the record.
 */
export function recoverImage(image: string): Result<Recovered, ChainFault> {
  const end = image.lastIndexOf('\n') + 1;
  const records: JournalRecord[] = [];
  let head = GENESIS;
  for (const line of image.slice(0, end).split('\n').slice(0, -1)) {
    const next = followLine(head, line);
    if (!next.ok) return next;
    records.push(next.value.record);
    head = next.value.head;
  }
  const dropped = image.slice(end);
  if (startsWithWholeRecord(head, dropped)) {
    const seq = head.seq + 1;
    return fail({ seq, message: `Record ${seq} is whole, but another character stands in place of its line feed.` });
  }
  return ok({ records, head, length: end, dropped });
}

/** Then the record's line feed is damaged, not missing. A whole record with nothing after it was never acknowledged. */
function startsWithWholeRecord(head: Head, tail: string): boolean {
  for (let at = tail.indexOf('"}'); at >= 0 && at + 2 < tail.length; at = tail.indexOf('"}', at + 1)) {
    if (followLine(head, tail.slice(0, at + 2)).ok) return true;
  }
  return false;
}

function followLine(head: Head, line: string): Result<{ record: JournalRecord; head: Head }, ChainFault> {
  const record = parseLine(line);
  if (!record)
    return fail({ seq: head.seq + 1, message: `Record ${head.seq + 1} can't be read: its line is damaged.` });
  const next = follow(head, record);
  return next.ok ? ok({ record, head: next.value }) : next;
}

const NUMBERS = ['seq', 'epoch', 'wall', 'mono'] as const;
const TEXTS = ['type', 'payload', 'prevHash', 'hash'] as const;

function parseLine(line: string): JournalRecord | null {
  let row: Record<string, unknown>;
  try {
    row = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
  if (typeof row !== 'object' || row === null) return null;
  const numbers = NUMBERS.every((name) => typeof row[name] === 'number');
  const texts = TEXTS.every((name) => typeof row[name] === 'string');
  // A line that is not as we would write it has been touched, even where its meaning is the same.
  const record = row as unknown as JournalRecord;
  return numbers && texts && lineOf(record) === `${line}\n` ? record : null;
}
