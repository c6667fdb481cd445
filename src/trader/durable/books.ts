// The ledger, what is booked in it, and for what it was opened.
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type BookedTrades, NO_TRADES } from '../../ledger/booked-trades.ts';
import { EMPTY_LEDGER, type Ledger } from '../../ledger/ledger.ts';

export interface Books {
  /** Whether the opening balances are booked. */
  opened: boolean;
  /** When they were, by the exchange's clock, as transfers and trades are; null before. */
  openedAt: EpochMs | null;
  /** Assets that were opened with a market that was configured later: when, by the exchange's clock. */
  readonly assetsOpened: Map<Asset, EpochMs>;
  /** When a person last accepted a difference of the asset, by the exchange's clock: rows of before are in it. */
  readonly acceptedAt: Map<Asset, EpochMs>;
  ledger: Ledger;
  booked: BookedTrades;
  /** Simple buys and sells that are booked. */
  conversions: BookedTrades;
  /** Transfers that are booked: how many of each name. */
  readonly transfers: Map<string, number>;
}

export function emptyBooks(): Books {
  return {
    opened: false,
    openedAt: null,
    assetsOpened: new Map(),
    acceptedAt: new Map(),
    ledger: EMPTY_LEDGER,
    booked: NO_TRADES,
    conversions: NO_TRADES,
    transfers: new Map(),
  };
}
