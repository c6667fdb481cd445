// How a row of the mutants is written down: a fault in our own program, and what is known to notice it.

import type { InvariantId } from '../checks/invariants.ts';
import type { FaultId, Harness } from '../faults/fault-kinds.ts';
import type { ProfileName } from '../profile/profile.ts';

interface Place {
  /** A function, method, class or type of the program, or a constant of one of its files. */
  readonly in: string;
  /** What the same file declares as well: only where several files declare the first name. */
  readonly beside?: string;
}

/**
 * Replaces the one place in a declaration that matches a pattern; in both, `$A` is a piece of syntax and `$$$A` a list.
 */
export interface Replacement extends Place {
  readonly find: string;
  readonly put: string;
}

/** Puts statements before a declaration, or before the one that it is in. */
export interface Insertion extends Place {
  readonly before: string;
}

export type Patch = Replacement | Insertion;

/**
 * Those without a letter are of order-truth §9 as far as m25, and from m26 on of people who read the program; one with
 * a letter is another reading of its number.
 */
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
