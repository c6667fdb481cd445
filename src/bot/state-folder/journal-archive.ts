// Moves records that a verified snapshot made unnecessary into compressed files next to the journal, for people to
// read. Records of the books also stay in the journal's file.
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { lineOf } from '../../journal/chain.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import { makeFolder, syncFolder } from '../base/durable-file.ts';

/** Lines of JSON, one record each, compressed in pieces: `zcat` reads them. */
const ENDING = '.jsonl.gz';
/** First and last record, and the beginning of the last one's hash: a journal started fresh repeats the numbers. */
const NAME = /^journal-(\d+)-(\d+)-([0-9a-f]{16})\.jsonl\.gz$/;
const HASH_DIGITS = 16;
/** Records moved per step. */
const STEP = 250;
/**
 * Beyond this many files, the oldest is deleted. At 50,000 records and some 10 MB each, this is one or two gigabytes.
 */
const ARCHIVES_KEPT = 150;

export const archiveFolder = (journal: string): string => path.join(path.dirname(journal), 'journal-archive');

/** The table that is emptied. */
export interface ArchivedTable {
  /** Records with `after` < number ≤ `through`, in order, at most `limit`. */
  page(after: number, through: number, limit: number): readonly JournalRecord[];
  /** Durable when it returns; records of the books are stored elsewhere in the same transaction. */
  remove(through: number): void;
}

interface Part {
  readonly descriptor: number;
  readonly first: number;
  last: JournalRecord;
}

/**
 * Writes a file under a temporary name, syncs it, and renames it when complete; only then removes its records from the
 * table, in small transactions. A crash at any point leaves each record in the table or in a named file, some in both.
 */
export function createArchive(folder: string, table: ArchivedTable) {
  const partFile = path.join(folder, `part${ENDING}`);
  let part: Part | null = null;
  let archivedThrough = 0;

  function begin(oldest: JournalRecord): Part {
    // Records will exist only there, so a power cut must not lose the folder.
    if (makeFolder(folder)) syncFolder(path.dirname(folder));
    const descriptor = openSync(partFile, constants.O_CREAT | constants.O_TRUNC | constants.O_WRONLY, 0o600);
    chmodSync(partFile, 0o600);
    return { descriptor, first: oldest.seq, last: oldest };
  }

  /** The last number of a complete file whose records a crash left in the table; 0 without one. */
  function leftBehind(): number {
    const left = archivedFiles(folder).find(({ last, hash }) =>
      table.page(last - 1, last, 1)[0]?.hash.startsWith(hash),
    );
    return left?.last ?? 0;
  }

  function copy(into: Part, records: readonly JournalRecord[]): void {
    writeFileSync(into.descriptor, gzipSync(records.map(lineOf).join('')));
    into.last = records.at(-1) ?? into.last;
  }

  function finish({ descriptor, first, last }: Part): void {
    fsyncSync(descriptor);
    closeSync(descriptor);
    const name = `journal-${first}-${last.seq}-${last.hash.slice(0, HASH_DIGITS)}${ENDING}`;
    renameSync(partFile, path.join(folder, name));
    syncFolder(folder);
    archivedThrough = last.seq;
    part = null;
    forgetOldest(folder);
  }

  return {
    /** One small step toward moving all records up to `through`. Returns true when none is left. */
    step(through: number): boolean {
      const [oldest] = table.page(-1, through, 1);
      if (oldest === undefined) return true;
      if (oldest.seq <= archivedThrough) {
        table.remove(Math.min(archivedThrough, oldest.seq + STEP - 1));
        return false;
      }
      if (part === null) {
        archivedThrough = leftBehind();
        if (archivedThrough >= oldest.seq) return false;
      }
      const records = table.page(part?.last.seq ?? -1, through, STEP);
      part ??= begin(oldest);
      if (records.length === 0) finish(part);
      else copy(part, records);
      return false;
    },
  };
}

/**
 * The files of an archive, in the order of their records, with the numbers of first and last, and the beginning of the
 * last one's hash; none without a folder.
 */
export function archivedFiles(folder: string) {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names
    .flatMap((name) => {
      const [, first, last, hash] = NAME.exec(name) ?? [];
      return first && last && hash ? [{ name, first: Number(first), last: Number(last), hash }] : [];
    })
    .sort((a, b) => a.first - b.first);
}

/** Oldest by time of writing, because numbers start over with each journal. */
function forgetOldest(folder: string): void {
  const byAge = archivedFiles(folder)
    .map(({ name }) => path.join(folder, name))
    .map((file) => ({ file, writtenAt: statSync(file).mtimeMs }))
    .sort((a, b) => a.writtenAt - b.writtenAt);
  for (const { file } of byAge.slice(0, -ARCHIVES_KEPT)) rmSync(file, { force: true });
}
