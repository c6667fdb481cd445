// The file of the memory: opened or begun anew, written in batches, thinned by age. Only the memory's thread writes it.
import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  type Batch,
  BOUNDS,
  DECISIONS_KEPT,
  DECISIONS_KEPT_MS,
  FILLS_KEPT,
  LEVELS,
  NOTICES_KEPT,
} from '../../memory/batch.ts';
import { allOrNone, sqliteCode } from '../base/sqlite-transaction.ts';
import { systemCode } from '../base/system-error.ts';
import { APPLICATION_ID, asidePath, isOurs, levelNumber, PUT, TABLES, VERSION, withSiblings } from './memory-schema.ts';

export interface MemoryFile {
  /** All of it or nothing. Throws what SQLite throws. */
  write(batch: Batch): void;
  /** Deletes what is older than its level keeps. */
  thin(now: number): void;
  /** Null until the journal has been read for what came before the file. */
  rebuiltAt(): number | null;
  noteRebuilt(at: number): void;
  /** Whether what was thrown says that this file can't be gone on with: then it is to be put aside. */
  isSpentBy(error: unknown): boolean;
  close(): void;
}

export interface OpenOptions {
  readonly at: number;
  /** The file never grows beyond it. */
  readonly maxBytes: number;
  /** Told why a file that was there could not be gone on with. */
  readonly putAside: (why: string) => void;
}

const OWNER_ONLY = 0o600;
const PAGE_BYTES = 4_096;
const MEGABYTE = 2 ** 20;
const ACCOUNT_BYTES = 48 * MEGABYTE;
const SYMBOL_BYTES = 16 * MEGABYTE;

/** The bound that docs/reports.md states: for the account and for each symbol. */
export const bytesFor = (symbols: number): number => ACCOUNT_BYTES + SYMBOL_BYTES * Math.max(1, symbols);

/**
 * Opens the file, or begins it. One that is no memory, damaged, incomplete or of another version is put aside first.
 * Throws where the disk or the folder takes no file, or somebody else holds it: what is there stays.
 */
export function openMemory(file: string, options: OpenOptions): MemoryFile {
  const found = existsSync(file);
  try {
    return opened(file, options);
  } catch (error) {
    if (!found || !isUseless(error)) throw error;
    putAside(file);
    options.putAside(memoryTrouble(error));
    return opened(file, options);
  }
}

/** The file can't be gone on with: it is kept under another name, once. An empty one takes the place of none. */
export function putAside(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.size === 0) {
    for (const name of withSiblings(file)) rmSync(name, { force: true });
    return;
  }
  const names = withSiblings(file);
  for (const [index, to] of withSiblings(asidePath(file)).entries()) {
    rmSync(to, { force: true });
    const from = names[index];
    if (from !== undefined && existsSync(from)) renameSync(from, to);
  }
}

class OtherVersion extends Error {
  override readonly name = 'OtherVersion';
}

/** No disk and nobody else is at fault: it is the file. */
const isUseless = (error: unknown): boolean =>
  error instanceof OtherVersion || USELESS.includes(sqliteCode(error) ?? 0);
/** Damaged; no database. */
const USELESS: readonly number[] = [11, 26];
/** What SQLite says of a statement that does not fit the tables. */
const NO_SUCH = 1;
/** SQLite says so of its own bound and of a disk. */
const FULL = 13;
/** No batch needs as much of the bound. */
const NEARLY_FULL_RATIO = 0.75;

/** Of the file itself, not of its disk: with as much room as this a new one could be begun. */
function isFull(database: DatabaseSync, { file, maxBytes }: { readonly file: string; readonly maxBytes: number }) {
  const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
  if (pages * PAGE_BYTES < NEARLY_FULL_RATIO * maxBytes) return false;
  const { bavail, bsize } = statfsSync(path.dirname(file));
  return bavail * bsize > (1 - NEARLY_FULL_RATIO) * maxBytes;
}

/** What went wrong, without the words of a library. */
export function memoryTrouble(error: unknown): string {
  if (error instanceof OtherVersion) return error.message;
  const code = sqliteCode(error);
  if (code === null) return systemCode(error);
  return { 11: 'it is damaged', 13: 'it is full', 26: 'it is no database' }[code] ?? `SQLite ${code}`;
}

function opened(file: string, { at, maxBytes }: OpenOptions): MemoryFile {
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    chmodSync(file, OWNER_ONLY);
    const isNew = !isOurs(database);
    if (isNew) assertEmpty(database);
    // Readers of other processes are never in the way, nor is this in theirs; a crash loses the last seconds at most.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -2048');
    database.exec(`PRAGMA journal_size_limit = ${4 * MEGABYTE}; PRAGMA max_page_count = ${maxBytes / PAGE_BYTES}`);
    if (isNew) begin(database, at);
    return fileOver(database, { file, maxBytes });
  } catch (error) {
    database.close();
    // What is prepared before the first write names all tables and columns.
    throw sqliteCode(error) === NO_SUCH ? new OtherVersion('it lacks a table or a column') : error;
  }
}

/** Before anything of it is touched. */
function assertEmpty(database: DatabaseSync): void {
  const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() as { tables: number };
  if (tables > 0) throw new OtherVersion('it is of another version of the program, or of another program');
}

function begin(database: DatabaseSync, at: number): void {
  database.exec(`BEGIN; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}; ${TABLES}`);
  database.prepare(PUT.fact).run('since', at);
  database.exec('COMMIT');
}

function fileOver(database: DatabaseSync, bounds: Parameters<typeof isFull>[1]): MemoryFile {
  const rebuilt = database.prepare("SELECT value FROM fact WHERE name = 'rebuilt'");
  const write = writer(database);
  return {
    write: (batch) => allOrNone(database, () => write(batch)),
    thin: (now) => allOrNone(database, () => thin(database, now)),
    rebuiltAt: () => (rebuilt.get() as { value: number } | undefined)?.value ?? null,
    noteRebuilt: (at) => void database.prepare(PUT.fact).run('rebuilt', at),
    isSpentBy: (error) => isUseless(error) || (sqliteCode(error) === FULL && isFull(database, bounds)),
    close: () => database.close(),
  };
}

function writer(database: DatabaseSync): (batch: Batch) => void {
  const [point, count, decision, notice, fill] = [PUT.point, PUT.count, PUT.decision, PUT.notice, PUT.fill].map((sql) =>
    database.prepare(sql),
  );
  const idOf = symbolIds(database);
  return ({ points, counts, decisions, notices, fills }) => {
    for (const row of points) {
      const key = [idOf(row.symbol), levelNumber(row.level), row.at, row.moment] as const;
      const { marketBid, marketAsk, ownBid, ownAsk, reference, inventory, equity, profit } = row;
      point?.run(...key, marketBid, marketAsk, ownBid, ownAsk, reference, inventory, equity, profit);
    }
    for (const { symbol, level, at, kind, a, b, c, n } of counts)
      count?.run(idOf(symbol), levelNumber(level), at, kind, a, b, c, n);
    for (const { symbol, at, side, text } of decisions) decision?.run(idOf(symbol), at, side, text);
    for (const { at, level, op, symbol, message, seq } of notices) notice?.run(at, level, op, symbol, message, seq);
    for (const row of fills) {
      const { tradeId, side, at, price, quantity, gone, seq } = row;
      const ours = row.ours === null ? null : Number(row.ours);
      fill?.run(idOf(row.symbol), tradeId, side, at, price, quantity, ours, Number(gone), seq, ours);
    }
  };
}

/** Asked anew where a transaction was undone: nothing is remembered of it. */
function symbolIds(database: DatabaseSync): (symbol: string | null) => number {
  const find = database.prepare('SELECT id FROM symbol WHERE name = ?');
  const put = database.prepare(PUT.symbol);
  const found = (name: string): number | undefined => (find.get(name) as { id: number } | undefined)?.id;
  return (symbol) => {
    if (symbol === null) return 0;
    const known = found(symbol);
    if (known !== undefined) return known;
    put.run(symbol);
    return found(symbol) ?? 0;
  };
}

function thin(database: DatabaseSync, now: number): void {
  const symbols = database.prepare('SELECT id FROM symbol').all() as { id: number }[];
  const point = database.prepare('DELETE FROM point WHERE symbol = ? AND level = ? AND at < ?');
  const count = database.prepare('DELETE FROM count WHERE symbol = ? AND level = ? AND at < ?');
  const old = database.prepare('DELETE FROM decision WHERE symbol = ? AND at < ?');
  const many = database.prepare(`DELETE FROM decision WHERE symbol = ? AND id <= (
    SELECT id FROM decision WHERE symbol = ? ORDER BY id DESC LIMIT 1 OFFSET ${DECISIONS_KEPT})`);
  for (const { id } of symbols) {
    for (const level of LEVELS) {
      const { pointsMs, countsMs } = BOUNDS[level];
      point.run(id, levelNumber(level), now - pointsMs);
      count.run(id, levelNumber(level), now - countsMs);
    }
    old.run(id, now - DECISIONS_KEPT_MS);
    many.run(id, id);
  }
  database.exec(`DELETE FROM notice WHERE id <= (
    SELECT id FROM notice ORDER BY id DESC LIMIT 1 OFFSET ${NOTICES_KEPT})`);
  const { kept } = database.prepare('SELECT count(*) AS kept FROM fill').get() as { kept: number };
  if (kept > FILLS_KEPT) database.prepare(FORGET_FILLS).run(kept - FILLS_KEPT);
}

const FORGET_FILLS = `DELETE FROM fill WHERE (symbol, trade_id, side) IN (
  SELECT symbol, trade_id, side FROM fill ORDER BY at LIMIT ?)`;
