// Which test files a mutant is shown to, and in which order: the most direct ones first.
import path from 'node:path';
import type { RandomMutant } from '../../simulation/mutation/random-mutant.ts';
import { hasRun } from '../../simulation/mutation/stretches.ts';
import type { Reach, Reaches } from './reach.ts';

export interface TestsOf {
  /** Some test file loads the source. */
  readonly isLoaded: boolean;
  /** The files that run the place, as many as fit into the time. */
  readonly tests: readonly string[];
  /** How many run the place. */
  readonly count: number;
}

/** `withinMs`: what they may take together, without the mutant; one is always run. */
export function testsOf({ file, start }: RandomMutant, reaches: Reaches, withinMs: number): TestsOf {
  const loading = [...reaches].filter(([, { failure, loaded }]) => failure === null && file in loaded);
  const running = loading.filter(([, { stretches }]) => hasRun(stretches[file] ?? [], start, true));
  const sorted = running.toSorted((a, b) => distance(file, a) - distance(file, b));
  let tookMs = 0;
  const fitting = sorted.filter(([, { ms }], index) => {
    tookMs += ms;
    return index === 0 || tookMs <= withinMs;
  });
  return { isLoaded: loading.length > 0, tests: fitting.map(([test]) => test), count: running.length };
}

/**
 * The file's own tests first, in whichever folder; then what loads little and is quick, and notices most in little
 * time.
 */
function distance(file: string, [test, { ms, loaded }]: readonly [string, Reach]): number {
  return path.basename(test) === `${path.basename(file, '.ts')}.test.ts` ? 0 : Object.keys(loaded).length * ms;
}
