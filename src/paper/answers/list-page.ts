// How many rows a list shows, of which part, in what order, and how far back it reaches.
import type { EpochMs } from '../../domain/time.ts';
import type { ExchangeState } from '../state/state.ts';
import type { Quirks } from '../wire/quirks.ts';

/** The list that serves a rolling window, or its historical twin. */
export type Reach = 'recent' | 'historical';

/** The moments whose rows a list holds: `from` included, `before` not. */
export interface Span {
  readonly from: EpochMs;
  readonly before: EpochMs;
}

/** Q16. A window is measured by the facts' own time, not by the exchange's clock. */
export function spanOf({ controls, lastAt }: ExchangeState, reach: Reach): Span {
  const { historyWindowMs, archiveHolds } = controls.quirks;
  const edge = lastAt - historyWindowMs;
  if (reach === 'recent') return { from: edge, before: Number.POSITIVE_INFINITY };
  return { from: Number.NEGATIVE_INFINITY, before: archiveHolds === 'older' ? edge : Number.POSITIVE_INFINITY };
}

/** At most `limit` rows, and never more than the exchange shows of any list. */
export function rowsShown(limit: number, { listCap }: Pick<Quirks, 'listCap'>): number {
  return Math.min(limit, listCap ?? limit);
}

/**
 * Puts rows that come oldest first in the order that the exchange shows. `unordered`: by their number read backwards.
 */
export function inOrder<Row>(
  rows: readonly Row[],
  order: Quirks['tradeListOrder'],
  numberOf: (row: Row) => string,
): readonly Row[] {
  if (order === 'oldest-first') return rows;
  if (order === 'newest-first') return rows.toReversed();
  const backwards = (row: Row): string => [...numberOf(row)].reverse().join('');
  return rows.toSorted((a, b) => (backwards(a) < backwards(b) ? -1 : 1));
}
