// Whether somebody holds the state folder, seen from outside: asks for the journal's lock and lets go at once. Reads nothing of the journal.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { journalPath } from './state-folder.ts';

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

/** False also where there is no journal, or one that nobody could open: what is broken is not held. */
export function isFolderHeld(stateFolder: string): boolean {
  const file = journalPath(stateFolder);
  if (!existsSync(file)) return false;
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'errcode' in error ? error.errcode : undefined;
    return typeof code === 'number' && [SQLITE_BUSY, SQLITE_LOCKED].includes(code & 0xff);
  } finally {
    database?.close();
  }
}
