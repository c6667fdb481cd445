// How a reading ends: complete, or with gaps and their reasons, or with the fault that stopped it.
import type { TradeId } from '../domain/ids.ts';
import type { EpochMs } from '../domain/time.ts';
import type { Fault } from '../venue/outcomes.ts';

/** A known trade from which reading continues. */
export interface TradeCursor {
  readonly tradeId: TradeId;
  readonly venueTime: EpochMs;
}

/**
 * `cursor-missing`: the last known trade is on no list, so the lists can't be joined to it. `cursor-moved`: the last
 * known trade has another time on the list, and the reading relied on times. `too-many-at-once`: one millisecond holds
 * more rows than a page, and no id tells them apart. `unreadable-row`: a row could not be understood.
 * `beyond-the-window`: older than the list still shows, and there is no archive of it. `archive-refused`: the venue
 * refuses the archive. `ids-out-of-order`: a later trade has a smaller id, so ids can't stand for times.
 * `request-limit`: as many requests as allowed were used.
 */
export type GapReason =
  | 'cursor-missing'
  | 'cursor-moved'
  | 'too-many-at-once'
  | 'unreadable-row'
  | 'beyond-the-window'
  | 'archive-refused'
  | 'ids-out-of-order'
  | 'request-limit';

/** The time in which rows may be missing, both ends included. */
export interface HistoryGap {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly why: GapReason;
  /** One sentence for people. */
  readonly sentence: string;
}

/** Common to all ends. */
export interface HistoryTally {
  /** Rows handed out. */
  readonly rows: number;
  readonly requests: number;
  /**
   * Every row up to here was handed out with its final status, and none can appear any more: later ones may still be
   * shown late (Q6), change, or lie behind a gap. Resume from here.
   */
  readonly settledUntil: EpochMs;
}

interface Reach extends HistoryTally {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

export type HistoryOutcome =
  /** Every row from `from` to `to` that existed at the first request was handed out. */
  | ({ readonly kind: 'complete' } & Reach)
  /** The same except for the gaps, oldest first. */
  | ({ readonly kind: 'gap'; readonly gaps: readonly [HistoryGap, ...HistoryGap[]] } & Reach)
  /** Reading was given up. The rows handed out are true; the missing ones are unknown. */
  | ({ readonly kind: 'failed'; readonly fault: Fault } & HistoryTally);
