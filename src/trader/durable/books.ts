// The ledger, what is booked in it, and the assets it was opened for.
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
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
