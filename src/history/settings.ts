// What a reading may assume of the venue, and how long it tries.
import { DAY, type DurationMs, HOUR, SECOND } from '../domain/time.ts';
import type { ListLimit } from '../venue/bounds.ts';

export interface HistorySettings {
  /** Rows to ask for. */
  readonly limit: ListLimit;
  /** Fewest rows that a page is cut at. A page with fewer is whole; one with more is, once a longer one was seen. */
  readonly smallestPageRows: number;
  /** A row is shown this long after its time at the latest, by every server of the venue. */
  readonly lagBoundMs: DurationMs;
  /** The recent list holds at least this much. Only a reading that has no known trade to begin from relies on it. */
  readonly shortestWindowMs: DurationMs;
  readonly mostRequests: number;
  /** How often a page that proves nothing (a row that can't be read, or one that was not asked for) is asked again. */
  readonly asksAgain: number;
  /** So many empty answers in a row count as an empty list. */
  readonly emptyPages: number;
}

/**
 * Starting values: the smallest page is the default limit (N3), lag as order-truth §2, a day's window (Q16) less an
 * hour for clocks.
 */
export const CAUTIOUS_HISTORY: HistorySettings = {
  limit: 50,
  smallestPageRows: 20,
  lagBoundMs: 120 * SECOND,
  shortestWindowMs: DAY - HOUR,
  mostRequests: 5_000,
  asksAgain: 2,
  emptyPages: 1,
};

/**
 * Takes nothing for granted of one empty answer, of the rolling window, or of the length of pages, but that a list cuts
 * them all at one length of two rows or more.
 */
export const PROVING_HISTORY: HistorySettings = {
  ...CAUTIOUS_HISTORY,
  smallestPageRows: 2,
  shortestWindowMs: 0,
  emptyPages: 3,
};
