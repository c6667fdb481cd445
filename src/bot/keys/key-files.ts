// Where the keys of the paper exchange are, of those that were made already.
import { existsSync } from 'node:fs';
import type { Settings } from '../settings/types.ts';
import { paperKeysFile } from './paper-keys.ts';

/** Absolute paths; empty in live mode. */
export function paperKeyFiles({ paper, stateFolder }: Settings): readonly string[] {
  if (paper === null) return [];
  const files = [paperKeysFile(stateFolder), ...paper.accounts.flatMap(({ keys }) => keys.map(({ file }) => file))];
  return files.filter((file) => existsSync(file));
}
