// The ledger, what is booked in it, the assets it was opened for, and how the wallet differs from it.
import { decimal, plain } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Amount, exactAmount, subtract } from '../../ledger/amount.ts';
import type { BookedTrades } from '../../ledger/booked-trades.ts';
import { EMPTY_LEDGER, type Ledger } from '../../ledger/ledger.ts';

export interface Books {
  /** Whether the opening balances are booked. */
  opened: boolean;
  /** When they were booked, by the exchange's clock, like transfers and trades; null before. */
  openedAt: EpochMs | null;
  /** Assets opened with a market that was configured later, and when, by the exchange's clock. */
  readonly assetsOpened: Map<Asset, EpochMs>;
  /** When a person last accepted a difference of the asset, by the exchange's clock: it includes earlier rows. */
  readonly acceptedAt: Map<Asset, EpochMs>;
  ledger: Ledger;
  readonly booked: BookedTrades;
  /** Booked simple buys and sells. */
  readonly conversions: BookedTrades;
  /** Booked transfers: the count of each name. */
  readonly transfers: Map<string, number>;
}

export function emptyBooks(): Books {
  return {
    opened: false,
    openedAt: null,
    assetsOpened: new Map(),
    acceptedAt: new Map(),
    ledger: EMPTY_LEDGER,
    booked: new Map(),
    conversions: new Map(),
    transfers: new Map(),
  };
}

// Differences between wallet and ledger.

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
  subtract(exactAmount(actual), exactAmount(expected));

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
