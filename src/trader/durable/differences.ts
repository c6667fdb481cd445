// Differences between wallet and ledger that the journal holds.
import { decimal, plain } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Amount, subtract } from '../../ledger/amount.ts';
import { journalAmount } from './fold/fill-record.ts';

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

/** Totals as plain text. */
export interface ConfirmedDifference {
  readonly expected: string;
  readonly actual: string;
}

/** What the wallet held more than the ledger expected. A fill that both of them know moves both, and leaves it. */
export const confirmedAmount = ({ expected, actual }: ConfirmedDifference): Amount =>
  subtract(journalAmount(actual), journalAmount(expected));

/** Amounts as plain text. `The wallet holds 1.4 BTC and the ledger expects 1.5: -0.1.` */
export function differenceWords({
  asset,
  expected,
  actual,
}: {
  asset: string;
  expected: string;
  actual: string;
}): string {
  return (
    `The wallet holds ${actual} ${asset} and the ledger expects ${expected}: ` +
    `${plain(decimal(actual).sub(decimal(expected)))}.`
  );
}
