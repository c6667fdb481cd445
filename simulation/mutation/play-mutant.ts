// One mutant in a process of its own: it may run on without end, use up memory, or end its process.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { realClock } from '../../src/ports/real-clock.ts';
import type { Ran } from './coverage.ts';
import type { Mutated, PlayedSeed, PlayOrder, Seeds, WorkerMessage } from './mutant-worker.ts';
import { type Outcome, type PlayedMutant, UNNOTICED } from './outcome.ts';
import { type RandomMutant, spliced } from './random-mutant.ts';
import { hasRun } from './stretches.ts';

/** The program as it is, on the same seeds. */
export interface Unmutated {
  readonly played: readonly PlayedSeed[];
  /** From the root of the tree. */
  readonly loaded: ReadonlySet<string>;
  readonly ranAtLoad: Ran;
  readonly tookMs: number;
  /** The slowest seed. */
  readonly longestMs: number;
}

/** A mutant in which one seed takes so many times as long as the slowest without it hangs. */
const SLOWEST = 4;
/** A busy machine may take so long for a seed: 30 s once were too few, and a changed word counted as a hang. */
const LEAST_BOUND_MS = 120_000;
/** A seed of thirty sparse days takes minutes. */
const UNMUTATED_BOUND_MS = 3_600_000;
const ROOT = path.resolve(import.meta.dirname, '../..');
const MEMORY_MB = 2_048;
const LONGEST_WORDS = 2_000;

export const boundMs = ({ longestMs }: Unmutated): number => Math.max(LEAST_BOUND_MS, Math.ceil(SLOWEST * longestMs));

interface Ended {
  readonly message: WorkerMessage | null;
  readonly seed: number | null;
  readonly isTimedOut: boolean;
  readonly longestMs: number;
  readonly words: string;
}

/** `bound`: in milliseconds, for each seed. */
function inProcess(order: PlayOrder, bound: number): Promise<Ended> {
  return new Promise((resolve) => {
    const child = fork(path.join(import.meta.dirname, 'mutant-worker.ts'), {
      silent: true,
      execArgv: [...process.execArgv, `--max-old-space-size=${MEMORY_MB}`],
    });
    // style-allow timers: a process that runs on without end is ended in real time, and simulates nothing
    const ending = setTimeout(() => child.kill('SIGKILL'), bound);
    let message: WorkerMessage | null = null;
    let seed: number | null = null;
    let said = '';
    let since = realClock.monotonic();
    let longestMs = 0;
    child.stdout?.resume();
    child.stderr?.on('data', (data: Buffer) => {
      said = `${said}${data.toString()}`.slice(-LONGEST_WORDS);
    });
    child.on('message', (each: WorkerMessage) => {
      ending.refresh();
      if (seed !== null) longestMs = Math.max(longestMs, realClock.monotonic() - since);
      since = realClock.monotonic();
      if (each.kind === 'playing') seed = each.seed;
      else message = each;
    });
    child.on('close', (code, signal) => {
      clearTimeout(ending);
      const words = `the process ended with ${signal ?? `code ${code}`}: ${errorIn(said)}`;
      resolve({ message, seed, isTimedOut: child.killed && signal === 'SIGKILL', longestMs, words });
    });
    child.send(order);
  });
}

/** The line that names an error, in what Node prints of one that nobody caught. */
const errorIn = (said: string): string =>
  said.split('\n').find((line) => /^\w*(?:Error|FATAL)\b/.test(line)) ?? said.trim().slice(-200);

export async function playUnmutated(seeds: Seeds): Promise<Unmutated> {
  const from = realClock.monotonic();
  const { message, longestMs, words } = await inProcess({ seeds, mutant: null }, UNMUTATED_BOUND_MS);
  if (message?.kind !== 'unmutated') throw new Error(`The program as it is can't be played: ${words}`);
  const tookMs = realClock.monotonic() - from;
  const { played, loaded, ranAtLoad } = message;
  return { played, loaded: new Set(loaded), ranAtLoad, tookMs, longestMs };
}

function inFile(mutant: RandomMutant): Mutated {
  const { file, line } = mutant;
  const source = spliced(readFileSync(path.join(ROOT, file), 'utf8'), mutant);
  if (source === null)
    throw new Error(`${file}:${line} is no longer what the mutant was made of: was the file edited?`);
  return { file, source };
}

export interface PlayTerms {
  readonly seeds: Seeds;
  readonly unmutated: Unmutated;
  /** What one seed may take. */
  readonly boundMs: number;
}

/** Through the profiles in their order, until it comes out in one; else what more came of. */
export async function playThrough(mutant: RandomMutant, profiles: readonly PlayTerms[]): Promise<PlayedMutant> {
  const unnoticed: Outcome[] = [];
  for (const terms of profiles) {
    const outcome = await playMutant(mutant, terms);
    if (outcome.kind !== 'file-not-loaded' && !UNNOTICED.has(outcome.kind))
      return { mutant, outcome, profile: terms.seeds.profile };
    unnoticed.push(outcome);
  }
  const most = [...UNNOTICED].map((kind) => unnoticed.find((each) => each.kind === kind)).find(Boolean);
  return { mutant, outcome: most ?? { kind: 'file-not-loaded' }, profile: null };
}

/** What a seed runs; a place that ran as its source was loaded may count in each of them. */
const runs = ({ file, start }: RandomMutant, ran: Ran): boolean => hasRun(ran[file] ?? [], start, false);

export async function playMutant(mutant: RandomMutant, terms: PlayTerms): Promise<Outcome> {
  const { seeds, unmutated } = terms;
  if (!unmutated.loaded.has(mutant.file)) return { kind: 'file-not-loaded' };
  const isOfAll = runs(mutant, unmutated.ranAtLoad);
  const expected = unmutated.played.filter(({ ran }) => isOfAll || runs(mutant, ran));
  if (expected.length === 0) return { kind: 'not-run' };
  const withoutPlaces = expected.map(({ ran: _ran, ...each }) => each);
  const order: PlayOrder = { seeds, mutant: { mutated: inFile(mutant), expected: withoutPlaces } };
  const ended = await inProcess(order, terms.boundMs);
  if (ended.message?.kind === 'ended') return ended.message.outcome;
  if (ended.isTimedOut) return { kind: 'hang', seed: ended.seed };
  return { kind: 'threw', seed: ended.seed, words: ended.words };
}
