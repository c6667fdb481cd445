// How a row of the mutants is written down: a fault in our own program, and what is known to notice it.
import type { FaultId, Harness } from './fault-kinds.ts';
import type { InvariantId } from './invariants.ts';
import type { ProfileName } from './profile/profile.ts';

/** Replaces a text that stands exactly once in the file. */
export interface Patch {
  /** From the root of the tree. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** Those without a letter are of order-truth §9 as far as m25, and from m26 on of people who read the program; one with a letter is another reading of its number. */
export type MutantId = `m${number}` | `m${number}${'b' | 'c'}`;

/** A simulated run notices it, by this invariant before any other. */
export interface BySeed {
  readonly kind: 'seed';
  readonly profile: ProfileName;
  /** The faults of the run; null: what the seed draws. */
  readonly under: readonly FaultId[] | null;
  readonly quirks: Readonly<Record<string, string | number>>;
  readonly seed: number;
  /** How many seeds from that one on may be tried: what a run does changes with the program, and one may be missed. */
  readonly tries: number;
  /** A program that throws shows that something is wrong, and no check of ours. */
  readonly invariant: Exclude<InvariantId, 'BUG'>;
}

/** A test notices it that the simulator has no part in: of sockets, of processes, of one function. */
export interface ByTest {
  readonly kind: 'test';
  readonly harness: Exclude<Harness, 'sim'>;
  /** From the root of the tree. */
  readonly file: string;
  /** What the names of the tests begin with, the words of `describe` before them. */
  readonly name: string;
}

export interface Mutant {
  readonly id: MutantId;
  readonly sentence: string;
  readonly patches: readonly Patch[];
  readonly noticed: BySeed | ByTest;
}

type Words = Pick<Mutant, 'id' | 'sentence' | 'patches'>;
type Seeded = Omit<BySeed, 'kind' | 'quirks' | 'profile' | 'tries'> &
  Partial<Pick<BySeed, 'quirks' | 'profile' | 'tries'>>;

export const bySeed = (words: Words, { quirks = {}, profile = 'default', tries = 1, ...seeded }: Seeded): Mutant => ({
  ...words,
  noticed: { kind: 'seed', quirks, profile, tries, ...seeded },
});

export const byTest = (words: Words, tested: Omit<ByTest, 'kind'>): Mutant => ({
  ...words,
  noticed: { kind: 'test', ...tested },
});

/** The source with a patch in it; null where the text does not stand in it exactly once. */
export function patched(source: string, patch: Pick<Patch, 'from' | 'to'>): string | null {
  const parts = source.split(patch.from);
  return parts.length === 2 ? parts.join(patch.to) : null;
}

/** The source of a file with all of a mutant's patches for it. Throws where one does not fit. */
export function mutated({ id, patches }: Pick<Mutant, 'id' | 'patches'>, file: string, source: string): string {
  return patches
    .filter((patch) => patch.file === file)
    .reduce((text, patch) => {
      const next = patched(text, patch);
      if (next === null) throw new Error(`The patch of ${id} does not fit ${file}: ${patch.from}`);
      return next;
    }, source);
}
