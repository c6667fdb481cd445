// A bug put into our own program on purpose, and the part of a simulated run that detects it.
import type { InvariantId } from '../checks/invariants.ts';
import type { FaultId } from '../faults/fault-kinds.ts';
import type { ProfileName } from '../profile/profile.ts';

/** A text that occurs exactly once in the program, and its replacement. */
export interface Patch {
  readonly find: string;
  readonly put: string;
}

export interface Mutant {
  readonly id: `m${number}`;
  readonly sentence: string;
  readonly patches: readonly Patch[];
  /** The faults of the run; null: the seed's own. */
  readonly under: readonly FaultId[] | null;
  readonly seed: number;
  /** How many seeds from that one on may be tried, as a run changes with the program; default one. */
  readonly tries?: number;
  /** Default `default`. */
  readonly profile?: ProfileName;
  /**
   * The invariant that breaks first. A program that throws shows only that something is wrong, not that our checks
   * work.
   */
  readonly invariant: Exclude<InvariantId, 'BUG'>;
}
