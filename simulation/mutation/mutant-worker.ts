// Plays seeds on a program with one random mutant in it, or with none, in a process of its own. Nothing of the program
// may be imported before the hook is there.
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InvariantId } from '../checks/invariants.ts';
import type { SimulationResult } from '../machine/simulate.ts';
import type { ProfileName } from '../profile/profile.ts';
import { type Ran, startCoverage } from './coverage.ts';
import { MUTATED_FOLDERS } from './mutated-folders.ts';
import type { Outcome } from './outcome.ts';

export interface Seeds {
  readonly from: number;
  readonly to: number;
  readonly hours: number;
  readonly profile: ProfileName;
}

/** A file with the mutant in it. */
export interface Mutated {
  /** From the root of the tree. */
  readonly file: string;
  readonly source: string;
}

/** A seed of the program as it is. */
export interface PlayedSeed {
  readonly seed: number;
  /** What breaks without a mutant as well, and does not count. */
  readonly broken: readonly InvariantId[];
  readonly traceHash: string;
  /** Which places of the mutated folders it ran. */
  readonly ran: Ran;
}

/** Without the places. */
export type ExpectedSeed = Omit<PlayedSeed, 'ran'>;

export interface PlayOrder {
  readonly seeds: Seeds;
  /** Null: the program as it is, every seed to its end. */
  readonly mutant: { readonly mutated: Mutated; readonly expected: readonly ExpectedSeed[] } | null;
}

export type WorkerMessage =
  | { readonly kind: 'playing'; readonly seed: number }
  | { readonly kind: 'ended'; readonly outcome: Outcome }
  | {
      readonly kind: 'unmutated';
      readonly played: readonly PlayedSeed[];
      readonly loaded: readonly string[];
      /** What ran as the sources were loaded. */
      readonly ranAtLoad: Ran;
    };

const ROOT = path.resolve(import.meta.dirname, '../..');
const loaded = new Set<string>();

function watchLoads(mutated: Mutated | null): void {
  registerHooks({
    load(url, context, nextLoad) {
      const result = nextLoad(url, context);
      if (!url.startsWith('file:')) return result;
      const file = path.relative(ROOT, fileURLToPath(url)).split(path.sep).join('/');
      loaded.add(file);
      return file === mutated?.file ? { ...result, source: mutated.source } : result;
    },
  });
}

const tell = (message: WorkerMessage): void => {
  process.send?.(message);
};

async function play({ seeds, mutant }: PlayOrder): Promise<WorkerMessage> {
  watchLoads(mutant?.mutated ?? null);
  return mutant === null ? playUnmutated(seeds) : playMutated(seeds, mutant.expected);
}

async function resultOf({ hours, profile }: Seeds, seed: number, stopAtFirst: boolean): Promise<SimulationResult> {
  tell({ kind: 'playing', seed });
  const { drawPlan } = await import('../plan/plan.ts');
  const { simulate } = await import('../machine/simulate.ts');
  return simulate(drawPlan(String(seed), { hours, profile }), { stopAtFirst });
}

async function playUnmutated(seeds: Seeds): Promise<WorkerMessage> {
  const coverage = await startCoverage(ROOT, isMutated);
  await import('../machine/simulate.ts');
  const ranAtLoad = await coverage.take();
  const played: PlayedSeed[] = [];
  for (let seed = seeds.from; seed <= seeds.to; seed += 1) {
    const { violations, traceHash } = await resultOf(seeds, seed, false);
    const broken = violations.map(({ invariant }) => invariant);
    played.push({ seed, broken, traceHash, ran: await coverage.take() });
  }
  coverage.end();
  return { kind: 'unmutated', played, loaded: [...loaded], ranAtLoad };
}

const isMutated = (file: string): boolean => MUTATED_FOLDERS.some((folder) => file.startsWith(`${folder}/`));

async function playMutated(seeds: Seeds, expected: readonly ExpectedSeed[]): Promise<WorkerMessage> {
  try {
    await import('../machine/simulate.ts');
  } catch (error) {
    return { kind: 'ended', outcome: { kind: 'does-not-load', words: String(error) } };
  }
  let outcome: Outcome = { kind: 'nothing-changed' };
  for (const each of expected) {
    const { seed } = each;
    const now = await outcomeOf(seeds, each).catch(
      (error: unknown): Outcome => ({ kind: 'threw', seed, words: String(error) }),
    );
    if (now.kind !== 'nothing-changed' && now.kind !== 'not-noticed') return { kind: 'ended', outcome: now };
    if (outcome.kind === 'nothing-changed') outcome = now;
  }
  return { kind: 'ended', outcome };
}

async function outcomeOf(seeds: Seeds, { seed, broken, traceHash }: ExpectedSeed): Promise<Outcome> {
  const { violations, traceHash: trace } = await resultOf(seeds, seed, broken.length === 0);
  const violation = violations.find(({ invariant }) => !broken.includes(invariant));
  if (violation === undefined) return trace === traceHash ? { kind: 'nothing-changed' } : { kind: 'not-noticed', seed };
  const { invariant, sentence } = violation;
  if (invariant === 'BUG') return { kind: 'threw', seed, words: sentence };
  return { kind: 'noticed', seed, invariant, sentence };
}

// Without a parent nobody takes what comes of it.
process.on('disconnect', () => process.exit());
process.on('message', (order: PlayOrder) => {
  // What seeds ran are megabytes: the process must not end before they have left.
  void play(order).then((message) => process.send?.(message, () => process.disconnect()));
});
