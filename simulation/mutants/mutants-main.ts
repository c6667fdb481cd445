// `npm run sim:mutants [-- m1 m7]`: whether what is recorded for each mutant notices it, and finds nothing in the
// program as it is: a seed and the first invariant that breaks, or a test. With `--search N`, seeds from 0 on are tried
// until one breaks an invariant; both are then to be recorded. With `--share N`, how many of so many seeds notice it.
// With `--part 2/3`, each third of them from the second on. Exit code 1 where one is not noticed. With `--sample N` or
// `--again FILE`, random ones, and with `--list FILE` those of a person: mutation/sample-command.ts.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import PQueue from 'p-queue';
import type { InvariantId } from '../checks/invariants.ts';
import { type Mutated, patchSources } from '../patching/patch-sources.ts';
import { programSources } from '../patching/program-sources.ts';
import { readArguments, readPart } from '../plan/arguments.ts';
import { copyTree } from './mutant-copy.ts';
import type { BySeed, ByTest, Mutant } from './mutant-row.ts';
import type { SeedOrder, SeedResult } from './mutant-worker.ts';
import { MUTANTS } from './mutants.ts';

const USAGE =
  'npm run sim:mutants -- [--search N | --share N] [--part K/N] [m1 m7 …] | --sample N [--seed S] | ' +
  '--again FILE | --list FILE';
const HOURS = 0.5;
const ROOT = path.resolve(import.meta.dirname, '../..');

interface Verdict {
  readonly isNoticed: boolean;
  readonly words: string;
}

const noticed = (words: string): Verdict => ({ isNoticed: true, words });
const missed = (words: string): Verdict => ({ isNoticed: false, words });

function trySeeds(order: Omit<SeedOrder, 'hours' | 'all'> & Partial<Pick<SeedOrder, 'all'>>): Promise<SeedResult> {
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
    child.send({ all: false, ...order, hours: HOURS });
  });
}

const mutatedBy = (mutant: Mutant): Mutated[] => patchSources(programSources(ROOT), mutant);

async function judgeBySeed(mutant: Mutant, { seed: first, tries, invariant }: BySeed): Promise<Verdict> {
  let verdict = missed('no seed is recorded');
  for (let seed = first; seed < first + tries; seed += 1) {
    verdict = await judgeOnSeed(mutant, seed, invariant);
    if (verdict.isNoticed) return verdict;
  }
  return verdict;
}

async function judgeOnSeed(mutant: Mutant, seed: number, invariant: InvariantId): Promise<Verdict> {
  const { violation } = await trySeeds({ mutant: mutant.id, mutated: mutatedBy(mutant), seeds: [seed] });
  if (violation === null) return missed(`survives seed ${seed}`);
  const { invariant: found, sentence } = violation;
  const caught = `${found} at ${(violation.at / 1_000).toFixed(0)} s of seed ${seed}: ${sentence.slice(0, 110)}`;
  if (found !== invariant) return missed(`${invariant} is recorded, and it was noticed by ${caught}`);
  const { broken } = await trySeeds({ mutant: mutant.id, mutated: null, seeds: [seed] });
  return broken.includes(found) ? missed(`seed ${seed} finds ${found} in the program as it is`) : noticed(caught);
}

/**
 * The first seed that breaks what it does not break in the program as it is. A program that throws is none of the
 * checks' merit.
 */
async function search(mutant: Mutant, seeds: readonly number[]): Promise<Verdict> {
  const { id } = mutant;
  const mutated = mutatedBy(mutant);
  for (let left = seeds; left.length > 0; ) {
    const { tried, seed, violation } = await trySeeds({ mutant: id, mutated, seeds: left });
    if (violation === null || seed === null) break;
    const { invariant, sentence } = violation;
    const { broken } = await trySeeds({ mutant: id, mutated: null, seeds: [seed] });
    if (invariant !== 'BUG' && !broken.includes(invariant))
      return noticed(`seed: ${seed}, invariant: '${invariant}' after ${seed + 1} seeds: ${sentence.slice(0, 200)}`);
    console.log(`  ${id}, seed ${seed}: ${invariant} does not count: ${sentence.slice(0, 200)}`);
    left = left.slice(tried);
  }
  return missed(`survives ${seeds.length} seeds`);
}

/** In how many of the seeds something breaks: a mutant that one seed in many notices is hardly watched. */
async function share(mutant: Mutant, seeds: readonly number[]): Promise<Verdict> {
  const { noticed: found } = await trySeeds({ mutant: mutant.id, mutated: mutatedBy(mutant), seeds, all: true });
  const counted = found.filter(({ invariant }) => invariant !== 'BUG');
  const first = counted.slice(0, 3).map(({ seed, invariant }) => `${invariant} in seed ${seed}`);
  const words =
    `${counted.length} of ${seeds.length} seeds notice ` + `it${first.length > 0 ? `: ${first.join(', ')} …` : ''}`;
  return counted.length > 0 ? noticed(words) : missed(words);
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

/** Seeds to try, each list empty where nothing of the kind is asked for. */
interface Asked {
  readonly searched: readonly number[];
  readonly shared: readonly number[];
}

function judge(mutant: Mutant, { searched, shared }: Asked): Promise<Verdict> {
  if (mutant.noticed.kind === 'test') return judgeByTest(mutant, mutant.noticed);
  if (shared.length > 0) return share(mutant, shared);
  return searched.length > 0 ? search(mutant, searched) : judgeBySeed(mutant, mutant.noticed);
}

function refuse(sentence: string): 64 {
  console.error(`${sentence}\n${USAGE}`);
  return 64;
}

async function main(): Promise<number> {
  const read = readArguments({
    allowPositionals: true,
    options: {
      search: { type: 'string', default: '0' },
      share: { type: 'string', default: '0' },
      part: { type: 'string' },
    },
  });
  if (!read.ok) return refuse(read.error);
  const { values, positionals } = read.value;
  const part = readPart(values.part);
  if (!part.ok) return refuse(part.error);
  const first = (count: string): number[] => Array.from({ length: Number(count) }, (_, seed) => seed);
  const asked: Asked = { searched: first(values.search), shared: first(values.share) };
  const unknown = positionals.filter((name) => MUTANTS.every(({ id }) => id !== name));
  if (unknown.length > 0) return refuse(`There is no mutant ${unknown.join(', ')}.`);
  const chosen = part.value(MUTANTS.filter(({ id }) => positionals.length === 0 || positionals.includes(id)));
  let survivors = 0;
  const tryOne = async (mutant: Mutant): Promise<void> => {
    const { isNoticed, words } = await judge(mutant, asked).catch((error: unknown) => missed(String(error)));
    console.log(`${isNoticed ? '✓' : '✗'} ${mutant.id.padEnd(5)}${mutant.sentence} — ${words}`);
    if (!isNoticed) survivors += 1;
  };
  await new PQueue({ concurrency: availableParallelism() }).addAll(chosen.map((mutant) => () => tryOne(mutant)));
  const which = chosen.length === MUTANTS.length ? 'Every mutant' : `Every one of these ${chosen.length} mutants`;
  console.log(survivors === 0 ? `✓ ${which} is noticed.` : `✗ ${survivors} mutants are not noticed.`);
  return survivors === 0 ? 0 : 1;
}

/** What makes the random ones is a large library, loaded where they are asked for. */
async function sample(args: readonly string[]): Promise<number> {
  const { sampleMutants } = await import('../mutation/sample-command.ts');
  return sampleMutants(args);
}

/** Whether random ones are asked for. */
const isAboutSample = (args: readonly string[]): boolean =>
  args.some((arg) => /^--(?:sample|again|list)(?:=|$)/.test(arg));

const ARGUMENTS = process.argv.slice(2);
process.exitCode = isAboutSample(ARGUMENTS) ? await sample(ARGUMENTS) : await main();
