// `npm run sim:mutants [-- --search N] [-- m1 m7]`: whether the seed that is recorded for each mutant notices it, and finds nothing in
// the program as it is. With `--search`, seeds from 0 on are tried until one does; it is then to be recorded. Exit code 1 otherwise.
import { fork } from 'node:child_process';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { MutantResult } from './mutant-worker.ts';
import { MUTANTS, type Mutant } from './mutants.ts';

const HOURS = 0.5;

interface Verdict {
  readonly line: string;
  readonly isKilled: boolean;
}

function tryOn(mutant: Mutant, isIn: boolean, seeds: readonly number[]): Promise<MutantResult> {
  return new Promise((resolve, reject) => {
    const child = fork(path.join(import.meta.dirname, 'mutant-worker.ts'));
    let result: MutantResult | null = null;
    child.on('message', (message: MutantResult) => {
      result = message;
    });
    child.on('exit', (code) => {
      if (result) resolve(result);
      else reject(new Error(`The worker ended with code ${code}.`));
    });
    child.send({ mutant: mutant.id, isIn, seeds, hours: HOURS });
  });
}

async function judge(mutant: Mutant, seeds: readonly number[]): Promise<Verdict> {
  const what = `${mutant.id.padEnd(4)}${mutant.sentence}`;
  const alive = (why: string): Verdict => ({ line: `✗ ${what} — ${why}`, isKilled: false });
  if (mutant.harness !== 'sim') return { line: `– ${what} (${mutant.harness}: ${mutant.elsewhere})`, isKilled: true };
  if (seeds.length === 0) return alive('no seed is recorded that notices it');
  const { tried, seed, violation } = await tryOn(mutant, true, seeds);
  if (violation === null || seed === null) return alive(`survives ${tried} seeds`);
  const { broken } = await tryOn(mutant, false, [seed]);
  if (broken.includes(violation.invariant)) {
    const others = seeds.slice(tried);
    if (others.length > 0) return judge(mutant, others);
    return alive(`seed ${seed} finds ${violation.invariant} in the program as it is`);
  }
  const caught = `${violation.invariant} at ${(violation.at / 1_000).toFixed(0)} s of seed ${seed}`;
  const after = tried === 1 ? '1 seed' : `${tried} seeds`;
  return { line: `✓ ${what} — ${caught}, after ${after}: ${violation.sentence.slice(0, 110)}`, isKilled: true };
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { search: { type: 'string', default: '0' } },
  });
  const search = Array.from({ length: Number(values.search) }, (_, seed) => seed);
  let survivors = 0;
  for (const mutant of MUTANTS.filter(({ id }) => positionals.length === 0 || positionals.includes(id))) {
    const recorded = mutant.killedBy === null ? [] : [mutant.killedBy.seed];
    const seeds = search.length > 0 ? search : recorded;
    const { line, isKilled } = await judge(mutant, seeds).catch(
      (error: unknown): Verdict => ({ line: `✗ ${mutant.id} — ${String(error)}`, isKilled: false }),
    );
    console.log(line);
    if (!isKilled) survivors += 1;
  }
  console.log(survivors === 0 ? '✓ Every mutant is noticed.' : `✗ ${survivors} mutants are not noticed.`);
  return survivors === 0 ? 0 : 1;
}

process.exitCode = await main();
