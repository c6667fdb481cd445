// The state folder: who holds it, and which journal is in it.
import { existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { JournalError } from '../journal/journal-error.ts';
import { readTraderJournal } from '../loop/trader-journal.ts';
import type { Clock } from '../ports/clock.ts';
import { EXIT, type ExitCode, StartError } from './exit-codes.ts';
import { openSqliteJournal, type SqliteJournal } from './sqlite-journal.ts';
import { systemCode } from './system-error.ts';

const FILE = 'journal.sqlite';

export const journalPath = (stateFolder: string): string => path.join(stateFolder, FILE);

/** Takes the folder for this process. Throws `StartError`: 73 when another instance has it or it can't be used, 74 when it is damaged. */
export function takeStateFolder(stateFolder: string): SqliteJournal {
  try {
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartError(EXIT.stateUnusable, `The state folder ${stateFolder} can not be used (${systemCode(error)}).`);
  }
  return translated(() => openSqliteJournal(journalPath(stateFolder)));
}

/**
 * The journal to go on with. One that belongs to another instance of the paper exchange is put aside, and its new name returned: its
 * orders and balances are those of an exchange that is gone.
 */
export function journalFor(
  stateFolder: string,
  storage: SqliteJournal,
  { paperInstance, clock }: { paperInstance: string | null; clock: Clock },
): { readonly storage: SqliteJournal; readonly putAside: string | null } {
  const read = translated(() => readTraderJournal(storage, clock));
  if (!read.ok) throw startErrorOf(read.error);
  const theirs = read.value.paperInstance;
  const moved = paperInstance !== null && theirs !== null && theirs !== paperInstance;
  if (!moved) return { storage, putAside: null };
  storage.close();
  const stamp = new Date(clock.now()).toISOString().replaceAll(':', '-');
  const putAside = path.join(stateFolder, `journal-${stamp}.sqlite`);
  for (const ending of ['', '-wal', '-shm']) {
    const from = `${journalPath(stateFolder)}${ending}`;
    if (existsSync(from)) renameSync(from, `${putAside}${ending}`);
  }
  return { storage: takeStateFolder(stateFolder), putAside };
}

function translated<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw error instanceof JournalError ? startErrorOf(error) : error;
  }
}

export function startErrorOf(error: JournalError): StartError {
  return new StartError(journalExitCode(error), error.message);
}

export function journalExitCode({ kind }: JournalError): ExitCode {
  return kind === 'damaged' || kind === 'full' || kind === 'failed' || kind === 'moved'
    ? EXIT.diskError
    : EXIT.stateUnusable;
}
