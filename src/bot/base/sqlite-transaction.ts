// One transaction of SQLite: all of it, or nothing.
import type { DatabaseSync } from 'node:sqlite';

/** Takes the database for writing at once, so that nobody else comes between. Throws what `work` throws. */
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

/** SQLite's own number of what it threw; null for other errors. */
export const sqliteCode = (error: unknown): number | null =>
  typeof error === 'object' && error !== null && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null;
