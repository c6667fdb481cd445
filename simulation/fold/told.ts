// A record of the journal as data, and what it may contradict.
import type { InvariantId } from '../checks/invariants.ts';

/** One record as data; payloads are read loosely because the trader's own types must not vouch for themselves here. */
export interface Told {
  readonly type: string;
  readonly seq: number;
  readonly epoch: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** What in a record contradicts the records before it. */
export interface Contradiction {
  readonly invariant: InvariantId;
  readonly sentence: string;
}
