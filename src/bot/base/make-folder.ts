// Makes a folder and those above it, for its owner alone.
import { existsSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { systemCode } from './system-error.ts';

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
