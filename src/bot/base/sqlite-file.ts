// SQLite files that only their owner can read, their errors, and transactions: all or nothing.
import { chmodSync, closeSync, existsSync, openSync, renameSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { systemCode } from './system-error.ts';

const OWNER_ONLY = 0o600;

/** Opens or creates the file, and closes it again if `work` throws. */
export function openOwnDatabase<T>(file: string, work: (database: DatabaseSync) => T): T {
  if (!existsSync(file)) closeSync(openSync(file, 'a', OWNER_ONLY));
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    chmodSync(file, OWNER_ONLY);
    return work(database);
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Renames the file, with its log. */
export function renameDatabase(file: string, to: string): void {
  for (const ending of ['', '-wal', '-shm']) if (existsSync(file + ending)) renameSync(file + ending, to + ending);
}

/** SQLITE_CORRUPT, SQLITE_NOTADB: the file itself is bad, not the disk or another process. */
export const isDamagedDatabase = (error: unknown): boolean => [11, 26].includes(sqliteCode(error) ?? 0);

/** The cause, without a library's message. */
export function databaseTrouble(error: unknown): string {
  const code = sqliteCode(error);
  if (code === null) return systemCode(error);
  const words: Readonly<Record<number, string>> = {
    ...{ 5: 'another process holds it', 11: 'it is damaged', 13: 'the disk is full', 26: 'it is no database' },
  };
  return words[code] ?? `SQLite ${code}`;
}

/** Takes the write lock at once, so that no other writer intervenes. Rethrows errors of `work`. */
export function allOrNone(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** SQLite's own error number; null for other errors. */
export const sqliteCode = (error: unknown): number | null =>
  typeof error === 'object' && error !== null && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null;
