// Small files that are whole or not there, whatever happens while they are written.
import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { EXIT, StartError } from './exit-codes.ts';
import { systemCode } from './system-error.ts';

/** No link is followed, and no pipe waited for: either fails. */
const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const OWNER_ONLY = 0o600;

/** To be written; what is there is emptied. The mode holds whatever the mask is. Throws what the system throws. */
export function openNew(file: string, mode = OWNER_ONLY): number {
  const descriptor = openSync(file, WRITE | constants.O_TRUNC, mode);
  fchmodSync(descriptor, mode);
  return descriptor;
}

/**
 * Written beside and renamed, so that no reader sees half of it; on the disk when it returns. Two processes may write
 * the same file at once: each beside it under a name of its own. Throws what the system throws.
 */
export function writeDurably(file: string, text: string, mode?: number): void {
  writeWhole(file, text, { mode, sync: fsyncSync });
  syncFolder(path.dirname(file));
}

interface Writing {
  readonly mode?: number | undefined;
  readonly sync?: (descriptor: number) => void;
}

/** Throws what `writeDurably` would, and leaves nothing. */
function assertDurable(file: string): void {
  const beside = besideOf(file);
  rmSync(beside, { force: true });
  closeSync(openNew(beside));
  rmSync(beside);
}

const besideOf = (file: string): string => `${file}.${process.pid}.new`;

/** The same, but without `sync` a power cut may undo it. */
export function writeWhole(file: string, text: string, { mode, sync }: Writing = {}): void {
  const beside = besideOf(file);
  // What a process of the same number left there is replaced; a link that somebody put there is not followed.
  rmSync(beside, { force: true });
  const descriptor = openNew(beside, mode);
  try {
    writeFileSync(descriptor, text);
    sync?.(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(beside, file);
}

/** At the end of a file, made where there is none; on the disk when it returns. Throws what the system throws. */
export function appendLine(file: string, line: string): void {
  const descriptor = openSync(file, WRITE | constants.O_APPEND, OWNER_ONLY);
  try {
    writeFileSync(descriptor, `${line}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A new name in a folder is durable when the folder is. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

// Makes a folder and those above it, for its owner alone.

/**
 * Gives whether it was made. Throws what the system throws. Not Node's `recursive`, which tries for ever where a file
 * system says that the folder above is missing, and it is there (/proc).
 */
export function makeFolder(folder: string, mode = 0o700): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    const above = path.dirname(folder);
    const code = systemCode(error);
    if (code === 'EEXIST') {
      // Throws where it is no folder.
      statSync(`${folder}/.`);
      return false;
    }
    if (code !== 'ENOENT' || existsSync(above)) throw error;
    makeFolder(above, mode);
    return makeFolder(folder, mode);
  }
}

// A page is written as a private file: it tells what somebody owns. A file that is there is replaced, whatever its mode
// was; a link is not followed, since somebody else may have put it there.

/** Throws `StartError` (73) where the file can't be written. */
export const writePage = (file: string, text: string): void => attempt(file, () => writeDurably(file, text));

/** The same before the work that the page is about. */
export const assertPageWritable = (file: string): void => attempt(file, () => assertDurable(file));

function attempt(file: string, write: () => void): void {
  const fail = (why: string): StartError =>
    new StartError(EXIT.stateUnusable, `The page ${file} can't be written${why}.`);
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) throw fail(': a plain file was expected there');
  try {
    write();
  } catch (error) {
    throw fail(` (${systemCode(error)})`);
  }
}
