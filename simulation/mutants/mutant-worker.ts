// Runs seeds on a program with one mutant in it, in a process of its own: its sources are replaced as they are loaded.
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { InvariantId, Violation } from '../checks/invariants.ts';
import type { Mutated } from '../patching/patch-sources.ts';
import type { BySeed, MutantId } from './mutant-row.ts';
import { MUTANTS } from './mutants.ts';

export interface SeedOrder {
  readonly mutant: MutantId;
  /** The files with the mutant in them; null: the same runs show what the program does without it. */
  readonly mutated: readonly Mutated[] | null;
  readonly seeds: readonly number[];
  readonly hours: number;
  /** Whether every seed is played; otherwise the first that breaks something is the last. */
  readonly all: boolean;
}

export interface SeedResult {
  readonly tried: number;
  readonly seed: number | null;
  readonly violation: Violation | null;
  /** All invariants that the run broke; with the mutant in, it ends at the first. */
  readonly broken: readonly InvariantId[];
  /** Every seed that broke something, with what broke first. */
  readonly noticed: readonly { readonly seed: number; readonly invariant: InvariantId }[];
}

const ROOT = path.resolve(import.meta.dirname, '../..');

function mutate(mutated: readonly Mutated[]): void {
  const sources = new Map(mutated.map(({ file, source }) => [file, source]));
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
 * What looks into the bot, or at what it concludes from, is the first to see most mutants, and is asked of its own
 * alone: what shows in what the bot does must go on showing there.
 */
const FIRST_TO_SEE: readonly (readonly InvariantId[])[] = [
  ['B1'],
  ['E1', 'E2', 'E3', 'E4', 'E5'],
  ['B2', 'K11', 'K12', 'K13', 'P6', 'W1', 'W2'],
];

async function run(
  { profile, under, quirks, invariant }: BySeed,
  { mutated, seeds, hours, all }: SeedOrder,
): Promise<SeedResult> {
  const { drawPlan } = await import('../plan/plan.ts');
  const { simulate } = await import('../machine/simulate.ts');
  const noticed: { seed: number; invariant: InvariantId }[] = [];
  let first: Omit<SeedResult, 'tried' | 'noticed'> = { seed: null, violation: null, broken: [] };
  let tried = 0;
  const own = FIRST_TO_SEE.find((group) => group.includes(invariant)) ?? [];
  const unasked = FIRST_TO_SEE.flat().filter((each) => !own.includes(each));
  for (const seed of seeds) {
    tried += 1;
    const plan = drawPlan(String(seed), { profile, hours, quirks, learned: false, ...(under && { faults: under }) });
    const { violations } = await simulate(plan, { stopAtFirst: mutated !== null, unasked });
    const [violation] = violations;
    if (!violation) continue;
    noticed.push({ seed, invariant: violation.invariant });
    if (first.violation === null) first = { seed, violation, broken: violations.map(({ invariant }) => invariant) };
    if (!all) break;
  }
  return { tried, ...first, noticed };
}

process.on('message', (order: SeedOrder) => {
  const mutant = MUTANTS.find(({ id }) => id === order.mutant);
  if (mutant?.noticed.kind !== 'seed') throw new Error(`No seed is to notice ${order.mutant}.`);
  if (order.mutated) mutate(order.mutated);
  void run(mutant.noticed, order).then((result) => {
    process.send?.(result);
    process.disconnect();
  });
});
