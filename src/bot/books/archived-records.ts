// Records that have left the journal for packed files beside it, as far back as the files go on from each other.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { follow, type Head, recordOf } from '../../journal/chain.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import { archivedFiles } from '../state-folder/journal-archive.ts';

/** Where a chain ends. */
type End = Pick<Head, 'seq' | 'hash'>;

/** A file that is read up to a record: those behind it are in the next one as well. */
interface Part {
  readonly file: string;
  readonly through: number;
  /** What its first record follows. */
  readonly before: End;
}

/**
 * The records before one of the journal's, in order. Files of a journal that was begun afresh in the same folder, and
 * damaged ones, do not link to it: with them the past ends.
 */
export function* archivedBefore(folder: string, { seq, prevHash }: JournalRecord): Generator<JournalRecord> {
  if (!existsSync(folder)) return;
  for (const { file, through } of partsBefore(folder, { seq: seq - 1, hash: prevHash }))
    for (const record of recordsIn(file) ?? []) if (record.seq <= through) yield record;
}

function partsBefore(folder: string, end: End): readonly Part[] {
  const parts: Part[] = [];
  for (let part = partEndingAt(folder, end); part !== null; part = partEndingAt(folder, part.before))
    parts.unshift(part);
  return parts;
}

function partEndingAt(folder: string, end: End): Part | null {
  for (const { name, first, last } of archivedFiles(folder)) {
    if (first > end.seq || last < end.seq) continue;
    const file = path.join(folder, name);
    const before = beginningOf(file, end);
    if (before !== null) return { file, through: end.seq, before };
  }
  return null;
}

/** What the file's first record follows, where those up to `end` are a chain that ends there. */
function beginningOf(file: string, end: End): End | null {
  const records = recordsIn(file)?.filter(({ seq }) => seq <= end.seq) ?? [];
  const [first] = records;
  if (first === undefined) return null;
  const before: Head = { seq: first.seq - 1, epoch: first.epoch, hash: first.prevHash };
  let head = before;
  for (const record of records) {
    const next = follow(head, record);
    if (!next.ok) return null;
    head = next.value;
  }
  return head.seq === end.seq && head.hash === end.hash ? before : null;
}

/** Null where the file can't be read as what it should be. */
function recordsIn(file: string): readonly JournalRecord[] | null {
  try {
    const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
    const records = lines.map((line) => recordOf(JSON.parse(line)));
    return records.every((record) => record !== null) ? records : null;
  } catch {
    return null;
  }
}
