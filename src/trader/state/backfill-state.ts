// A reading of own trades to the end, as far as it has come.
import type { Fill } from '../../domain/fill.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { SpotTradesQuestion } from '../../history/lists.ts';
import type { HistoryState, TimesTarget } from '../../history/state.ts';

/** Owned by the trader's state and changed in place. */
export interface Backfill {
  /**
   * The stretch behind the cursor that a late-trade scan reads to its end, as a page of it was cut; null: it is read on
   * from the cursor.
   */
  readonly lateScan: TimesTarget | null;
  reading: HistoryState<Fill, SpotTradesQuestion>;
  /** When its first page left, by our clock: what the exchange showed then is what a complete reading holds. */
  firstSentAt: EpochMs | null;
  /** Rows that were handed out and are not booked: a create is on its way (F13). */
  waiting: readonly Fill[];
}
