// One mutant in a process of its own: it may run on without end, use up memory, or end its process.
import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { realClock } from '../../src/ports/real-clock.ts';
import type { Broken, Mutated, PlayOrder, Seeds, WorkerMessage } from './mutant-worker.ts';
import type { Outcome, PlayedMutant } from './outcome.ts';
import { type RandomMutant, spliced } from './random-mutant.ts';

/** The program as it is, on the same seeds. */
export interface Unmutated {
  readonly broken: readonly Broken[];
  /** From the root of the tree. */
  readonly loaded: ReadonlySet<string>;
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
  const { message, longestMs, words } = await inProcess({ mutated: null, seeds, except: [] }, UNMUTATED_BOUND_MS);
  if (message?.kind !== 'unmutated') throw new Error(`The program as it is can't be played: ${words}`);
  const tookMs = realClock.monotonic() - from;
  return { broken: message.broken, loaded: new Set(message.loaded), tookMs, longestMs };
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

/** Through the profiles in their order, until it comes out in one. */
export async function playThrough(mutant: RandomMutant, profiles: readonly PlayTerms[]): Promise<PlayedMutant> {
  let outcome: Outcome = { kind: 'file-not-loaded' };
  for (const terms of profiles) {
    const played = await playMutant(mutant, terms);
    if (played.kind !== 'not-noticed' && played.kind !== 'file-not-loaded')
      return { mutant, outcome: played, profile: terms.seeds.profile };
    if (played.kind === 'not-noticed') outcome = played;
  }
  return { mutant, outcome, profile: null };
}

export async function playMutant(mutant: RandomMutant, terms: PlayTerms): Promise<Outcome> {
  const { seeds, unmutated } = terms;
  if (!unmutated.loaded.has(mutant.file)) return { kind: 'file-not-loaded' };
  const ended = await inProcess({ mutated: inFile(mutant), seeds, except: unmutated.broken }, terms.boundMs);
  if (ended.message?.kind === 'ended') return ended.message.outcome;
  if (ended.isTimedOut) return { kind: 'hang', seed: ended.seed };
  return { kind: 'threw', seed: ended.seed, words: ended.words };
}
