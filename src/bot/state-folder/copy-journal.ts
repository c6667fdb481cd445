// Makes a consistent copy of a journal, even while a bot holds and writes it, when the bot's lock would keep SQLite
// out.
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

/** A temporary folder for a copy, with mode 0700. First removes those left by killed processes. */
export function makeCopyFolder(parent: string, name: string): string {
  for (const entry of readdirSync(parent).filter((each) => each.startsWith(`${name}-`))) {
    const pid = Number(entry.slice(name.length + 1).split('-')[0]);
    const isLeft = pid > 0 && stateOf({ pid, startedAt: null, bootId: null }) === 'gone';
    const folder = path.join(parent, entry);
    // Other users who can write there could have put anything under such a name.
    const found = lstatSync(folder, { throwIfNoEntry: false });
    if (isLeft && found?.isDirectory() && found.uid === process.getuid?.())
      rmSync(folder, { recursive: true, force: true });
  }
  return mkdtempSync(path.join(parent, `${name}-${process.pid}-`));
}

/**
 * The write-ahead log's header identifies its generation by two salts (https://www.sqlite.org/fileformat2.html §4.1).
 */
const WAL_HEADER_BYTES = 32;
const TRIES = 20;

/**
 * Copies the file, then its write-ahead log. Unless the log was restarted meanwhile, it holds every page that a
 * checkpoint may have written into the file during the copy: the copy is what a crash at that moment would leave. A
 * frame read in mid-write before other complete ones is torn only in the copy, so the log is read again. False if the
 * log was restarted in each try. Throws a `JournalError` if somebody else could have written the journal.
 */
export function copyJournal(from: string, to: string): boolean {
  assertBelieved(from);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const before = generationOf(from);
    copyFileSync(from, to);
    const log = isThere(`${from}-wal`) ? readFileSync(`${from}-wal`) : Buffer.alloc(0);
    writeFileSync(`${to}-wal`, log, { mode: 0o600 });
    if (generationOf(from) !== before) continue;
    // A fault in every try is in the journal itself: opening the copy will report it.
    if (walFault(log) === null || attempt === TRIES - 1) return true;
  }
  return false;
}

/** Throws where that can't be seen: a log that can't be read is not an empty one. */
const isThere = (file: string): boolean => statSync(file, { throwIfNoEntry: false }) !== undefined;

/** The log's header; without a log, the file's own marks of a change. */
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
