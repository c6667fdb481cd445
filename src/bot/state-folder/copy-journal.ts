// A consistent copy of a journal, also of one that a bot holds and writes: SQLite itself would be kept out by the bot's
// lock.
import {
  closeSync,
  copyFileSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { walFault } from '../../journal/sqlite-wal.ts';
import { stateOf } from '../base/process-identity.ts';
import { assertBelieved } from './sqlite-journal.ts';

/**
 * A folder for a copy that goes again, of mode 0700. A process that is killed leaves its own behind: those of processes
 * that are gone are removed first.
 */
export function makeCopyFolder(parent: string, name: string): string {
  for (const entry of readdirSync(parent).filter((each) => each.startsWith(`${name}-`))) {
    const pid = Number(entry.slice(name.length + 1).split('-')[0]);
    const isLeft = pid > 0 && stateOf({ pid, startedAt: null, bootId: null }) === 'gone';
    const folder = path.join(parent, entry);
    // Whoever else may write there could have put anything under such a name.
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (isLeft && found?.isDirectory() && found.uid === process.getuid?.())
      rmSync(folder, { recursive: true, force: true });
  }
  return mkdtempSync(path.join(parent, `${name}-${process.pid}-`));
}

/** The write-ahead log's header names its generation by two salts (https://www.sqlite.org/fileformat2.html §4.1). */
const WAL_HEADER_BYTES = 32;
const TRIES = 20;

/**
 * Copies the file, then its write-ahead log. As long as the log was not begun anew meanwhile, it holds every page that
 * a checkpoint may have written into the file while that was copied: the copy is what a crash at that moment would have
 * left. A frame that was being written when it was read, before others that were whole when they were, is torn in the
 * copy alone: it is read again. False where the log was begun anew in each try. Throws a
 * `JournalError` where somebody else could have written the journal.
 */
export function copyJournal(from: string, to: string): boolean {
  assertBelieved(from);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const before = generationOf(from);
    copyFileSync(from, to);
    const log = readLog(from);
    writeFileSync(`${to}-wal`, log, { mode: 0o600 });
    if (generationOf(from) !== before) continue;
    // What is damaged each time is damaged in the journal: the copy says so when it is opened.
    if (walFault(log) === null || attempt === TRIES - 1) return true;
  }
  return false;
}

function readLog(journal: string): Buffer {
  return isThere(`${journal}-wal`) ? readFileSync(`${journal}-wal`) : Buffer.alloc(0);
}

/** The log's header; where there is no log, what the file itself shows of a change. */
function generationOf(journal: string): string {
  const log = `${journal}-wal`;
  const header = Buffer.alloc(WAL_HEADER_BYTES);
  if (isThere(log)) {
    const descriptor = openSync(log, 'r');
    try {
      if (readSync(descriptor, header, 0, WAL_HEADER_BYTES, 0) === WAL_HEADER_BYTES) return header.toString('hex');
    } finally {
      closeSync(descriptor);
    }
  }
  const { size, mtimeNs, ino } = statSync(journal, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

const isThere = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined;
