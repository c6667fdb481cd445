// What a reading must know of a list: how its rows are named, when they happened, and how it is asked.
import type { DurationMs } from '../domain/time.ts';
import type { ListLimit } from '../venue/bounds.ts';
import type { RowKey } from './coverage.ts';
import type { EndpointName, Query } from './query.ts';

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
