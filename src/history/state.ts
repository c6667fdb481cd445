// A reading of one list, as far as it has come.
import { compareTradeIds } from '../domain/ids.ts';
import type { EpochMs } from '../domain/time.ts';
import type { Fault } from '../venue/outcomes.ts';
import type { Collection } from './collection.ts';
import { type Coverage, type RowKey, union } from './coverage.ts';
import type { Endpoint } from './endpoint.ts';
import type { ListTraits } from './list-traits.ts';
import type { TradeCursor } from './outcome.ts';
import type { HistorySettings } from './settings.ts';

/**
 * `after`: every trade behind a known one, to the present. `between`: every row of some times, both included; without
 * `to`, to the present. Times are those that rows carry.
 */
export type TradesTarget = { readonly by: 'after'; readonly cursor: TradeCursor } | TimesTarget;
export interface TimesTarget {
  readonly by: 'between';
  readonly from: EpochMs;
  readonly to: EpochMs | null;
}

/** Why reading has stopped. */
export type Ended =
  | { readonly kind: 'swept' }
  | { readonly kind: 'limit' }
  | { readonly kind: 'archive-refused'; readonly fault: Fault }
  | { readonly kind: 'failed'; readonly fault: Fault };

/** Owned by whoever reads; `observe` changes it in place and hands it back (decision 0002). */
export interface HistoryState<Row, Question> {
  readonly traits: ListTraits<Row, Question>;
  readonly target: TradesTarget;
  readonly settings: HistorySettings;
  readonly collection: Collection<Row>;
  readonly recent: Endpoint;
  /**
   * Opened when the recent list was read and does not reach back far enough: rows move from there to here, never back.
   */
  archive: Endpoint | null;
  requests: number;
  /** When the first page was asked: what the venue showed then is what a complete reading holds. */
  firstAskedAt: EpochMs | null;
  /** Pages in a row that proved nothing. */
  useless: number;
  /** Time of the known trade on the page that it was on; `null` before. */
  cursorSeenAt: EpochMs | null;
  /** A row that the recent list had shown was on the archive too: nothing is lost between them. */
  overlaps: boolean;
  /** A later trade has a smaller id. */
  outOfOrder: boolean;
  /** Ids stood for times. */
  usedIdsForTimes: boolean;
  ended: Ended | null;
}

export const targetFrom = (target: TradesTarget): EpochMs =>
  target.by === 'after' ? target.cursor.venueTime : target.from;

/** The list that is being read. */
export const currentEndpoint = <Row, Question>(state: HistoryState<Row, Question>): Endpoint =>
  state.archive ?? state.recent;

/** What is proved, by both lists together. */
export function provenBy<Row, Question>(state: HistoryState<Row, Question>): Coverage {
  return state.archive === null ? state.recent.trusted : union(state.recent.trusted, state.archive.trusted);
}

/** Whether a row is to be handed out. What lies after an open end is. */
export function isWanted(target: TradesTarget, { time, id }: RowKey): boolean {
  if (target.by === 'after') return id !== null && compareTradeIds(id, target.cursor.tradeId) > 0;
  return time >= target.from && (target.to === null || time <= target.to);
}
