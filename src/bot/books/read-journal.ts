// Reads the journal of a state folder from a copy, because a running bot holds the journal itself.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { follow, type Head, JournalError, recordHash, recordOf } from '../../journal/chain.ts';
import { readTraderJournal } from '../../loop/trader-journal.ts';
import type { Clock } from '../../ports/clock.ts';
import type { JournalRecord } from '../../ports/journal-storage.ts';
import type { Durable } from '../../trader/durable/durable.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { systemCode } from '../base/system-error.ts';
import type { Environment } from '../keys/keys.ts';
import { postgresPlace } from '../postgres/journal-of.ts';
import { readPostgresJournal } from '../postgres/postgres-journal.ts';
import { placeText } from '../postgres/postgres-place.ts';
import type { Settings } from '../settings/types.ts';
import { type BotJournal, lastOf } from '../state-folder/bot-journal.ts';
import { copyJournal, makeCopyFolder } from '../state-folder/copy-journal.ts';
import { archivedFiles, archiveFolder } from '../state-folder/journal-archive.ts';
import { openSqliteJournal } from '../state-folder/sqlite-journal.ts';
import { journalExitCode, journalPath, translated as translatedOf } from '../state-folder/state-folder.ts';
import { checkBooks } from './holding-lines.ts';
import { readBooks } from './read-books.ts';

/** A record by number and time, by the machine's clock. */
export type RecordNamed = Pick<JournalRecord, 'seq' | 'wall'>;

export interface JournalReading {
  /** The bot's own state. */
  readonly durable: Durable;
  /** The last record; null if the journal is empty. */
  readonly last: RecordNamed | null;
  /** Records of all types, in order, as far back as journal and archive go. */
  records(): Iterable<JournalRecord>;
  /** Records of the books, from the first on. */
  bookRecords(): Iterable<JournalRecord>;
}

/**
 * Calls `work` with the current journal, its chain checked, even while a bot writes it. Throws `StartError`: 73 if
 * there is no journal, or a newer program's; 74 if journal or disk are damaged.
 */
export function withJournalOf<T>(
  { stateFolder, journal }: Pick<Settings, 'stateFolder' | 'journal'>,
  { environment, clock }: { readonly environment: Environment; readonly clock: Clock },
  work: (reading: JournalReading) => T,
): T {
  if (journal === null) return withJournal(stateFolder, clock, work);
  const place = postgresPlace(journal, environment);
  const read = (): T => {
    const storage = readPostgresJournal(place, clock);
    try {
      const state = readTraderJournal(storage, clock);
      if (!state.ok) throw state.error;
      // The table keeps what a file would have moved to the archive.
      return work({ ...readingOf(storage, state.value, ''), records: () => storage.read(0) });
    } finally {
      storage.close();
    }
  };
  return translatedOf(stateFolder, read, placeText(place));
}

/** The same of a state folder's own journal. */
export function withJournal<T>(stateFolder: string, clock: Clock, work: (reading: JournalReading) => T): T {
  const journal = journalPath(stateFolder);
  if (!existsSync(journal)) throw new StartError(EXIT.stateUnusable, `There is no journal in ${stateFolder}.`);
  const copy = { folder: '', file: '' };
  try {
    copy.folder = makeCopyFolder(tmpdir(), 'quotekeeper-read');
    copy.file = path.join(copy.folder, path.basename(journal));
    if (!copyJournal(journal, copy.file))
      throw new JournalError('failed', `${journal} was being written each time that it was copied. Try again.`);
    const storage = openSqliteJournal(copy.file);
    try {
      // The open file stays readable, and no signal can leave the copy behind.
      rmSync(copy.folder, { recursive: true });
      const read = readTraderJournal(storage, clock);
      if (!read.ok) throw read.error;
      return work(readingOf(storage, read.value, archiveFolder(journal)));
    } finally {
      storage.close();
    }
  } catch (error) {
    throw translated(error, { journal, copy: copy.file });
  } finally {
    if (copy.folder !== '') rmSync(copy.folder, { recursive: true, force: true });
  }
}

function readingOf(storage: Pick<BotJournal, 'read' | 'books'>, durable: Durable, archive: string): JournalReading {
  const last = lastOf(storage.read());
  return {
    durable,
    last: last && { seq: last.seq, wall: last.wall },
    records: () => withPast(storage.read(), archive),
    bookRecords: () => joined(checked(storage.books()), storage.read()),
  };
}

/** Records that are not about money move from the journal to the archive. */
function* withPast(records: Iterable<JournalRecord>, archive: string): Generator<JournalRecord> {
  let isFirst = true;
  for (const record of records) {
    if (isFirst && record.seq > 1) yield* archivedBefore(archive, record);
    isFirst = false;
    yield record;
  }
}

function* joined(...parts: readonly Iterable<JournalRecord>[]): Generator<JournalRecord> {
  for (const part of parts) yield* part;
}

/** They are no chain, since records between them have left; each still has its own hash. */
function* checked(records: Iterable<JournalRecord>): Generator<JournalRecord> {
  for (const record of records) {
    if (recordHash(record) !== record.hash)
      throw new JournalError(
        'damaged',
        `Record ${record.seq} of the books was changed: its hash is not its content's.`,
      );
    yield record;
  }
}

function translated(error: unknown, { journal, copy }: { readonly journal: string; readonly copy: string }): unknown {
  if (error instanceof JournalError) {
    const sentence = copy === '' ? error.message : error.message.replaceAll(copy, journal);
    return new StartError(journalExitCode(error), `The journal in ${path.dirname(journal)} can't be read. ${sentence}`);
  }
  if (!(error instanceof Error && 'syscall' in error)) return error;
  const code = systemCode(error);
  const isDenied = code === 'EACCES' || code === 'EPERM';
  return new StartError(
    isDenied ? EXIT.stateUnusable : EXIT.diskError,
    `The journal ${journal} can't be copied to ${tmpdir()}, to be read there (${code}).`,
  );
}

export type BooksRead = ReturnType<typeof booksOf>;

/** The books of a journal, and whether their records are complete. */
export function booksOf({ bookRecords, durable }: JournalReading) {
  const books = readBooks(bookRecords());
  const { ledger } = durable.books;
  return { books, ledger, differences: checkBooks(books, ledger) };
}

// Records that moved from the journal to compressed files next to it, as far back as the files link up.

/** End of a chain. */
type End = Pick<Head, 'seq' | 'hash'>;

/**
 * The records before one of the journal's, in order. Ends at the first file that does not link: a damaged one, or one
 * of an earlier journal in the same folder.
 */
function* archivedBefore(folder: string, { seq, prevHash }: JournalRecord): Generator<JournalRecord> {
  const files: string[] = [];
  for (let part = partBefore(folder, { seq: seq - 1, hash: prevHash }); part; part = partBefore(folder, part.before))
    files.unshift(part.file);
  for (const file of files) yield* recordsIn(file) ?? [];
}

/** The file that ends with this record, and the record before its first. */
function partBefore(folder: string, end: End): { readonly file: string; readonly before: End } | null {
  for (const { name, last, hash } of archivedFiles(folder)) {
    if (last !== end.seq || !end.hash.startsWith(hash)) continue;
    const file = path.join(folder, name);
    const before = beginningOf(recordsIn(file) ?? [], end);
    if (before !== null) return { file, before };
  }
  return null;
}

/** The record before the first, if they are a chain that ends there. */
function beginningOf(records: readonly JournalRecord[], end: End): End | null {
  const [first] = records;
  if (first === undefined) return null;
  const before: Head = { seq: first.seq - 1, epoch: first.epoch, hash: first.prevHash };
  let head = before;
  for (const record of records) {
    const next = follow(head, record);
    if (!next.ok) return null;
    head = next.value;
  }
  return head.hash === end.hash ? before : null;
}

/** Null if the file is unreadable or malformed. */
function recordsIn(file: string): readonly JournalRecord[] | null {
  try {
    const lines = gunzipSync(readFileSync(file)).toString('utf8').trimEnd().split('\n');
    const records = lines.map((line) => recordOf(JSON.parse(line)));
    return records.every((record) => record !== null) ? records : null;
  } catch {
    return null;
  }
}
