// What the command and the Jest processes it starts agree on.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RandomMutant } from '../../simulation/mutation/random-mutant.ts';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/** Names a file that holds an `Errand`. */
export const ERRAND_VARIABLE = 'QUOTEKEEPER_TEST_ERRAND';

/** What one Jest process is to do. */
export interface Errand {
  /** Null: the program as it is. */
  readonly mutant: RandomMutant | null;
  /** From the root of the tree, in the order in which they are to run. */
  readonly tests: readonly string[];
}

export function readErrand(): Errand {
  const file = process.env[ERRAND_VARIABLE];
  return file === undefined ? { mutant: null, tests: [] } : (JSON.parse(readFileSync(file, 'utf8')) as Errand);
}

/** A path as everybody writes it: from the root of the tree, with `/`. */
export const fromRoot = (file: string): string => path.relative(ROOT, file).split(path.sep).join('/');
