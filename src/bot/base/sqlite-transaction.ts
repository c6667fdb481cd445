// One SQLite transaction: all or nothing.
import type { DatabaseSync } from 'node:sqlite';

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
