// `npm run sim:mutants -- --sample N --seed S`: so many random mutants, each on its own, on the simulator's first seeds
// until one notices it. With `--again FILE` those of an earlier file that nothing noticed. Exit code 0 whatever comes
// of it: a random mutant may change nothing that matters. 64 where the command can't be read.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fail, ok, type Result } from '../../domain/result.ts';
import { readArguments, readProfile, readSeeds } from '../arguments.ts';
import { MOST_HOURS } from '../plan.ts';
import { programCommit } from '../program-commit.ts';
import { drawSample, findAllAgain } from './choose-mutants.ts';
import { listMutants } from './list-mutants.ts';
import type { Seeds } from './mutant-worker.ts';
import { lineOf, type OutcomeKind, type PlayedMutant } from './outcome.ts';
import { outcomeTables } from './outcome-table.ts';
import { boundMs, type PlayTerms, playMutant, playUnmutated } from './play-mutant.ts';
import type { RandomMutant } from './random-mutant.ts';
import { readSample, writeSample } from './sample-file.ts';

const USAGE =
  'npm run sim:mutants -- (--sample N [--seed S] | --again FILE) [--seeds FROM..TO] [--hours H] ' +
  '[--profile tight] [--workers N] [--json FILE]';
const UNNOTICED: ReadonlySet<string> = new Set<OutcomeKind>(['not-noticed']);
const ROOT = path.resolve(import.meta.dirname, '../../..');

interface Command {
  readonly chosen:
    | { readonly kind: 'sample'; readonly count: number; readonly seed: string }
    | { readonly kind: 'again'; readonly file: string; readonly mutants: readonly RandomMutant[] };
  readonly seeds: Seeds;
  readonly workers: number;
  readonly json: string | null;
}

export function readCommand(args: readonly string[]): Result<Command, string> {
  const read = readArguments({
    args: [...args],
    options: {
      sample: { type: 'string' },
      seed: { type: 'string', default: '0' },
      again: { type: 'string' },
      seeds: { type: 'string', default: '0..19' },
      hours: { type: 'string', default: '0.5' },
      profile: { type: 'string', default: 'default' },
      workers: { type: 'string', default: '1' },
      json: { type: 'string' },
    },
  });
  if (!read.ok) return read;
  const { values } = read.value;
  const range = readSeeds(values.seeds);
  if (!range.ok) return range;
  const profile = readProfile(values.profile);
  if (!profile.ok) return profile;
  const [hours, workers] = [Number(values.hours), Number(values.workers)];
  if (!(hours > 0 && hours <= MOST_HOURS))
    return fail(`--hours ${values.hours}: a number above 0, at most ${MOST_HOURS}.`);
  if (!isCount(workers)) return fail(`--workers ${values.workers}: a whole number above 0.`);
  const chosen = readChosen(values);
  if (!chosen.ok) return chosen;
  const seeds: Seeds = { ...range.value, hours, profile: profile.value };
  return ok({ chosen: chosen.value, seeds, workers, json: values.json ?? null });
}

const isCount = (value: number): boolean => Number.isInteger(value) && value > 0;

interface Choice {
  readonly sample?: string | undefined;
  readonly again?: string | undefined;
  readonly seed: string;
}

function readChosen({ sample, again, seed }: Choice): Result<Command['chosen'], string> {
  if (sample !== undefined && again !== undefined) return fail('--sample and --again: one of both.');
  if (again !== undefined) {
    const mutants = readSample(again, UNNOTICED);
    return mutants.ok ? ok({ kind: 'again', file: again, mutants: mutants.value }) : mutants;
  }
  const count = Number(sample);
  return isCount(count)
    ? ok({ kind: 'sample', count, seed })
    : fail(`--sample ${sample ?? ''}: a whole number above 0.`);
}

function choose({ chosen }: Command, listed: readonly RandomMutant[]): RandomMutant[] {
  if (chosen.kind === 'sample') return drawSample(listed, chosen.count, chosen.seed);
  return findAllAgain(listed, chosen.mutants, console.log);
}

async function playAll(command: Command, chosen: readonly RandomMutant[], terms: PlayTerms): Promise<void> {
  const played: PlayedMutant[] = [];
  const { seeds, json } = command;
  const { kind } = command.chosen;
  const asked = kind === 'again' ? command.chosen.file : `${command.chosen.count} by seed ${command.chosen.seed}`;
  const commit = programCommit();
  // After each: what an interrupted run has found is kept. Before the first: where it can't be written is told at once.
  const keep = (): void => {
    if (json !== null) writeSample(json, { commit, seeds, asked: `${kind} ${asked}`, played });
  };
  keep();
  const left = [...chosen];
  const work = async (): Promise<void> => {
    for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
      const each = { mutant, outcome: await playMutant(mutant, terms) };
      played.push(each);
      console.log(lineOf(each));
      keep();
    }
  };
  await Promise.all(Array.from({ length: command.workers }, work));
  for (const line of ['', ...outcomeTables(played)]) console.log(line);
}

export async function sampleMutants(args: readonly string[]): Promise<number> {
  const command = readCommand(args);
  if (!command.ok) {
    console.error(`${command.error}\n${USAGE}`);
    return 64;
  }
  const { seeds, json } = command.value;
  if (json !== null) mkdirSync(path.dirname(json), { recursive: true });
  const listed = await listMutants(ROOT);
  const chosen = choose(command.value, listed);
  const unmutated = await playUnmutated(seeds);
  const [took, bound] = [unmutated.tookMs, boundMs(unmutated)].map((ms) => (ms / 1_000).toFixed(0));
  console.log(
    `${chosen.length} of ${listed.length} mutants of ${programCommit()}, seeds ${seeds.from}..${seeds.to}, ` +
      `${seeds.hours} h each (${seeds.profile}); without one all take ${took} s, with one each may take ${bound} s.`,
  );
  for (const { seed, invariant } of unmutated.broken) {
    console.log(`! Seed ${seed} breaks ${invariant} in the program as it is: that does not count.`);
  }
  await playAll(command.value, chosen, { seeds, unmutated, boundMs: boundMs(unmutated) });
  return 0;
}
