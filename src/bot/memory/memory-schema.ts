// The tables of `memory.sqlite`, and how the file is told from others.
import path from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { LEVELS, type Level } from '../../memory/batch.ts';
import { sqliteCode } from '../base/sqlite-transaction.ts';
import { systemCode } from '../base/system-error.ts';

export const memoryPath = (stateFolder: string): string => path.join(stateFolder, 'memory.sqlite');
/** Where a file goes that can't be used; the one before it is replaced. */
export const asidePath = (file: string): string => `${file}.aside`;
export const withSiblings = (file: string): readonly string[] => ['', '-wal', '-shm'].map((ending) => file + ending);

/** 'qkmm' as a number. */
export const APPLICATION_ID = 0x716b6d6d;
/** Rises when the tables change: a file of another version is put aside and begun anew. */
export const VERSION = 1;

export const levelNumber = (level: Level): number => LEVELS.indexOf(level);

/** Columns of a point after its key, in the order of `SAMPLE_FIELDS`. */
const VALUES = 'market_bid, market_ask, own_bid, own_ask, reference, inventory, equity, profit';
export const VALUE_COLUMNS =
  'market_bid AS marketBid, market_ask AS marketAsk, own_bid AS ownBid, own_ask AS ownAsk, ' +
  'reference, inventory, equity, profit';

/** Symbol 0 is the whole account. */
export const TABLES = `
CREATE TABLE symbol (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL) STRICT;
INSERT INTO symbol VALUES (0, '');
CREATE TABLE fact (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
CREATE TABLE point (
  symbol INTEGER NOT NULL, level INTEGER NOT NULL, at INTEGER NOT NULL, moment INTEGER NOT NULL,
  market_bid REAL, market_ask REAL, own_bid REAL, own_ask REAL,
  reference REAL, inventory REAL, equity REAL, profit REAL,
  PRIMARY KEY (symbol, level, at)
) STRICT, WITHOUT ROWID;
CREATE TABLE count (
  symbol INTEGER NOT NULL, level INTEGER NOT NULL, at INTEGER NOT NULL,
  kind TEXT NOT NULL, a TEXT NOT NULL, b TEXT NOT NULL, c TEXT NOT NULL, n REAL NOT NULL,
  PRIMARY KEY (symbol, level, at, kind, a, b, c)
) STRICT, WITHOUT ROWID;
CREATE TABLE decision (
  id INTEGER PRIMARY KEY, symbol INTEGER NOT NULL, at INTEGER NOT NULL, side TEXT NOT NULL, text TEXT NOT NULL
) STRICT;
CREATE INDEX decision_at ON decision (symbol, at);
CREATE TABLE notice (
  id INTEGER PRIMARY KEY, at INTEGER NOT NULL, level TEXT NOT NULL, op TEXT NOT NULL, symbol TEXT,
  message TEXT NOT NULL, seq INTEGER, UNIQUE (seq, at, op)
) STRICT;
CREATE INDEX notice_at ON notice (at);
CREATE TABLE fill (
  symbol INTEGER NOT NULL, trade_id TEXT NOT NULL, side TEXT NOT NULL, at INTEGER NOT NULL,
  price REAL NOT NULL, quantity REAL NOT NULL, ours INTEGER NOT NULL, gone INTEGER NOT NULL, seq INTEGER NOT NULL,
  PRIMARY KEY (symbol, trade_id, side)
) STRICT, WITHOUT ROWID;
CREATE INDEX fill_at ON fill (symbol, at);
`;

export const PUT = {
  symbol: 'INSERT OR IGNORE INTO symbol (name) VALUES (?)',
  fact: 'INSERT INTO fact VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  point: `INSERT OR REPLACE INTO point (symbol, level, at, moment, ${VALUES})
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  count: `INSERT INTO count VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (symbol, level, at, kind, a, b, c) DO UPDATE SET n = n + excluded.n`,
  decision: 'INSERT INTO decision (symbol, at, side, text) VALUES (?, ?, ?, ?)',
  notice: 'INSERT OR IGNORE INTO notice (at, level, op, symbol, message, seq) VALUES (?, ?, ?, ?, ?, ?)',
  // A row that takes a trade back names neither time nor price. Not `?7`: Node 24.0 takes that for a name.
  fill: `INSERT INTO fill VALUES (?, ?, ?, ?, ?, ?, coalesce(?, 0), ?, ?)
    ON CONFLICT (symbol, trade_id, side) DO UPDATE SET
      at = CASE WHEN excluded.gone = 1 THEN at ELSE excluded.at END, price = excluded.price,
      quantity = excluded.quantity, ours = coalesce(?, ours), gone = excluded.gone, seq = excluded.seq
    WHERE excluded.seq > seq`,
} as const;

/** Whether a file that was opened is ours, and of this version. */
export function isOurs(database: DatabaseSync): boolean {
  return pragma(database, 'application_id') === APPLICATION_ID && pragma(database, 'user_version') === VERSION;
}

const pragma = (database: DatabaseSync, name: string): unknown =>
  Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];

const BUSY = [5, 6];
/** Somebody else has the file: it is whole, and to be tried again. */
export const isBusy = (error: unknown): boolean => BUSY.includes(sqliteCode(error) ?? 0);

/** No permission, read-only, an error of the disk, no room, no file to be had; an error that Node gave. */
const OF_DISK: readonly number[] = [3, 8, 10, 13, 14];
/** Nothing is wrong with what was to be written: it may be tried again. */
export function isOfDisk(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === null ? /^E[A-Z0-9]+$/.test(systemCode(error)) : OF_DISK.includes(code);
}
