// A booked trade that the exchange no longer shows.
import type { EpochMs } from '../../domain/time.ts';
import type { TradeName } from '../../ledger/booked-trades.ts';

export interface Missing extends TradeName {
  readonly venueTime: EpochMs;
  readonly firstMissedAt: EpochMs;
  /** It was missed again after the lists' lag bound. */
  readonly confirmed: boolean;
}
