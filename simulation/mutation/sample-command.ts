// `npm run sim:mutants -- --sample N --seed S`: so many random mutants, each on its own, on the simulator's first seeds
// until one notices it, in one profile after the other. With `--again FILE` those of an earlier file that nothing
// noticed, with `--list FILE` those that somebody wrote down. Exit code 0 whatever comes of it: a random mutant may
// change nothing that matters. 64 where the command can't be read.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fail, ok, type Result } from '../../src/domain/result.ts';
import { programCommit } from '../machine/program-commit.ts';
import { readArguments, readProfiles, readSeeds } from '../plan/arguments.ts';
import { MOST_HOURS } from '../plan/plan.ts';
import type { ProfileName } from '../profile/profile.ts';
import { askedFor, CHOSEN_USAGE, type Chosen, choose, readChosen } from './chosen.ts';
import { listMutants } from './list-mutants.ts';
import type { Seeds } from './mutant-worker.ts';
import { lineOf, type PlayedMutant, UNNOTICED } from './outcome.ts';
import { outcomeTables } from './outcome-table.ts';
import { boundMs, type PlayTerms, playThrough, playUnmutated } from './play-mutant.ts';
import type { RandomMutant } from './random-mutant.ts';
import { writeSample } from './sample-file.ts';

const USAGE =
  `npm run sim:mutants -- ${CHOSEN_USAGE} [--seeds FROM..TO] [--hours H] ` +
  '[--profiles default,tight] [--workers N] [--json FILE]';
const ROOT = path.resolve(import.meta.dirname, '../..');

interface Command {
  readonly chosen: Chosen;
  /** Of each profile. */
  readonly seeds: Omit<Seeds, 'profile'>;
  readonly profiles: readonly ProfileName[];
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
      list: { type: 'string' },
      seeds: { type: 'string', default: '0..19' },
      hours: { type: 'string', default: '0.5' },
      profiles: { type: 'string', default: 'default' },
      workers: { type: 'string', default: '1' },
      json: { type: 'string' },
    },
  });
  if (!read.ok) return read;
  const { values } = read.value;
  const range = readSeeds(values.seeds);
  if (!range.ok) return range;
  const profiles = readProfiles(values.profiles);
  if (!profiles.ok) return profiles;
  const [hours, workers] = [Number(values.hours), Number(values.workers)];
  if (!(hours > 0 && hours <= MOST_HOURS))
    return fail(`--hours ${values.hours}: a number above 0, at most ${MOST_HOURS}.`);
  if (!isCount(workers)) return fail(`--workers ${values.workers}: a whole number above 0.`);
  const chosen = readChosen(values, { root: ROOT, unnoticed: UNNOTICED });
  if (!chosen.ok) return chosen;
  const seeds = { ...range.value, hours };
  return ok({ chosen: chosen.value, seeds, profiles: profiles.value, workers, json: values.json ?? null });
}

const isCount = (value: number): boolean => Number.isInteger(value) && value > 0;

async function playAll(
  { chosen, seeds, profiles, workers, json }: Command,
  mutants: readonly RandomMutant[],
  terms: readonly PlayTerms[],
): Promise<void> {
  const played: PlayedMutant[] = [];
  const [commit, asked] = [programCommit(), askedFor(chosen)];
  // After each: what an interrupted run has found is kept. Before the first: where it can't be written is told at once.
  const keep = (): void => {
    if (json !== null) writeSample(json, { commit, seeds: { ...seeds, profiles }, asked, played });
  };
  keep();
  const left = [...mutants];
  const work = async (): Promise<void> => {
    for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
      const each = await playThrough(mutant, terms);
      played.push(each);
      console.log(lineOf(each));
      keep();
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  for (const line of ['', ...outcomeTables(played)]) console.log(line);
}

/** The program as it is, in one profile. */
async function termsOf(seeds: Seeds): Promise<PlayTerms> {
  const unmutated = await playUnmutated(seeds);
  const terms = { seeds, unmutated, boundMs: boundMs(unmutated) };
  const [took, bound] = [unmutated.tookMs, terms.boundMs].map((ms) => (ms / 1_000).toFixed(0));
  console.log(
    `Seeds ${seeds.from}..${seeds.to} of ${seeds.profile}, ${seeds.hours} h each: ` +
      `without a mutant all take ${took} s, with one each may take ${bound} s.`,
  );
  for (const { seed, broken } of unmutated.played) {
    if (broken.length > 0)
      console.log(`! Seed ${seed} breaks ${broken.join(', ')} in the program as it is: that does not count.`);
  }
  return terms;
}

export async function sampleMutants(args: readonly string[]): Promise<number> {
  const command = readCommand(args);
  if (!command.ok) {
    console.error(`${command.error}\n${USAGE}`);
    return 64;
  }
  const { chosen, seeds, profiles, json } = command.value;
  if (json !== null) mkdirSync(path.dirname(json), { recursive: true });
  const listed = await listMutants(ROOT);
  const mutants = choose(chosen, listed, { root: ROOT, say: console.log });
  console.log(`${mutants.length} mutants (${askedFor(chosen)}) of ${programCommit()}, which has ${listed.length}.`);
  const terms: PlayTerms[] = [];
  for (const profile of profiles) terms.push(await termsOf({ ...seeds, profile }));
  await playAll(command.value, mutants, terms);
  return 0;
}
