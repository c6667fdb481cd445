// Whether somebody holds the state folder, seen from outside: asks for the journal's lock and lets go at once. Reads
// nothing of the journal.
import { lstatSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { JournalError } from '../../journal/chain.ts';
import { journalErrorOf } from './sqlite-journal.ts';
import { journalPath, startErrorOf } from './state-folder.ts';

/** False also where there is no journal, or one that nobody could open: what is broken is not held. */
export const isFolderHeld = (stateFolder: string): boolean => lockError(stateFolder) !== null;

/** Throws the `StartError` that whoever takes the folder now would get because somebody holds it. */
export function assertNotHeld(stateFolder: string): void {
  const error = lockError(stateFolder);
  if (error !== null) throw startErrorOf(stateFolder, error);
}

/** A pipe in its place would hold up whoever asks. Below a file, or in a folder that is closed to us, there is none. */
function isFile(file: string): boolean {
  try {
    return lstatSync(file).isFile();
  } catch {
    return false;
  }
}

function lockError(stateFolder: string): JournalError | null {
  const file = journalPath(stateFolder);
  if (!isFile(file)) return null;
  let database: DatabaseSync | null = null;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return null;
  } catch (error) {
    const found = journalErrorOf(file, error);
    return found.kind === 'locked' ? found : null;
  } finally {
    database?.close();
  }
}
