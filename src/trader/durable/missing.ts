// A booked trade that the exchange no longer shows.
import type { EpochMs } from '../../domain/time.ts';
import type { TradeName } from '../../ledger/booked-trades.ts';

/** A booked trade that the list no longer shows. */
export interface Missing extends TradeName {
  readonly venueTime: EpochMs;
  readonly firstMissedAt: EpochMs;
  /** It was missed again after longer than any list may trail. */
  readonly confirmed: boolean;
}
