// Small files that are written whole or not at all, even when the process dies midway.
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

/** Does not follow links or wait for pipes: both fail. */
const WRITE = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const OWNER_ONLY = 0o600;

/** Opens for writing and truncates. The mode holds whatever the umask is. Throws system errors. */
export function openNew(file: string, mode = OWNER_ONLY): number {
  const descriptor = openSync(file, WRITE | constants.O_TRUNC, mode);
  fchmodSync(descriptor, mode);
  return descriptor;
}

/**
 * Writes a temporary file next to it and renames it, so that no reader sees half; on disk when it returns. The
 * temporary name holds the pid, so two processes may write the same file at once. Throws system errors.
 */
export function writeDurably(file: string, text: string, mode?: number): void {
  writeWhole(file, text, { mode, sync: fsyncSync });
  syncFolder(path.dirname(file));
}

interface Writing {
  readonly mode?: number | undefined;
  readonly sync?: (descriptor: number) => void;
}

/** Tries what `writeDurably` would do and leaves nothing behind; throws the same errors. */
function assertDurable(file: string): void {
  const beside = besideOf(file);
  rmSync(beside, { force: true });
  closeSync(openNew(beside));
  rmSync(beside);
}

const besideOf = (file: string): string => `${file}.${process.pid}.new`;

/** Like `writeDurably`, but without `sync` a power cut may undo it. */
export function writeWhole(file: string, text: string, { mode, sync }: Writing = {}): void {
  const beside = besideOf(file);
  // Replaces the file that an earlier process with the same pid left; does not follow a link planted there.
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

/** Appends a line, creating the file if needed; on disk when it returns. Throws system errors. */
export function appendLine(file: string, line: string): void {
  const descriptor = openSync(file, WRITE | constants.O_APPEND, OWNER_ONLY);
  try {
    writeFileSync(descriptor, `${line}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A new name in a folder is durable only once the folder is synced. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

// Makes a folder and its missing parents, readable by the owner alone.

/**
 * Returns whether it made the folder. Throws system errors. Not Node's `recursive`: that loops forever where a file
 * system reports an existing parent as missing (/proc).
 */
export function makeFolder(folder: string, mode = 0o700): boolean {
  try {
    mkdirSync(folder, { mode });
    return true;
  } catch (error) {
    const above = path.dirname(folder);
    const code = systemCode(error);
    if (code === 'EEXIST') {
      // Throws if it is not a folder.
      statSync(`${folder}/.`);
      return false;
    }
    if (code !== 'ENOENT' || existsSync(above)) throw error;
    makeFolder(above, mode);
    return makeFolder(folder, mode);
  }
}

// Pages are written as private files: they show what somebody owns. Replaces an existing file whatever its mode; does
// not follow a link, since somebody else may have put it there.

/** Throws `StartError` (73) if the file can't be written. */
export const writePage = (file: string, text: string): void => attempt(file, () => writeDurably(file, text));

/** The same check before the work that fills the page. */
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
