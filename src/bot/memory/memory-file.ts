// `memory.sqlite`: opened or created, written in batches, thinned by age. A damaged file, or one of another version, is
// moved aside.
import { rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { EpochMs } from '../../domain/time.ts';
import {
  allOrNone,
  databaseTrouble,
  isDamagedDatabase,
  openOwnDatabase,
  renameDatabase,
  sqliteCode,
} from '../base/sqlite-file.ts';
import { systemCode } from '../base/system-error.ts';
import { type Batch, BOUNDS, FILLS_KEPT, LEVELS, type Level, NOTICES_KEPT, SAMPLE_FIELDS } from './rows.ts';

export const memoryPath = (stateFolder: string): string => path.join(stateFolder, 'memory.sqlite');
/** Where an unusable file is moved, replacing an earlier one. */
export const asidePath = (file: string): string => `${file}.aside`;

/** 'qkmm' as a number. */
const APPLICATION_ID = 0x716b6d6d;
/** Increases when the tables change. */
const VERSION = 2;

/** An empty symbol means the whole account. */
const TABLES = `
CREATE TABLE fact (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
CREATE TABLE point (
  symbol TEXT NOT NULL, level INTEGER NOT NULL, at INTEGER NOT NULL, moment INTEGER NOT NULL,
  ${SAMPLE_FIELDS.map((name) => `${name} REAL`).join(', ')}, PRIMARY KEY (symbol, level, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE count (
  symbol TEXT NOT NULL, at INTEGER NOT NULL, kind TEXT NOT NULL, a TEXT NOT NULL, b TEXT NOT NULL, c TEXT NOT NULL,
  n REAL NOT NULL, PRIMARY KEY (symbol, at, kind, a, b, c)
) STRICT, WITHOUT ROWID;
CREATE TABLE notice (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, level TEXT NOT NULL, op TEXT NOT NULL, symbol TEXT, message TEXT NOT NULL
) STRICT;
CREATE INDEX notice_at ON notice (at);
CREATE TABLE fill (
  symbol TEXT NOT NULL, trade_id TEXT NOT NULL, side TEXT NOT NULL, at INTEGER NOT NULL,
  price REAL NOT NULL, quantity REAL NOT NULL, PRIMARY KEY (symbol, trade_id, side)
) STRICT, WITHOUT ROWID;
CREATE INDEX fill_at ON fill (symbol, at);
`;

const PUT_POINT = `INSERT OR REPLACE INTO point VALUES (?, ?, ?, ?${', ?'.repeat(SAMPLE_FIELDS.length)})`;
const PUT_COUNT = `INSERT INTO count VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (symbol, at, kind, a, b, c) DO UPDATE SET n = n + excluded.n`;
const PUT_NOTICE = 'INSERT INTO notice (at, level, op, symbol, message) VALUES (?, ?, ?, ?, ?)';
const FILL = {
  made: 'INSERT OR REPLACE INTO fill (at, price, quantity, symbol, trade_id, side) VALUES (?, ?, ?, ?, ?, ?)',
  corrected: 'UPDATE fill SET at = ?, price = ?, quantity = ? WHERE symbol = ? AND trade_id = ? AND side = ?',
};
const TAKE_BACK = 'DELETE FROM fill WHERE symbol = ? AND trade_id = ? AND side = ?';

export const levelNumber = (level: Level): number => LEVELS.indexOf(level);

export type MemoryFile = ReturnType<typeof fileOver>;

/**
 * Opens or creates the file. First moves a damaged one aside, or one of another version or program. Throws if the disk
 * or the folder refuses, or another process holds the file. `putAside` gets the reason.
 */
export function openMemory(
  file: string,
  options: { readonly at: EpochMs; readonly putAside: (why: string) => void },
): MemoryFile {
  try {
    return opened(file, options.at);
  } catch (error) {
    if (!isUseless(error)) throw error;
    putAside(file);
    options.putAside(memoryTrouble(error));
    return opened(file, options.at);
  }
}

/** Keeps the file under another name, once. An empty one does not replace an earlier one. */
export function putAside(file: string): void {
  const isEmpty = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (isEmpty) for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
  else renameDatabase(file, asidePath(file));
}

class OtherVersion extends Error {
  override readonly name = 'OtherVersion';
}

export const isUseless = (error: unknown): boolean => error instanceof OtherVersion || isDamagedDatabase(error);

/** Locked by another process, no permission, read-only, disk error, disk full, can't open; also errors from Node. */
const MAY_PASS: readonly number[] = [3, 5, 6, 8, 10, 13, 14];
/** Whether the cause may pass: then the same rows may be written again. */
export function mayPass(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === null ? /^E[A-Z0-9]+$/.test(systemCode(error)) : MAY_PASS.includes(code);
}

export const memoryTrouble = (error: unknown): string =>
  error instanceof OtherVersion ? error.message : databaseTrouble(error);

const opened = (file: string, at: EpochMs): MemoryFile =>
  openOwnDatabase(file, (database) => {
    const isNew = !isOurs(database);
    const { tables } = database.prepare('SELECT count(*) AS tables FROM sqlite_schema').get() ?? {};
    if (isNew && tables !== 0) throw new OtherVersion('it is of another version of the program, or of another program');
    // Readers in other processes and this writer never block each other; a power cut loses the last minutes.
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4194304');
    if (isNew)
      database.exec(`BEGIN; PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${VERSION}; ${TABLES}
        INSERT INTO fact VALUES ('since', ${Math.floor(at)}); COMMIT`);
    try {
      return fileOver(database);
    } catch (error) {
      // SQLITE_ERROR: the prepared statements name all tables and columns.
      throw sqliteCode(error) === 1 ? new OtherVersion('it lacks a table or a column') : error;
    }
  });

/** Whether an opened file is ours and of this version. */
export function isOurs(database: DatabaseSync): boolean {
  const pragma = (name: string): unknown => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  return pragma('application_id') === APPLICATION_ID && pragma('user_version') === VERSION;
}

function fileOver(database: DatabaseSync) {
  const [point, count, notice] = [PUT_POINT, PUT_COUNT, PUT_NOTICE].map((sql) => database.prepare(sql));
  const fill = { made: database.prepare(FILL.made), corrected: database.prepare(FILL.corrected) };
  const takeBack = database.prepare(TAKE_BACK);
  const write = (batch: Batch): void => {
    for (const row of batch.points)
      point?.run(row.symbol, levelNumber(row.level), row.at, row.moment, ...SAMPLE_FIELDS.map((name) => row[name]));
    for (const { symbol, at, kind, a, b, c, n } of batch.counts) count?.run(symbol, at, kind, a, b, c, n);
    for (const { at, level, op, symbol, message } of batch.notices) notice?.run(at, level, op, symbol, message);
    for (const { kind, symbol, tradeId, side, at, price, quantity } of batch.fills)
      if (kind === 'reversed') takeBack.run(symbol, tradeId, side);
      else fill[kind].run(at, price, quantity, symbol, tradeId, side);
  };
  return {
    /** Writes all or nothing. Throws SQLite's errors. */
    write: (batch: Batch): void => allOrNone(database, () => write(batch)),
    /** Deletes rows older than their level keeps. */
    thin: (now: EpochMs): void => allOrNone(database, () => thin(database, now)),
    close: (): void => database.close(),
  };
}

function thin(database: DatabaseSync, now: EpochMs): void {
  const symbols = database.prepare('SELECT DISTINCT symbol FROM point').all() as { symbol: string }[];
  const point = database.prepare('DELETE FROM point WHERE symbol = ? AND level = ? AND at < ?');
  for (const { symbol } of symbols)
    for (const level of LEVELS) point.run(symbol, levelNumber(level), now - BOUNDS[level].keptMs);
  database.prepare('DELETE FROM count WHERE at < ?').run(now - BOUNDS.day.keptMs);
  const newest = 'ORDER BY id DESC LIMIT 1 OFFSET';
  database.exec(`DELETE FROM notice WHERE id <= (SELECT id FROM notice ${newest} ${NOTICES_KEPT})`);
  const { kept } = database.prepare('SELECT count(*) AS kept FROM fill').get() as { kept: number };
  if (kept > FILLS_KEPT)
    database
      .prepare('DELETE FROM fill WHERE at <= (SELECT at FROM fill ORDER BY at LIMIT 1 OFFSET ?)')
      .run(kept - FILLS_KEPT - 1);
}
