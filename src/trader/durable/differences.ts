// Differences between wallet and ledger in the journal.
import { decimal, plain } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Amount, subtract } from '../../ledger/amount.ts';
import { journalAmount } from './fold/fill-record.ts';

export interface Differences {
  /** Confirmed differences that still stand. */
  readonly byAsset: Map<Asset, ConfirmedDifference>;
  /** When the newest of them was confirmed; null if there is none. */
  unexplainedSince: EpochMs | null;
}

export function noDifferences(): Differences {
  return { byAsset: new Map(), unexplainedSince: null };
}

/** Totals as plain text. */
export interface ConfirmedDifference {
  readonly expected: string;
  readonly actual: string;
  /** When the asset was first confirmed to differ, by any amount. */
  readonly since: EpochMs;
}

/** Wallet minus ledger. A fill that both know moves both and leaves the difference unchanged. */
export const confirmedAmount = ({ expected, actual }: Pick<ConfirmedDifference, 'expected' | 'actual'>): Amount =>
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
