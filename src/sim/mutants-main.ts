// `npm run sim:mutants [-- m1 m7]`: whether what is recorded for each mutant notices it, and finds nothing in the program as it is: a
// seed and the first invariant that breaks, or a test. With `--search N`, seeds from 0 on are tried until one breaks an invariant; both
// are then to be recorded. Exit code 1 otherwise.
import { fork } from 'node:child_process';
import path from 'node:path';
import { readArguments } from './arguments.ts';
import { copyTree } from './mutant-copy.ts';
import type { BySeed, ByTest, Mutant } from './mutant-row.ts';
import type { SeedOrder, SeedResult } from './mutant-worker.ts';
import { MUTANTS } from './mutants.ts';

const USAGE = 'npm run sim:mutants -- [--search N] [m1 m7 …]';
const HOURS = 0.5;

interface Verdict {
  readonly isNoticed: boolean;
  readonly words: string;
}

const noticed = (words: string): Verdict => ({ isNoticed: true, words });
const missed = (words: string): Verdict => ({ isNoticed: false, words });

function trySeeds(order: Omit<SeedOrder, 'hours'>): Promise<SeedResult> {
  return new Promise((resolve, reject) => {
    const child = fork(path.join(import.meta.dirname, 'mutant-worker.ts'));
    let result: SeedResult | null = null;
    child.on('message', (message: SeedResult) => {
      result = message;
    });
    child.on('exit', (code) => {
      if (result) resolve(result);
      else reject(new Error(`The worker ended with code ${code}.`));
    });
    child.send({ ...order, hours: HOURS });
  });
}

async function judgeBySeed({ id }: Mutant, { seed, invariant }: BySeed): Promise<Verdict> {
  const { violation } = await trySeeds({ mutant: id, isIn: true, seeds: [seed] });
  if (violation === null) return missed(`survives seed ${seed}`);
  const { invariant: found, sentence } = violation;
  const caught = `${found} at ${(violation.at / 1_000).toFixed(0)} s of seed ${seed}: ${sentence.slice(0, 110)}`;
  if (found !== invariant) return missed(`${invariant} is recorded, and it was noticed by ${caught}`);
  const { broken } = await trySeeds({ mutant: id, isIn: false, seeds: [seed] });
  return broken.includes(found) ? missed(`seed ${seed} finds ${found} in the program as it is`) : noticed(caught);
}

/** The first seed that breaks what it does not break in the program as it is. A program that throws is none of the checks' merit. */
async function search({ id }: Mutant, seeds: readonly number[]): Promise<Verdict> {
  for (let left = seeds; left.length > 0; ) {
    const { tried, seed, violation } = await trySeeds({ mutant: id, isIn: true, seeds: left });
    if (violation === null || seed === null) break;
    const { invariant, sentence } = violation;
    const { broken } = await trySeeds({ mutant: id, isIn: false, seeds: [seed] });
    if (invariant !== 'BUG' && !broken.includes(invariant))
      return noticed(`seed: ${seed}, invariant: '${invariant}' after ${seed + 1} seeds: ${sentence.slice(0, 200)}`);
    console.log(`  ${id}, seed ${seed}: ${invariant} does not count: ${sentence.slice(0, 200)}`);
    left = left.slice(tried);
  }
  return missed(`survives ${seeds.length} seeds`);
}

async function judgeByTest(mutant: Mutant, tested: ByTest): Promise<Verdict> {
  const which = `${tested.file} (${tested.name})`;
  const copy = copyTree();
  try {
    const before = await copy.test(tested);
    if (before.fault !== null || before.failed.length > 0 || before.passed === 0)
      return missed(
        `${which} does not pass without it: ${before.fault ?? before.failed[0] ?? 'no test has that name'}`,
      );
    await copy.mutate(mutant);
    const after = await copy.test(tested);
    if (after.fault !== null) return missed(`${which} could not be run with it: ${after.fault.slice(0, 300)}`);
    if (after.failed.length === 0) return missed(`survives ${which}`);
    return noticed(`${after.failed.length} of ${before.passed} failed in ${tested.file}: ${after.failed[0]}`);
  } finally {
    copy.remove();
  }
}

function judge(mutant: Mutant, searched: readonly number[]): Promise<Verdict> {
  if (mutant.noticed.kind === 'test') return judgeByTest(mutant, mutant.noticed);
  return searched.length > 0 ? search(mutant, searched) : judgeBySeed(mutant, mutant.noticed);
}

function refuse(sentence: string): 64 {
  console.error(`${sentence}\n${USAGE}`);
  return 64;
}

async function main(): Promise<number> {
  const read = readArguments({ allowPositionals: true, options: { search: { type: 'string', default: '0' } } });
  if (!read.ok) return refuse(read.error);
  const { values, positionals } = read.value;
  const seeds = Array.from({ length: Number(values.search) }, (_, seed) => seed);
  const unknown = positionals.filter((asked) => MUTANTS.every(({ id }) => id !== asked));
  if (unknown.length > 0) return refuse(`There is no mutant ${unknown.join(', ')}.`);
  const chosen = MUTANTS.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
  let survivors = 0;
  for (const mutant of chosen) {
    const { isNoticed, words } = await judge(mutant, seeds).catch((error: unknown) => missed(String(error)));
    console.log(`${isNoticed ? '✓' : '✗'} ${mutant.id.padEnd(5)}${mutant.sentence} — ${words}`);
    if (!isNoticed) survivors += 1;
  }
  console.log(survivors === 0 ? '✓ Every mutant is noticed.' : `✗ ${survivors} mutants are not noticed.`);
  return survivors === 0 ? 0 : 1;
}

process.exitCode = await main();
