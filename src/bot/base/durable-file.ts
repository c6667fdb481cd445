// Small files that are whole or not there, whatever happens while they are written.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Written beside and renamed, so that no reader sees half of it; on the disk when it returns. Two processes may write
 * the same file at once: each beside it under a name of its own. Throws what the system throws.
 */
export function writeDurably(file: string, text: string, mode = 0o600): void {
  const beside = `${file}.${process.pid}.new`;
  // What a process of the same number left there is replaced; a link that somebody put there is not followed.
  rmSync(beside, { force: true });
  const descriptor = openSync(beside, 'wx', mode);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(beside, file);
  syncFolder(path.dirname(file));
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
