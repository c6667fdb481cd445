// Plays seeds on a program with one random mutant in it, or with none, in a process of its own. Nothing of the program
// may be imported before the hook is there.
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InvariantId } from '../checks/invariants.ts';
import type { ProfileName } from '../profile/profile.ts';
import type { Outcome } from './outcome.ts';

export interface Seeds {
  readonly from: number;
  readonly to: number;
  readonly hours: number;
  readonly profile: ProfileName;
}

export interface Broken {
  readonly seed: number;
  readonly invariant: InvariantId;
}

/** A file with the mutant in it. */
export interface Mutated {
  /** From the root of the tree. */
  readonly file: string;
  readonly source: string;
}

export interface PlayOrder {
  /** Null: the program as it is, every seed to its end. */
  readonly mutated: Mutated | null;
  readonly seeds: Seeds;
  /** What breaks without the mutant as well, and does not count. */
  readonly except: readonly Broken[];
}

export type WorkerMessage =
  | { readonly kind: 'playing'; readonly seed: number }
  | { readonly kind: 'ended'; readonly outcome: Outcome }
  | { readonly kind: 'unmutated'; readonly broken: readonly Broken[]; readonly loaded: readonly string[] };

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

async function play(order: PlayOrder): Promise<WorkerMessage> {
  watchLoads(order.mutated);
  try {
    await import('../machine/simulate.ts');
  } catch (error) {
    return { kind: 'ended', outcome: { kind: 'does-not-load', words: String(error) } };
  }
  return order.mutated === null ? playUnmutated(order.seeds) : playMutated(order);
}

async function violationsOf({ hours, profile }: Seeds, seed: number, stopAtFirst: boolean) {
  tell({ kind: 'playing', seed });
  const { drawPlan } = await import('../plan/plan.ts');
  const { simulate } = await import('../machine/simulate.ts');
  return (await simulate(drawPlan(String(seed), { hours, profile }), { stopAtFirst })).violations;
}

async function playUnmutated(seeds: Seeds): Promise<WorkerMessage> {
  const broken: Broken[] = [];
  for (let seed = seeds.from; seed <= seeds.to; seed += 1) {
    for (const { invariant } of await violationsOf(seeds, seed, false)) broken.push({ seed, invariant });
  }
  return { kind: 'unmutated', broken, loaded: [...loaded] };
}

async function playMutated({ seeds, except }: PlayOrder): Promise<WorkerMessage> {
  for (let seed = seeds.from; seed <= seeds.to; seed += 1) {
    const outcome = await outcomeOf(seeds, seed, except).catch(
      (error: unknown): Outcome => ({ kind: 'threw', seed, words: String(error) }),
    );
    if (outcome !== null) return { kind: 'ended', outcome };
  }
  return { kind: 'ended', outcome: { kind: 'not-noticed' } };
}

async function outcomeOf(seeds: Seeds, seed: number, except: readonly Broken[]): Promise<Outcome | null> {
  const [violation] = await violationsOf(seeds, seed, true);
  if (violation === undefined) return null;
  const { invariant, sentence } = violation;
  if (except.some((each) => each.seed === seed && each.invariant === invariant)) return null;
  if (invariant === 'BUG') return { kind: 'threw', seed, words: sentence };
  return { kind: 'noticed', seed, invariant, sentence };
}

// Without a parent nobody takes what comes of it.
process.on('disconnect', () => process.exit());
process.on('message', (order: PlayOrder) => {
  void play(order).then((message) => {
    tell(message);
    process.disconnect();
  });
});
