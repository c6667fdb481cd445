// The command line of `npm run test:mutants`.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CHOSEN_USAGE, type Chosen, readChosen } from '../../simulation/mutation/chosen.ts';
import { MUTATED_FOLDERS } from '../../simulation/mutation/mutated-folders.ts';
import { readArguments } from '../../simulation/plan/arguments.ts';
import { fail, ok, type Result } from '../../src/domain/result.ts';
import { type DurationMs, SECOND } from '../../src/domain/time.ts';
import type { Outcome } from './outcome.ts';
import { ROOT } from './places.ts';

export const USAGE =
  `npm run test:mutants -- ${CHOSEN_USAGE} [--within src/trader/orders/closing.ts,src/loop] ` +
  '[--tests test/unit/trader] [--seconds 60] [--json FILE]';
/** What runs in the process of the test; `test/process` starts others, and `test/simulation` has its own command. */
const TESTS = 'test/unit,test/scenario,test/contract';
const UNNOTICED: ReadonlySet<string> = new Set<Outcome['kind']>(['survived', 'not-run', 'not-loaded']);

export interface Command {
  readonly chosen: Chosen;
  /** Files or folders whose mutants are listed. */
  readonly within: readonly string[];
  /** Files or folders of the tests that are run. */
  readonly tests: readonly string[];
  /** What the tests of one mutant may take together. */
  readonly withinMs: DurationMs;
  readonly json: string | null;
}

export function readCommand(args: readonly string[]): Result<Command, string> {
  const read = readArguments({
    args: [...args],
    options: {
      sample: { type: 'string' },
      seed: { type: 'string', default: '0' },
      again: { type: 'string' },
      list: { type: 'string' },
      within: { type: 'string', default: MUTATED_FOLDERS.join(',') },
      tests: { type: 'string', default: TESTS },
      seconds: { type: 'string' },
      json: { type: 'string' },
    },
  });
  if (!read.ok) return read;
  const { sample, seed, again, list, json, seconds, ...places } = read.value.values;
  const chosen = readChosen({ sample, seed, again, list }, { root: ROOT, unnoticed: UNNOTICED });
  if (!chosen.ok) return chosen;
  const [within, tests] = [places.within.split(','), places.tests.split(',')];
  const odd = [...within, ...tests].find((place) => !existsSync(path.join(ROOT, place)));
  if (odd !== undefined) return fail(`${odd}: a file or folder, from the root of the tree, was expected.`);
  const withinMs = seconds === undefined ? Number.POSITIVE_INFINITY : Number(seconds) * SECOND;
  if (!(withinMs > 0)) return fail(`--seconds ${seconds}: a number above 0.`);
  return ok({ chosen: chosen.value, within, tests, withinMs, json: json ?? null });
}
