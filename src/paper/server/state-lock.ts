// Two exchanges that keep themselves in one file would write over each other: a lock of the system, which ends with the
// process that holds it.
import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { PaperStateError } from './start.ts';
import { systemCodeOf } from './state-file.ts';

/**
 * Holds the lock file, made where there is none, until what it gives back is called; `null` where another holds it.
 * Throws where the file can't be made or written, and where it is no lock.
 */
export function holdLock(lockFile: string): (() => void) | null {
  makeOwn(lockFile);
  const file = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    // Nothing is ever written into it: a journal beside it would only lie around.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    // A file that may only be read begins like any other, and keeps nobody out. This shows it, and is never committed.
    file.exec('PRAGMA user_version = 1');
  } catch (error) {
    file.close();
    if (isHeld(error)) return null;
    throw error;
  }
  return () => file.close();
}

/** For its owner alone. Not opened where it is there: closing it would end a lock that this process has. */
function makeOwn(lockFile: string): void {
  try {
    closeSync(openSync(lockFile, 'ax', 0o600));
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error;
  }
}

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;

function isHeld(error: unknown): boolean {
  const known = typeof error === 'object' && error !== null && 'errcode' in error && typeof error.errcode === 'number';
  const code = known ? Number(error.errcode) & 0xff : 0;
  return code === SQLITE_BUSY || code === SQLITE_LOCKED;
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
    throw new PaperStateError(
      `The state file ${stateFile} can't be held: ${stateFile}.lock can't be written, or is no lock.`,
    );
  }
}
