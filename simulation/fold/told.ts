// A record of the journal as data, and contradictions in it.
import type { InvariantId } from '../checks/invariants.ts';

/** One record as data; payloads are read loosely because the trader's own types must not vouch for themselves here. */
export interface Told {
  readonly type: string;
  readonly seq: number;
  readonly epoch: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** A contradiction with earlier records. */
export interface Contradiction {
  readonly invariant: InvariantId;
  readonly sentence: string;
}
