// Moves records that a verified snapshot made unnecessary into compressed files next to the journal, for people to
// read. Records of the books also stay in the journal's file.
import {
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { lineOf } from '../../journal/chain.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import { makeFolder, syncFolder } from '../base/durable-file.ts';

/** Lines of JSON, one record each, compressed in pieces: `zcat` reads them. */
const ENDING = '.jsonl.gz';
/** Has another number if an earlier journal left a file for the same records. */
const NAME = /^journal-(\d+)-(\d+)(?:\.\d+)?\.jsonl\.gz$/;
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

export interface Archive {
  /** One small step toward moving all records up to `through`. Returns true when none is left. */
  step(through: number): boolean;
}

interface Part {
  readonly descriptor: number;
  readonly first: number;
  last: number;
}

/**
 * Writes a file under a temporary name, syncs it, and renames it when complete; only then removes its records from the
 * table, in small transactions. A crash at any point leaves each record in the table or in a named file, some in both.
 */
export function createArchive(folder: string, table: ArchivedTable): Archive {
  const partFile = path.join(folder, `part${ENDING}`);
  let part: Part | null = null;
  let archivedThrough = 0;

  function begin(through: number): Part | null {
    const [oldest] = table.page(-1, through, 1);
    if (!oldest) return null;
    // Records will exist only there, so a power cut must not lose the folder.
    if (makeFolder(folder)) syncFolder(path.dirname(folder));
    const descriptor = openSync(partFile, constants.O_CREAT | constants.O_TRUNC | constants.O_WRONLY, 0o600);
    chmodSync(partFile, 0o600);
    return { descriptor, first: oldest.seq, last: oldest.seq - 1 };
  }

  function copy(into: Part, through: number): void {
    const records = table.page(into.last, through, STEP);
    const last = records.at(-1);
    if (!last) return finish(into);
    writeAll(into.descriptor, gzipSync(records.map(lineOf).join('')));
    into.last = last.seq;
  }

  function finish(whole: Part): void {
    const seconds = Math.max(fstatSync(whole.descriptor).mtimeMs, newestAt(folder) + 1) / 1_000;
    futimesSync(whole.descriptor, seconds, seconds);
    fsyncSync(whole.descriptor);
    closeSync(whole.descriptor);
    renameSync(partFile, nameFor(partFile, whole));
    syncFolder(folder);
    archivedThrough = whole.last;
    part = null;
    forgetOldest(folder);
  }

  /** Returns true when the table holds no archived record any more. */
  function remove(): boolean {
    const [oldest] = table.page(-1, archivedThrough, 1);
    if (!oldest) return true;
    table.remove(Math.min(archivedThrough, oldest.seq + STEP - 1));
    return false;
  }

  return {
    step(through) {
      if (archivedThrough >= through) return remove();
      part ??= begin(through);
      if (part === null) return true;
      copy(part, through);
      return false;
    },
  };
}

/**
 * A new journal repeats the numbers of an earlier one, whose files are the only copy of its records. Replaces a file
 * with the same records, left by a process that ended before it could remove them.
 */
function nameFor(partFile: string, { first, last }: Part): string {
  const fileOf = (more: string): string =>
    path.join(path.dirname(partFile), `journal-${first}-${last}${more}${ENDING}`);
  let file = fileOf('');
  for (let count = 2; existsSync(file) && !isSame(file, partFile); count += 1) file = fileOf(`.${count}`);
  return file;
}

/** The same records compress to the same bytes. */
const isSame = (file: string, other: string): boolean =>
  statSync(file).size === statSync(other).size && readFileSync(file).equals(readFileSync(other));

const writtenAt = (folder: string, { name }: ArchivedFile): number => statSync(path.join(folder, name)).mtimeMs;

/** Gives each file a newer time than all earlier ones, whatever the clock says. */
const newestAt = (folder: string): number =>
  Math.max(0, ...archivedFiles(folder).map((file) => Math.ceil(writtenAt(folder, file))));

/** A write may take fewer bytes than it was given. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let from = 0; from < bytes.length; ) from += writeSync(descriptor, bytes, from);
}

export interface ArchivedFile {
  readonly name: string;
  /** Numbers of its first and its last record. */
  readonly first: number;
  readonly last: number;
}

/** The files of an archive, in the order of their records. */
export function archivedFiles(folder: string): readonly ArchivedFile[] {
  const named = readdirSync(folder).flatMap((name) => {
    const [, first, last] = NAME.exec(name) ?? [];
    return first === undefined || last === undefined ? [] : [{ name, first: Number(first), last: Number(last) }];
  });
  return named.sort((a, b) => a.first - b.first);
}

/** Oldest by time of writing, because numbers start over with each journal. */
function forgetOldest(folder: string): void {
  const byAge = archivedFiles(folder)
    .map((each) => ({ ...each, writtenAt: writtenAt(folder, each) }))
    .sort((a, b) => a.writtenAt - b.writtenAt || a.first - b.first);
  for (const { name } of byAge.slice(0, -ARCHIVES_KEPT)) rmSync(path.join(folder, name), { force: true });
}
