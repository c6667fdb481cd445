// Where wallet and ledger do not agree, and what a person took for his own doing.
import type { Asset } from '../../../domain/instrument.ts';
import type { EpochMs } from '../../../domain/time.ts';
import type { Amount } from '../../../ledger/amount.ts';
import type { ConfirmedDifference } from './confirmed-difference.ts';

/** A difference that a person took for his own doing, and that no list has named since. */
export interface Accepted {
  readonly asset: Asset;
  /** What the wallet gained, or lost. */
  readonly amount: Amount;
  /** By our clock. */
  readonly at: EpochMs;
}

/** How many of them are remembered: rows are looked for a few days behind. */
export const ACCEPTED_REMEMBERED = 50;

export interface Differences {
  /** Those that were confirmed and have not gone away. */
  readonly byAsset: Map<Asset, ConfirmedDifference>;
  /**
   * When the newest of what is not explained was confirmed (a difference) or set aside (in suspense); null while all is
   * explained.
   */
  unexplainedSince: EpochMs | null;
  /**
   * What happened before this moment, by our clock, is accounted for: a wallet has equalled the ledger. Null where no
   * such moment is known since something was accepted or set aside.
   */
  accountedTo: EpochMs | null;
  /** Newest last. */
  readonly accepted: Accepted[];
  /** What the last wallet that equaled the ledger, with nothing unexplained, held of assets that no run trades. */
  untracked: ReadonlyMap<Asset, Amount>;
}

export function noDifferences(): Differences {
  return { byAsset: new Map(), unexplainedSince: null, accountedTo: null, accepted: [], untracked: new Map() };
}
