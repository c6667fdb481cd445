// `npm run sim:mutants [-- m1 m7]`: checks that each mutant's recorded seed detects it, by the recorded invariant, and
// finds nothing in the unchanged program. With `--search N`, tries seeds from 0 on until one breaks an invariant;
// record both then. With `--part 2/3`, every third from the second on. Exit code 1 if one is not detected.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import PQueue from 'p-queue';
import { readArguments, readPart } from '../plan/arguments.ts';
import type { Mutant } from './mutant.ts';
import type { SeedOrder, SeedResult } from './mutant-worker.ts';
import { MUTANTS } from './mutants.ts';
import { patchedSources, programSources } from './patched-sources.ts';

const USAGE = 'npm run sim:mutants -- [--search N] [--part K/N] [m1 m7 …]';
const HOURS = 0.5;
const ROOT = path.resolve(import.meta.dirname, '../..');

interface Verdict {
  readonly isNoticed: boolean;
  readonly words: string;
}

const missed = (words: string): Verdict => ({ isNoticed: false, words });

/** Without the mutant if `as` is `written`. */
function trySeeds({ id, patches }: Mutant, seeds: readonly number[], as: 'mutated' | 'written'): Promise<SeedResult> {
  const patched = as === 'mutated' ? [...patchedSources(programSources(ROOT), { id, patches })] : null;
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
    child.send({ mutant: id, patched, seeds, hours: HOURS } satisfies SeedOrder);
  });
}

const from = (first: number, count: number): number[] => Array.from({ length: count }, (_, index) => first + index);

async function judge(mutant: Mutant, searched: number): Promise<Verdict> {
  const seeds = searched > 0 ? from(0, searched) : from(mutant.seed, mutant.tries ?? 1);
  const { seed, violation } = await trySeeds(mutant, seeds, 'mutated');
  if (seed === null || violation === null) return missed(`survives seed ${seeds.join(', ')}`);
  const { invariant, sentence, at } = violation;
  const caught = `${invariant} at ${(at / 1_000).toFixed(0)} s of seed ${seed}: ${sentence.slice(0, 110)}`;
  if (searched === 0 && invariant !== mutant.invariant)
    return missed(`${mutant.invariant} is recorded, and it was noticed by ${caught}`);
  const { broken } = await trySeeds(mutant, [seed], 'written');
  if (broken.includes(invariant)) return missed(`seed ${seed} finds ${invariant} in the program as it is`);
  return { isNoticed: true, words: caught };
}

function refuse(sentence: string): 64 {
  console.error(`${sentence}\n${USAGE}`);
  return 64;
}

async function main(): Promise<number> {
  const options = { search: { type: 'string', default: '0' }, part: { type: 'string' } } as const;
  const read = readArguments({ allowPositionals: true, options });
  if (!read.ok) return refuse(read.error);
  const { values, positionals } = read.value;
  const part = readPart(values.part);
  if (!part.ok) return refuse(part.error);
  const unknown = positionals.filter((name) => MUTANTS.every(({ id }) => id !== name));
  if (unknown.length > 0) return refuse(`There is no mutant ${unknown.join(', ')}.`);
  const chosen = part.value(MUTANTS.filter(({ id }) => positionals.length === 0 || positionals.includes(id)));
  let survivors = 0;
  const tryOne = async (mutant: Mutant): Promise<void> => {
    const tried = judge(mutant, Number(values.search));
    const { isNoticed, words } = await tried.catch((error: unknown) => missed(String(error)));
    console.log(`${isNoticed ? '✓' : '✗'} ${mutant.id.padEnd(4)} ${mutant.sentence} — ${words}`);
    if (!isNoticed) survivors += 1;
  };
  await new PQueue({ concurrency: availableParallelism() }).addAll(chosen.map((mutant) => () => tryOne(mutant)));
  console.log(survivors === 0 ? `✓ All ${chosen.length} are noticed.` : `✗ ${survivors} mutants are not noticed.`);
  return survivors === 0 ? 0 : 1;
}

process.exitCode = await main();
