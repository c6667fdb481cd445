// Plays seeds on a program with one mutant, in a process of its own: its sources are replaced as they are loaded.
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InvariantId, Violation } from '../checks/invariants.ts';
import type { Mutant } from './mutant.ts';
import { MUTANTS } from './mutants.ts';

export interface SeedOrder {
  readonly mutant: Mutant['id'];
  /** The mutated files; null: the same runs on the unchanged program. */
  readonly patched: readonly (readonly [file: string, source: string])[] | null;
  /** Stops after the first violation. */
  readonly seeds: readonly number[];
  readonly hours: number;
}

export interface SeedResult {
  readonly seed: number | null;
  readonly violation: Violation | null;
  /** All invariants that the run broke; with the mutant, it ends at the first. */
  readonly broken: readonly InvariantId[];
}

const ROOT = path.resolve(import.meta.dirname, '../..');

function patch(sources: ReadonlyMap<string, string>): void {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.startsWith('file:')) return loaded;
      const source = sources.get(path.relative(ROOT, fileURLToPath(url)).split(path.sep).join('/'));
      return source === undefined ? loaded : { ...loaded, source };
    },
  });
}

/**
 * Checks on the bot's state, or on its evidence, detect most mutants first. Each group runs only for its own mutants:
 * a mutant of another invariant must be detected in the bot's actions.
 */
const FIRST_TO_SEE: readonly (readonly InvariantId[])[] = [['B1'], ['E1', 'E2', 'E3', 'E4', 'E5']];

async function run(mutant: Mutant, { patched, seeds, hours }: SeedOrder): Promise<SeedResult> {
  const { drawPlan } = await import('../plan/plan.ts');
  const { simulate } = await import('../machine/simulate.ts');
  const { under, invariant, profile = 'default' } = mutant;
  const own = FIRST_TO_SEE.find((group) => group.includes(invariant)) ?? [];
  const unasked = FIRST_TO_SEE.flat().filter((each) => !own.includes(each));
  for (const seed of seeds) {
    const plan = drawPlan(String(seed), { profile, hours, ...(under && { faults: under }) });
    const { violations } = await simulate(plan, { stopAtFirst: patched !== null, unasked });
    const [violation] = violations;
    if (violation) return { seed, violation, broken: violations.map((each) => each.invariant) };
  }
  return { seed: null, violation: null, broken: [] };
}

process.on('message', (order: SeedOrder) => {
  const mutant = MUTANTS.find(({ id }) => id === order.mutant);
  if (mutant === undefined) throw new Error(`There is no mutant ${order.mutant}.`);
  if (order.patched) patch(new Map(order.patched));
  void run(mutant, order).then((result) => {
    process.send?.(result);
    process.disconnect();
  });
});
