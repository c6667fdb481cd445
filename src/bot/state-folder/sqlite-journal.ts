// The journal's records in one SQLite file: durable when `append` returns, held by one process, never accessible to
// others.
import { chmodSync, closeSync, constants, existsSync, lstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { JournalError, type JournalErrorKind } from '../../journal/chain.ts';
import { walFault } from '../../journal/sqlite-wal.ts';
import type { JournalRecord, SnapshotStorage, StoredSnapshot } from '../../ports/journal-storage.ts';
import { assertPrivateDatabase, NotPrivate } from '../base/private-file.ts';
import { allOrNone } from '../base/sqlite-file.ts';
import { BOOK_EVENTS, TRADE_EVENTS } from './book-events.ts';
import type { BotJournal, JournalContent } from './bot-journal.ts';
import { archiveFolder, createArchive } from './journal-archive.ts';

const OWNER_ONLY = 0o600;
/** Marks the file as ours in its header: 'qkjr' as a number. */
const APPLICATION_ID = 0x716b6a72;
const PAGE_OF_RECORDS = 1_000;
/**
 * A process that only checks whether the folder is held (`isFolderHeld`) may have the lock for this long; a real holder
 * keeps it longer.
 */
const LOOK_MS = 300;

const RECORD = `(
  seq INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, wall INTEGER NOT NULL, mono INTEGER NOT NULL,
  type TEXT NOT NULL, payload TEXT NOT NULL, prev_hash TEXT NOT NULL, hash TEXT NOT NULL
) STRICT`;
const TABLE = `CREATE TABLE IF NOT EXISTS journal ${RECORD}`;
const BOOKS = `CREATE TABLE IF NOT EXISTS books ${RECORD}`;
const SNAPSHOTS = `CREATE TABLE IF NOT EXISTS snapshot (
  seq INTEGER PRIMARY KEY, schema INTEGER NOT NULL, text TEXT NOT NULL
) STRICT`;
const INSERT_SNAPSHOT = 'INSERT INTO snapshot VALUES (?, ?, ?)';
const COLUMNS = 'seq, epoch, wall, mono, type, payload, prev_hash AS prevHash, hash';
const insertInto = (table: 'journal' | 'books'): string => `INSERT INTO ${table} VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const selectFrom = (table: 'journal' | 'books'): string =>
  `SELECT ${COLUMNS} FROM ${table} WHERE seq > ? ORDER BY seq LIMIT ${PAGE_OF_RECORDS}`;
const TRADES = `type IN (${TRADE_EVENTS.map((type) => `'${type}'`).join(', ')})`;
/** Between two trades lie thousands of other records. Costs nothing where another one is written. */
const TRADE_INDEX = `CREATE INDEX IF NOT EXISTS trade ON journal (seq) WHERE ${TRADES}`;
const tradesFrom = (table: 'journal' | 'books'): string =>
  `SELECT ${COLUMNS} FROM ${table} WHERE ${TRADES} AND seq < ? ORDER BY seq DESC LIMIT ?`;
/**
 * Records of the books up to a number; and the very first record if nothing is stored yet, which shows where they
 * begin.
 */
const KEEP = `INSERT OR IGNORE INTO books SELECT * FROM journal WHERE seq <= ? AND (
  type IN (${BOOK_EVENTS.map((type) => `'${type}'`).join(', ')})
  OR seq = (SELECT min(seq) FROM journal) AND NOT EXISTS (SELECT 1 FROM books)
)`;

/**
 * Opens the journal, or makes an empty one with mode 0600. The process holds it alone until `close`: a second one soon
 * gets a `JournalError` of kind `locked`. Other kinds: `unreachable`, `not-a-journal`, `damaged`, `full`, `failed`.
 * Checks only the file's structure; the content is checked when the chain is read.
 */
export function openSqliteJournal(path: string): BotJournal {
  const existed = prepareFile(path);
  assertBelieved(path);
  assertLogWhole(path);
  const database = attempt(path, () => new DatabaseSync(path, { timeout: LOOK_MS }));
  try {
    return attempt(path, () => {
      database.exec('PRAGMA locking_mode = EXCLUSIVE');
      const empty = isEmpty(database, path);
      chmodSync(path, OWNER_ONLY);
      takeAlone(database);
      if (empty) database.exec(`BEGIN; PRAGMA application_id = ${APPLICATION_ID}; ${TABLE}; COMMIT`);
      if (existed) assertStructure(database, path);
      // An older journal lacks the tables for snapshots and for records of the books that have left it, and the index.
      database.exec(`${SNAPSHOTS}; ${BOOKS}; ${TRADE_INDEX}`);
      return storageOver(database, path);
    });
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Ensures that there is a regular file, a new one with mode 0600: SQLite would make one that others can read. */
function prepareFile(path: string): boolean {
  const existed = existsSync(path);
  if (!existed) assertNoLog(path);
  try {
    // Closed again before SQLite opens the file: closing any descriptor of it later would drop SQLite's lock.
    if (!existed) closeSync(openSync(path, constants.O_CREAT | constants.O_EXCL | constants.O_RDWR, OWNER_ONLY));
    if (lstatSync(path).isFile()) return existed;
  } catch (error) {
    throw new JournalError('unreachable', `The journal ${path} can't be made or opened: ${codeOf(error)}.`);
  }
  throw new JournalError('not-a-journal', `${path} is not a regular file, the journal must be one.`);
}

/** Throws a `JournalError` if somebody else could have written the journal, or its log. */
export function assertBelieved(path: string): void {
  try {
    for (const file of [path, `${path}-wal`]) assertPrivateDatabase('journal', file);
  } catch (error) {
    throw error instanceof NotPrivate ? new JournalError('unreachable', error.message) : error;
  }
}

/** SQLite deletes the log of an empty journal: it may hold the last records of a journal that was only moved away. */
function assertNoLog(path: string): void {
  const log = `${path}-wal`;
  if (!statSync(log, { throwIfNoEntry: false })?.size) return;
  throw new JournalError(
    'older',
    `The journal ${path} is not there, and its write-ahead log ${log} is, which belongs to it: an old copy was ` +
      'put back, or the file was lost. Put both back, or move both away.',
  );
}

/**
 * Before SQLite opens the file, because that drops everything after a damaged frame and deletes the log when it closes.
 */
function assertLogWhole(path: string): void {
  const log = `${path}-wal`;
  const fault = existsSync(log) ? walFault(readFileSync(log)) : null;
  if (fault) throw new JournalError('damaged', `The write-ahead log ${log} is damaged. ${fault}`);
}

/** Whether the file is still empty. Refuses another program's database before touching it. */
function isEmpty(database: DatabaseSync, path: string): boolean {
  const found = pragma(database, 'application_id');
  if (found === APPLICATION_ID) return false;
  if (found === 0 && firstOf(database, 'SELECT count(*) FROM sqlite_schema') === 0) return true;
  throw new JournalError('not-a-journal', `${path} is a database of another program.`);
}

/**
 * The exclusive `locking_mode` was set before the first access, so WAL needs no shared memory and the lock is kept
 * until `close`. `fullfsync` makes macOS write through its drive's cache; elsewhere it does nothing.
 */
function takeAlone(database: DatabaseSync): void {
  database.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  // Empties the log into the file, which takes the exclusive lock; `walFault` relies on an empty log at the start.
  database.exec('BEGIN IMMEDIATE; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  const settings = ['locking_mode', 'journal_mode', 'synchronous'].map((name) => pragma(database, name)).join(', ');
  const expected = 'exclusive, wal, 2';
  if (settings !== expected)
    throw new JournalError('failed', `SQLite would not be durable here: it answers ${settings}, not ${expected}.`);
}

function assertStructure(database: DatabaseSync, path: string): void {
  const verdict = pragma(database, 'quick_check(1)');
  if (verdict !== 'ok') throw new JournalError('damaged', `The journal ${path} is damaged: ${verdict}.`);
}

const pragma = (database: DatabaseSync, name: string): unknown => firstOf(database, `PRAGMA ${name}`);

/** The first column of the first row. */
function firstOf(database: DatabaseSync, query: string): unknown {
  return Object.values(database.prepare(query).get() ?? {})[0];
}

function storageOver(database: DatabaseSync, path: string): BotJournal {
  const insert = database.prepare(insertInto('journal'));
  const select = database.prepare(selectFrom('journal'));
  const selectBooks = database.prepare(selectFrom('books'));
  const selectTrades = [tradesFrom('journal'), tradesFrom('books')].map((sql) => database.prepare(sql));
  const places = [path, `${path}-wal`].map((file) => ({ file, identity: identityOf(file) }));
  return {
    append: (records) => attempt(path, () => insertAll(database, insert, records)),
    read: (after = -1) => pagesOf(select, { path, after }),
    books: () => pagesOf(selectBooks, { path, after: -1 }),
    trades: (before, limit) => {
      const newest = attempt(path, () => selectTrades.flatMap((each) => each.all(before, limit)));
      return newest.slice(0, limit) as unknown as JournalRecord[];
    },
    snapshots: snapshotsIn(database, path),
    load: (content) => attempt(path, () => allOrNone(database, () => loadInto(database, content))),
    close: () => attempt(path, () => database.close()),
    assertInPlace: () => {
      for (const { file, identity } of places) {
        const found = identityOf(file);
        if (found !== identity)
          throw new JournalError('moved', `${file} was ${identity} when opened and is ${found} now.`);
      }
    },
  };
}

/** One record is a transaction by itself; several are wrapped in one, so that all or none are stored. */
function insertAll(database: DatabaseSync, insert: StatementSync, records: readonly JournalRecord[]): void {
  const run = insertingBy(insert);
  if (records.length === 1) records.forEach(run);
  else allOrNone(database, () => records.forEach(run));
}

const insertingBy = (insert: StatementSync) => (r: JournalRecord) =>
  insert.run(r.seq, r.epoch, r.wall, r.mono, r.type, r.payload, r.prevHash, r.hash);

function loadInto(database: DatabaseSync, { books, records, snapshot }: JournalContent): void {
  for (const [table, rows] of [
    ['books', books],
    ['journal', records],
  ] as const) {
    const insert = insertingBy(database.prepare(insertInto(table)));
    for (const row of rows) insert(row);
  }
  if (snapshot !== null) database.prepare(INSERT_SNAPSHOT).run(snapshot.seq, snapshot.schema, snapshot.text);
}

function snapshotsIn(database: DatabaseSync, path: string): SnapshotStorage {
  const latest = database.prepare('SELECT seq, schema, text FROM snapshot ORDER BY seq DESC LIMIT 1');
  const page = database.prepare(`SELECT ${COLUMNS} FROM journal WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?`);
  const keep = database.prepare(KEEP);
  const remove = database.prepare('DELETE FROM journal WHERE seq <= ?');
  const archive = createArchive(archiveFolder(path), {
    page: (after, through, limit) => page.all(after, through, limit) as unknown as JournalRecord[],
    remove: (through) =>
      allOrNone(database, () => {
        keep.run(through);
        remove.run(through);
      }),
  });
  return {
    latest: () => attempt(path, () => latest.get() as unknown as StoredSnapshot | undefined) ?? null,
    write: ({ seq, schema, text }) =>
      attempt(path, () =>
        allOrNone(database, () => {
          database.prepare(INSERT_SNAPSHOT).run(seq, schema, text);
          database.prepare('DELETE FROM snapshot WHERE seq < ?').run(seq);
        }),
      ),
    retire: (through) => attempt(path, () => archive.step(through)),
  };
}

/** In pages, so that a reader who stops halfway leaves no statement open. */
function* pagesOf(
  select: StatementSync,
  { path, after }: { readonly path: string; readonly after: number },
): Generator<JournalRecord> {
  let last = after;
  for (;;) {
    const page = attempt(path, () => select.all(last)) as unknown as JournalRecord[];
    yield* page;
    const end = page.at(-1);
    if (!end) return;
    last = end.seq;
  }
}

function identityOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `file ${stat.dev}:${stat.ino} of mode ${(stat.mode & 0o777).toString(8)}` : 'missing';
}

type Trouble = readonly [kind: JournalErrorKind, words: (journal: string) => string];

const LOCKED: Trouble = ['locked', (journal) => `Another instance holds the journal ${journal}`];
const UNREACHABLE: Trouble = [
  'unreachable',
  (journal) => `The journal ${journal} can't be opened for writing: look at its folder and its permissions`,
];
const FULL: Trouble = ['full', (journal) => `The journal ${journal} can't grow: the disk is full`];
const FAILED: Trouble = [
  'failed',
  (journal) => `The journal ${journal} can't be read or written: look at its disk and its limits`,
];
/** Kinds of error by SQLite's code, each with its sentence up to the cause. */
const TROUBLES: Readonly<Record<number, Trouble>> = {
  5: LOCKED,
  6: LOCKED,
  8: UNREACHABLE,
  11: ['damaged', (journal) => `The journal ${journal} is damaged`],
  13: FULL,
  14: UNREACHABLE,
  26: ['not-a-journal', (journal) => `${journal} is not a journal`],
};

/** System codes for a full disk outside SQLite. */
const NO_ROOM = /^(?:ENOSPC|EDQUOT|EFBIG)\b/;

/** Turns SQLite's errors into a `JournalError` that tells what a person can do. */
function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof JournalError ? error : journalErrorOf(path, error);
  }
}

/** A `JournalError` for an error of SQLite or the file system, which tells what a person can do. */
export function journalErrorOf(path: string, error: unknown): JournalError {
  const { errcode, errstr } = (error ?? {}) as { errcode?: unknown; errstr?: unknown };
  const extended = typeof errcode === 'number' ? errcode : 0;
  const [kind, words] = TROUBLES[extended & 0xff] ?? (NO_ROOM.test(codeOf(error)) ? FULL : FAILED);
  const cause = extended === 0 ? codeOf(error) : `SQLite ${extended}, ${String(errstr)}`;
  return new JournalError(kind, `${words(path)} (${cause}).`);
}

/** The code and message of a runtime error; `instanceof Error` would miss errors of another realm. */
function codeOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  return [code, message].filter((part) => typeof part === 'string').join(': ') || String(error);
}
