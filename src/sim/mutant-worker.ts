// Runs seeds on a program with one mutant in it: patches the sources as they are loaded, in a process of its own.
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InvariantId, Violation } from './invariants.ts';
import { MUTANTS, patched } from './mutants.ts';

interface Order {
  readonly mutant: string;
  /** Whether the mutant is in the program; otherwise the same runs show what the program does without it. */
  readonly isIn: boolean;
  readonly seeds: readonly number[];
  readonly hours: number;
}

export interface MutantResult {
  readonly tried: number;
  readonly seed: number | null;
  readonly violation: Violation | null;
  /** All invariants that the run broke; with the mutant in, it ends at the first. */
  readonly broken: readonly InvariantId[];
}

const ROOT = path.resolve(import.meta.dirname, '../..');

function mutate(id: string): void {
  const mutant = MUTANTS.find((each) => each.id === id);
  if (mutant === undefined) throw new Error(`There is no mutant ${id}.`);
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      const file = url.startsWith('file:') ? path.relative(ROOT, fileURLToPath(url)) : '';
      const patches = mutant.patches.filter((patch) => patch.file === file);
      if (patches.length === 0 || loaded.source === undefined || loaded.source === null) return loaded;
      let source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source);
      for (const patch of patches) {
        const next = patched(source, patch);
        if (next === null) throw new Error(`The patch of ${id} no longer fits ${file}: ${patch.from}`);
        source = next;
      }
      return { ...loaded, source };
    },
  });
}

async function run({ mutant, isIn, seeds, hours }: Order): Promise<MutantResult> {
  if (isIn) mutate(mutant);
  const { drawPlan } = await import('./plan.ts');
  const { simulate } = await import('./simulate.ts');
  const found = MUTANTS.find(({ id }) => id === mutant);
  let tried = 0;
  for (const seed of seeds) {
    tried += 1;
    const plan = drawPlan(String(seed), {
      hours,
      faults: found?.under ?? [],
      ...(found?.quirks ? { quirks: found.quirks } : {}),
    });
    const { violations } = await simulate(plan, { stopAtFirst: isIn });
    const [violation] = violations;
    if (violation) return { tried, seed, violation, broken: violations.map(({ invariant }) => invariant) };
  }
  return { tried, seed: null, violation: null, broken: [] };
}

process.on('message', (order: Order) => {
  void run(order).then((result) => {
    process.send?.(result);
    process.disconnect();
  });
});
