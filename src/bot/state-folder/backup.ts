// `backup`: everything that the bot must not lose, as of one moment, in one file; works even while the bot runs.
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { JournalError } from '../../journal/chain.ts';
import { readTraderJournal } from '../../loop/trader-journal.ts';
import { realClock } from '../../ports/clock.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { NotPrivate, readPrivateFile } from '../base/private-file.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import { systemCode } from '../base/system-error.ts';
import type { Settings } from '../settings/types.ts';
import {
  assertInFolder,
  BackupDamaged,
  type BackupEntry,
  type Manifest,
  MOST_BYTES,
  writeBackup,
} from './backup-file.ts';
import { lastOf } from './bot-journal.ts';
import { copyJournal, makeCopyFolder } from './copy-journal.ts';
import { witnessElsewhere, witnessFile } from './journal-witness.ts';
import { killLatchFile, killLatchTrail } from './kill-latch.ts';
import { ownOrdersFile } from './own-orders-file.ts';
import { assertRestoreFinished } from './restored-mark.ts';
import { openSqliteJournal } from './sqlite-journal.ts';
import { journalExitCode, journalPath } from './state-folder.ts';

/** A backup's name for the configured exchange. */
export const venueName = ({ mode, venue }: Pick<Settings, 'mode' | 'venue'>): string =>
  mode === 'paper' ? 'paper' : venue.baseUrl;

/**
 * Throws `StartError`: 73 if all or part of the data is missing, or the file can't be made; 74 if journal or disk are
 * damaged.
 */
export function makeBackup(settings: Settings, to: string) {
  const { stateFolder } = settings;
  assertInFolder(settings);
  const file = path.resolve(to);
  if (!existsSync(journalPath(stateFolder)))
    throw new StartError(EXIT.stateUnusable, `There is no journal in ${stateFolder}: nothing to back up.`);
  if (existsSync(file)) throw isThere(file);
  assertRestoreFinished(stateFolder);
  try {
    const { entries, journal } = takeAll(stateFolder, path.dirname(file));
    const about = { madeAt: isoTime(realClock.now()), venue: venueName(settings) };
    writeBackup(file, { format: 1, program: `${PROGRAM} ${VERSION}`, ...about, journal }, entries);
    const { hash: _hash, ...told } = journal;
    const holds = entries.map(({ name }) => name);
    /** Expected files that were missing. */
    const missing = expectedNames(stateFolder).filter((name) => !holds.includes(name));
    return { file, bytes: statSync(file).size, ...about, journal: told, holds, missing };
  } catch (error) {
    throw translated(error, { stateFolder, file });
  }
}

/**
 * The witness first, because it is never ahead of its journal; then own orders, so that they name everything that may
 * be open; the latch last, so that one set meanwhile is not lost.
 */
function takeAll(stateFolder: string, beside: string) {
  const witness = entryOf(witnessFile(stateFolder), witnessElsewhere(stateFolder) ?? undefined);
  const copy = copiedJournal(journalPath(stateFolder), beside);
  const others = [ownOrdersFile(stateFolder), killLatchTrail(stateFolder), killLatchFile(stateFolder)].map((file) =>
    entryOf(file),
  );
  const entries = [copy.entry, witness, ...others].filter((entry) => entry !== null);
  return { entries, journal: copy.journal };
}

/** Files that every bot leaves; a kill latch exists only if one was set. */
const expectedNames = (stateFolder: string): string[] =>
  [witnessFile(stateFolder), ownOrdersFile(stateFolder)].map((file) => path.basename(file));

/** `from`: the actual place of the file with this name. */
function entryOf(file: string, from = file): BackupEntry | null {
  const changedAt = statSync(from, { throwIfNoEntry: false })?.mtimeMs;
  const name = path.basename(file);
  if (changedAt === undefined) return null;
  return { name, bytes: readPrivateFile({ what: 'file', path: from, mostBytes: MOST_BYTES[name] ?? 0 }), changedAt };
}

/** The journal as one file, its whole chain checked. */
function copiedJournal(from: string, beside: string): { entry: BackupEntry; journal: Manifest['journal'] } {
  const folder = makeCopyFolder(beside, '.quotekeeper-backup');
  const copy = path.join(folder, path.basename(from));
  try {
    if (!copyJournal(from, copy))
      throw new StartError(EXIT.stateUnusable, `${from} is written faster than it can be copied: try again.`);
    const journal = checkedJournal(copy);
    const entry = { name: path.basename(from), bytes: readFileSync(copy), changedAt: statSync(from).mtimeMs };
    return { entry, journal };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Checks the whole chain and returns its end. Throws a `JournalError`. */
export function checkedJournal(file: string): Manifest['journal'] {
  const storage = openSqliteJournal(file);
  try {
    const read = readTraderJournal(storage, realClock);
    if (!read.ok) throw read.error;
    const { epoch, seq, hash, wall } = lastOf(storage.read()) ?? { epoch: 0, seq: 0, hash: '', wall: 0 };
    return { epoch, seq, hash, endedAt: isoTime(wall), openOrders: read.value.orders.intents.size };
  } finally {
    storage.close();
  }
}

function translated(error: unknown, { stateFolder, file }: { stateFolder: string; file: string }): unknown {
  if (error instanceof JournalError)
    return new StartError(journalExitCode(error), `The journal in ${stateFolder} can't be backed up. ${error.message}`);
  if (error instanceof NotPrivate) return new StartError(EXIT.stateUnusable, error.message);
  if (error instanceof StartError) return error;
  if (error instanceof BackupDamaged)
    return new StartError(
      EXIT.diskError,
      `${error.message} The disk keeps other bytes than were written: try another.`,
    );
  const code = systemCode(error);
  if (code === 'EEXIST') return isThere(file);
  return new StartError(EXIT.diskError, `The backup ${file} can't be written (${code}): nothing was left there.`);
}

const isThere = (file: string): StartError =>
  new StartError(EXIT.stateUnusable, `${file} is there already: a backup never overwrites a file.`);

const isoTime = (at: number): string => new Date(at).toISOString();
