// `restore`: puts a backup into the state folder and marks it, so that the next start quotes nothing before a person
// has compared it with the account.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { JournalError } from '../../journal/chain.ts';
import { realClock } from '../../ports/clock.ts';
import { makeFolder, syncFolder, writeDurably } from '../base/durable-file.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { linkedFile } from '../base/private-file.ts';
import { stateOf } from '../base/process-identity.ts';
import { systemCode } from '../base/system-error.ts';
import type { Settings } from '../settings/types.ts';
import { checkedJournal, venueName } from './backup.ts';
import { assertInFolder, BackupDamaged, type BackupEntry, type Manifest, readBackup } from './backup-file.ts';
import { witnessElsewhere, witnessFile } from './journal-witness.ts';
import { leaseFile, readLease, watchdogFile } from './lease-file.ts';
import { ownOrdersFile, readOwnOrders } from './own-orders-file.ts';
import { readRestored, restoredFile, writeRestored } from './restored-mark.ts';
import { isFolderHeld, journalExitCode, journalPath } from './state-folder.ts';

/** A paper exchange's own files; all others are the bot's. */
const IS_EXCHANGE = /^(?:paper-|exchange)/;
const ASIDE = 'before-restore-';
const UNPACKED = '.restoring-';

/**
 * Throws `StartError`: 73 if a bot or watchdog is running, or something is in the way; 74 if the backup or the disk is
 * damaged. Returns which files of the backup it `put` there, which newer ones it `kept`, and where the earlier files
 * are now (`movedTo`; null if there were none).
 */
export function restoreBackup(settings: Settings, from: string, replace: boolean) {
  const { stateFolder } = settings;
  assertInFolder(settings);
  const file = linkedFile(path.resolve(from));
  if (!existsSync(file)) throw new StartError(EXIT.stateUnusable, `There is no backup ${file}.`);
  try {
    assertNobodyRuns(stateFolder);
    const { manifest, entries } = readBackup(file);
    const [theirs, ours] = [manifest.venue, venueName(settings)];
    if (theirs !== ours)
      throw new StartError(
        EXIT.stateUnusable,
        `${file} is of ${theirs}, and the configuration is for ${ours}. Nothing was changed.`,
      );
    const there = ownFilesIn(stateFolder);
    if (there.length > 0 && !replace)
      throw new StartError(
        EXIT.stateUnusable,
        `${stateFolder} is not empty (${there.slice(0, 3).join(', ')} …). With --replace what is there is moved ` +
          'aside, and nothing of it is deleted.',
      );
    return putBack(stateFolder, { file, manifest, entries, there });
  } catch (error) {
    throw translated(error, file);
  }
}

function assertNobodyRuns(stateFolder: string): void {
  const [bot, watchdog] = [leaseFile(stateFolder), watchdogFile(stateFolder)].map((file) => {
    const lease = readLease(file);
    return lease !== null && !lease.ended && stateOf(lease.process) !== 'gone' ? lease.process.pid : null;
  });
  const isHeld = isFolderHeld(stateFolder) || bot !== null;
  if (!isHeld && watchdog === null) return;
  const who = isHeld ? 'A bot' : `A watchdog (process ${watchdog})`;
  throw new StartError(EXIT.stateUnusable, `${who} runs in ${stateFolder}: stop it first. Nothing was changed.`);
}

const ownFilesIn = (stateFolder: string): readonly string[] =>
  existsSync(stateFolder)
    ? readdirSync(stateFolder).filter(
        (name) => !IS_EXCHANGE.test(name) && !name.startsWith(ASIDE) && !name.startsWith(UNPACKED),
      )
    : [];

type Putting = ReturnType<typeof readBackup> & Readonly<{ file: string; there: readonly string[] }>;

/**
 * Unpacks and checks everything before moving anything. The mark is written before the first file is moved, and forbids
 * a start until the last one is: an interrupted restore must be repeated. `there`: the bot's files in the folder.
 */
function putBack(stateFolder: string, { file, manifest, entries, there }: Putting) {
  makeFolder(stateFolder);
  const restoredAt = new Date(realClock.now()).toISOString();
  // Those of interrupted restores.
  for (const name of readdirSync(stateFolder).filter((each) => each.startsWith(UNPACKED)))
    rmSync(path.join(stateFolder, name), { recursive: true, force: true });
  const unpacked = path.join(stateFolder, `${UNPACKED}${process.pid}`);
  try {
    unpack(unpacked, entries);
    checkedJournal(path.join(unpacked, path.basename(journalPath(stateFolder))));
    const { kept, ownOrdersOf } = newerOnes(stateFolder, manifest, entries);
    const mark = { from: path.basename(file), madeAt: manifest.madeAt, restoredAt };
    const isOwnKept = kept.includes(path.basename(ownOrdersFile(stateFolder)));
    // After an interruption, nobody can tell which backup the file found then came from: '' makes it give way to any
    // backup.
    writeRestored(stateFolder, { ...mark, unfinished: true, ownOrdersOf: isOwnKept ? ownOrdersOf : '' });
    // The mark is overwritten, including its temporary files from interrupted restores.
    const isMark = (name: string): boolean => name.startsWith(path.basename(restoredFile(stateFolder)));
    const leaving = there.filter((name) => !kept.includes(name) && !isMark(name));
    const movedTo = leaving.length === 0 ? null : moveAside(stateFolder, leaving, restoredAt);
    const put = entries.map(({ name }) => name).filter((name) => !kept.includes(name));
    for (const name of put) move({ stateFolder, name }, { from: unpacked, to: stateFolder });
    syncFolder(stateFolder);
    writeRestored(stateFolder, { ...mark, ownOrdersOf });
    const { hash: _hash, ...journal } = manifest.journal;
    return { stateFolder, madeAt: manifest.madeAt, program: manifest.program, journal, put, kept, movedTo };
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
}

function unpack(folder: string, entries: readonly BackupEntry[]): void {
  mkdirSync(folder, { mode: 0o700 });
  for (const { name, bytes, changedAt } of entries) {
    const file = path.join(folder, name);
    writeFileSync(file, bytes, { mode: 0o600, flush: true });
    // The time of the last write to own orders bounds when the last create can still be accepted.
    utimesSync(file, changedAt / 1_000, changedAt / 1_000);
  }
}

/**
 * A set latch stays set. The existing file of own orders names later orders than the backup's, unless a restore put it
 * there from an earlier backup, and no bot has started with it since. `kept`: names of files to keep; `ownOrdersOf`:
 * when the backup was made from which the file of own orders will be.
 */
function newerOnes(stateFolder: string, { madeAt }: Manifest, entries: readonly BackupEntry[]) {
  const own = ownOrdersFile(stateFolder);
  const name = path.basename(own);
  const { exists, damaged } = readOwnOrders(own);
  const before = readRestored(stateFolder)?.ownOrdersOf;
  const isNewer = exists && damaged === null && (before === undefined || before >= madeAt);
  const latch = ['kill-latch.json', 'kill-latch.log'].filter((each) => existsSync(path.join(stateFolder, each)));
  if (isNewer) return { kept: [name, ...latch], ownOrdersOf: before };
  return { kept: latch, ownOrdersOf: entries.some((entry) => entry.name === name) ? madeAt : undefined };
}

function moveAside(stateFolder: string, names: readonly string[], restoredAt: string): string {
  const aside = path.join(stateFolder, `${ASIDE}${restoredAt.replaceAll(':', '-')}`);
  mkdirSync(aside, { mode: 0o700 });
  for (const name of names) move({ stateFolder, name }, { from: stateFolder, to: aside });
  syncFolder(aside);
  return aside;
}

/**
 * For a witness that is a link, moves the content and keeps the link: a file inside the folder would protect nothing.
 */
function move(
  { stateFolder, name }: { readonly stateFolder: string; readonly name: string },
  { from, to }: { readonly from: string; readonly to: string },
): void {
  const elsewhere = name === path.basename(witnessFile(stateFolder)) ? witnessElsewhere(stateFolder) : null;
  if (elsewhere === null) return renameSync(path.join(from, name), path.join(to, name));
  const placeIn = (folder: string): string => (folder === stateFolder ? elsewhere : path.join(folder, name));
  if (!existsSync(placeIn(from))) return;
  writeDurably(placeIn(to), readFileSync(placeIn(from), 'utf8'));
  rmSync(placeIn(from));
}

function translated(error: unknown, file: string): unknown {
  if (error instanceof BackupDamaged) return new StartError(EXIT.diskError, `${error.message} Nothing was changed.`);
  if (error instanceof JournalError)
    return new StartError(
      journalExitCode(error),
      `The journal in the backup ${file} can't be used. ${error.message} Nothing was changed.`,
    );
  if (error instanceof StartError) return error;
  return new StartError(EXIT.diskError, `The backup ${file} can't be restored (${systemCode(error)}).`);
}
