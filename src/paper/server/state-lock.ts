// Two exchanges that keep themselves in one file would write over each other: a lock of the system, which ends with the
// process that holds it.
import { DatabaseSync } from 'node:sqlite';
import { PaperStateError } from './start.ts';

/** Holds the lock file, made where there is none, until what it gives back is called; `null` where another holds it. */
export function holdLock(lockFile: string): (() => void) | null {
  const file = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    // Nothing is ever written into it: a journal beside it would only lie around.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch {
    file.close();
    return null;
  }
  return () => file.close();
}

/** Throws `PaperStateError` where another exchange has the state file, and where nothing can be written beside it. */
export function holdStateFile(stateFile: string | null): () => void {
  if (stateFile === null) return () => {};
  const release = lockBeside(stateFile);
  if (release === null) throw new PaperStateError(`The state file ${stateFile} is in use by another exchange.`);
  return release;
}

function lockBeside(stateFile: string): (() => void) | null {
  try {
    return holdLock(`${stateFile}.lock`);
  } catch {
    throw new PaperStateError(`The state file ${stateFile} can't be written.`);
  }
}
