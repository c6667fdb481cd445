// The state folder: who holds it, and its journal.
import { existsSync, lstatSync, renameSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { JournalError, type JournalErrorKind } from '../../journal/chain.ts';
import { readTraderJournal } from '../../loop/trader-journal.ts';
import type { Clock } from '../../ports/clock.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { makeStateFolder } from '../base/usable-paths.ts';
import type { BotJournal } from './bot-journal.ts';
import { assertWitnessed, noting, readWitness, witnessFile } from './journal-witness.ts';
import { assertRestoreFinished } from './restored-mark.ts';
import { journalErrorOf, openSqliteJournal } from './sqlite-journal.ts';

const FILE = 'journal.sqlite';

export const journalPath = (stateFolder: string): string => path.join(stateFolder, FILE);

/**
 * Takes the folder for this process. Throws `StartError`: 73 if another instance has it, a restore into it was not
 * finished or it can't be used; 74 if it is damaged.
 */
export function takeStateFolder(stateFolder: string): BotJournal {
  makeStateFolder(stateFolder);
  assertRestoreFinished(stateFolder);
  return translated(stateFolder, () => openSqliteJournal(journalPath(stateFolder)));
}

/**
 * Checks a bot's journal against the witness and from now on updates that. Throws `StartError` if they contradict each
 * other. Commands that only cancel take the journal as it is, and need no witness.
 */
export function withWitness(stateFolder: string, journal: BotJournal): BotJournal {
  const file = witnessFile(stateFolder);
  const check = (): BotJournal => {
    const witness = readWitness(file);
    if (witness) assertWitnessed(journal, { witness, file });
    return noting(journal, file);
  };
  return translated(stateFolder, check, journal.place);
}

/**
 * The journal to continue with. Moves aside one of another instance of the paper exchange, whose orders and balances
 * are gone, and returns its new name. `known`: the journal's content; null for a new one.
 */
export function journalFor(
  stateFolder: string,
  storage: BotJournal,
  { paperInstance, clock }: { paperInstance: string | null; clock: Clock },
) {
  const read = translated(stateFolder, () => readTraderJournal(storage, clock), storage.place);
  if (!read.ok) throw startErrorOf(stateFolder, read.error, storage.place);
  const theirs = read.value.journal.paperInstance;
  const moved = paperInstance !== null && theirs !== null && theirs !== paperInstance;
  if (!moved) return { storage, putAside: null, known: read.value };
  const stamp = new Date(clock.now()).toISOString().replaceAll(':', '-');
  const putAside = path.join(stateFolder, `journal-${stamp}.sqlite`);
  if (storage.putAside !== undefined) {
    moveAside(witnessFile(stateFolder), `${putAside}-witness.json`);
    const name = `paper ${theirs}`;
    storage.putAside(name);
    return { storage, putAside: `account ${name}`, known: null };
  }
  storage.close();
  // The witness first, and the journal's log before the journal: after an interruption, nothing must contradict a new
  // journal.
  moveAside(witnessFile(stateFolder), `${putAside}-witness.json`);
  for (const ending of ['-wal', '-shm', '']) moveAside(`${journalPath(stateFolder)}${ending}`, `${putAside}${ending}`);
  return { storage: takeStateFolder(stateFolder), putAside, known: null };
}

function moveAside(from: string, to: string): void {
  if (existsSync(from)) renameSync(from, to);
}

/**
 * Turns a `JournalError` of the step into a `StartError` with its code and the remedies. `place`: of a journal that is
 * no file of the folder.
 */
export function translated<T>(stateFolder: string, step: () => T, place?: string): T {
  try {
    return step();
  } catch (error) {
    throw error instanceof JournalError ? startErrorOf(stateFolder, error, place) : error;
  }
}

function startErrorOf(stateFolder: string, error: JournalError, place?: string): StartError {
  return new StartError(journalExitCode(error), [error.message, ...waysOut(stateFolder, error, place)].join('\n'));
}

/** Remedies for a person, one per line. */
function waysOut(stateFolder: string, { kind }: JournalError, place?: string): string[] {
  if (kind !== 'damaged' && kind !== 'older' && kind !== 'ahead') return [];
  const file = journalPath(stateFolder);
  const journal = place ?? file;
  const [left, kept] = place ? ['set another `journal.account`, move', 'journal'] : [`move ${file}* and`, 'file'];
  const afresh =
    `To begin afresh: ${left} ${witnessFile(stateFolder)} out of the folder, cancel what rests with ` +
    `\`cancel-all\`, take the latch off that it sets with \`rearm --yes\`, then start. Where own-orders.log is lost ` +
    `too, \`cancel-all --everything\` lists what the account has open, and with --yes cancels all of it, the ` +
    `owner's orders too. The new ledger is opened from the wallet as it is: profit, fees and fills of before are ` +
    'not in it, and a halt or a loss limit of before is forgotten.';
  const first = {
    damaged: `Nothing was changed. The ${kept} is ${journal}: put back a copy that is whole and the newest there is.`,
    older: 'Nothing was changed. Put back the newest journal there is.',
    ahead: `If the clock was wrong when ${journal} was written and is right now: wait until then.`,
  };
  return [first[kind], afresh];
}

const DISK_ERRORS: ReadonlySet<JournalErrorKind> = new Set(['damaged', 'full', 'failed', 'moved', 'taken']);

export function journalExitCode({ kind }: JournalError): ExitCode {
  if (kind === 'latched') return EXIT.killLatched;
  return DISK_ERRORS.has(kind) ? EXIT.diskError : EXIT.stateUnusable;
}

// Whether some process holds the state folder, seen from outside: requests the journal's lock and releases it at once.
// Reads nothing of the journal.

/** Also false if there is no journal, or one that nobody could open: a broken one is not held. */
export const isFolderHeld = (stateFolder: string): boolean => lockError(stateFolder) !== null;

/** Throws the `StartError` that taking the folder now would cause because another process holds it. */
export function assertNotHeld(stateFolder: string): void {
  const error = lockError(stateFolder);
  if (error !== null) throw startErrorOf(stateFolder, error);
}

function lockError(stateFolder: string): JournalError | null {
  const file = journalPath(stateFolder);
  let database: DatabaseSync | null = null;
  try {
    // A pipe in its place would block the caller. Below a file, or in an inaccessible folder, there is none.
    if (!lstatSync(file).isFile()) return null;
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
