// What a page can be asked by, the same for all lists, and which rows may answer.
import { compareTradeIds, type TradeId } from '../domain/ids.ts';
import { DAY, type DurationMs, type EpochMs, HOUR, SECOND } from '../domain/time.ts';
import type { ListLimit } from '../venue/bounds.ts';
import type { RowKey, Span } from './coverage.ts';

/** The two places where rows of a list are: the rolling window, and the `/historical` twin. */
export type EndpointName = 'recent' | 'archive';

/** Times are those that rows carry. */
export type Query =
  | { readonly by: 'start'; readonly from: EpochMs }
  | { readonly by: 'end'; readonly to: EpochMs }
  | { readonly by: 'window'; readonly from: EpochMs; readonly to: EpochMs }
  | { readonly by: 'from-id'; readonly id: TradeId };

/** The times that the query lets through. Ids say nothing about them. */
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
 * The times that a page of it can answer for: all but the last millisecond. A venue that keeps finer times than it
 * shows leaves rows of that millisecond out.
 */
export function promiseOf(query: Query): Span {
  const { from, to } = spanOf(query);
  return { from, to: to - 1 };
}

/** Whether the row is one that was asked for. */
export function letsThrough(query: Query, key: RowKey): boolean {
  if (query.by === 'from-id') return key.id !== null && compareTradeIds(key.id, query.id) >= 0;
  const span = spanOf(query);
  return key.time >= span.from && key.time <= span.to;
}

// What a reading must know of a list: how its rows are named, when they happened, and how it is asked.

/** One row: as a page showed it last, and as it was handed out; `null` while it is held back. */
export interface Entry<Row> {
  row: Row;
  handedOut: Row | null;
}

export interface ListTraits<Row, Question> {
  /** `spot trades of BTC/INR`: for sentences. */
  readonly title: string;
  /** Longest time between start and end; `null` where the specification states none. */
  readonly longestWindowMs: DurationMs | null;
  readonly hasArchive: boolean;
  readonly keyOf: (row: Row) => RowKey;
  /** Whether the row is of the list that was asked for. */
  readonly belongs: (row: Row) => boolean;
  /** Rows with different names are different; those with the same name are told apart by `absorb`. */
  readonly nameOf: (row: Row) => string;
  /**
   * Joins the rows of one name that a page shows to those known, changing `known`. Returns the entries that are to be
   * handed out because of it.
   */
  readonly absorb: (known: Entry<Row>[], shown: readonly Row[]) => Entry<Row>[];
  readonly isPending: (row: Row) => boolean;
  readonly question: (endpoint: EndpointName, query: Query, limit: ListLimit) => Question;
}

// What a reading may assume of the venue, and how long it tries.

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
