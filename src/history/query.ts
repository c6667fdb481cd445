// The kinds of requests for a page, the same for all lists, and the rows that may answer each.
import { compareTradeIds, type TradeId } from '../domain/ids.ts';
import { DAY, type DurationMs, type EpochMs, HOUR, SECOND } from '../domain/time.ts';
import type { ListLimit } from '../venue/bounds.ts';
import type { RowKey, Span } from './coverage.ts';

/** The two places of a list's rows: the rolling window, and the `/historical` twin. */
export type EndpointName = 'recent' | 'archive';

/** Times are the rows' own. */
export type Query =
  | { readonly by: 'start'; readonly from: EpochMs }
  | { readonly by: 'end'; readonly to: EpochMs }
  | { readonly by: 'window'; readonly from: EpochMs; readonly to: EpochMs }
  | { readonly by: 'from-id'; readonly id: TradeId };

/** The times that the query lets through. Ids set no bounds on times. */
export function spanOf(query: Query): Span {
  switch (query.by) {
    case 'start':
      return { from: query.from, to: Number.POSITIVE_INFINITY };
    case 'end':
      return { from: Number.NEGATIVE_INFINITY, to: query.to };
    case 'window':
      return { from: query.from, to: query.to };
    case 'from-id':
      return { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  }
}

/**
 * The times that a page of it can prove: all but the last millisecond. A venue that keeps finer times than it shows
 * omits rows of that millisecond.
 */
export function promiseOf(query: Query): Span {
  const { from, to } = spanOf(query);
  return { from, to: to - 1 };
}

/** Whether the row answers the request. */
export function letsThrough(query: Query, key: RowKey): boolean {
  if (query.by === 'from-id') return key.id !== null && compareTradeIds(key.id, query.id) >= 0;
  const span = spanOf(query);
  return key.time >= span.from && key.time <= span.to;
}

// The traits of a list: how to name its rows, when they happened, and how to request it.

/** One row as the last page showed it, and as it was handed out; `null` while it is held back. */
export interface Entry<Row> {
  row: Row;
  handedOut: Row | null;
}

export interface ListTraits<Row, Question> {
  /** `spot trades of BTC/INR`: for sentences. */
  readonly title: string;
  /** Longest time between start and end; infinite if the specification states none. */
  readonly longestWindowMs: DurationMs;
  readonly hasArchive: boolean;
  readonly keyOf: (row: Row) => RowKey;
  /** Whether the row belongs to the requested list. */
  readonly belongs: (row: Row) => boolean;
  /** Rows with different names differ; `absorb` tells rows with the same name apart. */
  readonly nameOf: (row: Row) => string;
  /**
   * Joins a page's rows of one name to the known ones, changing `known`. Returns the entries to hand out as a result.
   */
  readonly absorb: (known: Entry<Row>[], shown: readonly Row[]) => Entry<Row>[];
  readonly isPending: (row: Row) => boolean;
  readonly question: (endpoint: EndpointName, query: Query, limit: ListLimit) => Question;
}

// Assumptions about the venue, and limits on retries.

export interface HistorySettings {
  /** Rows per request. */
  readonly limit: ListLimit;
  /** Fewest rows of a cut page. A page with fewer is whole; one with more is, once a longer one was seen. */
  readonly smallestPageRows: number;
  /** Every server of the venue shows a row at most this long after its time. */
  readonly lagBoundMs: DurationMs;
  /** The recent list holds at least this much. Used only by a reading without a known trade to begin from. */
  readonly shortestWindowMs: DurationMs;
  readonly mostRequests: number;
  /** How often to repeat a request whose page proves nothing (it has an unreadable row, or one outside the request). */
  readonly asksAgain: number;
  /** This many empty answers in a row count as an empty list. */
  readonly emptyPages: number;
}

/**
 * Starting values: the smallest page is the default limit (N3), lag as order-truth §2, a day's window (Q16) minus an
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
 * Assumes nothing about one empty answer, the rolling window, or the length of pages, except that a list cuts them all
 * at one length of two rows or more.
 */
export const PROVING_HISTORY: HistorySettings = {
  ...CAUTIOUS_HISTORY,
  smallestPageRows: 2,
  shortestWindowMs: 0,
  emptyPages: 3,
};
