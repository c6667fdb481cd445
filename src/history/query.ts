// What a page can be asked by, the same for all lists, and which rows may answer.
import { compareTradeIds, type TradeId } from '../domain/ids.ts';
import type { EpochMs } from '../domain/time.ts';
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
