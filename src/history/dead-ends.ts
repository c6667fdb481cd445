// What to try when a page has closed no hole: each answer makes the next question another one, so reading always ends.
import type { EpochMs } from '../domain/time.ts';
import type { Hole, RowKey } from './coverage.ts';
import type { Endpoint, IdPaging } from './endpoint.ts';
import type { SortedPage } from './page.ts';
import { promiseOf, type Query } from './query.ts';

/**
 * Where the page has rows of the hole, or of the millisecond behind it, they fill it at one or two moments: one of
 * these is asked alone. Where it begins with the rows that it should overlap with, they fill it: it is asked without
 * them. Else this way of asking shows another part of the list.
 */
export function noteStuck(
  endpoint: Endpoint,
  query: Query,
  at: { readonly sorted: SortedPage; readonly hole: Hole | null },
): void {
  const { sorted, hole } = at;
  const outermost = [sorted.keys[0], sorted.keys.at(-1)].flatMap((key) => (key === undefined ? [] : [key.time]));
  const { from, to } = promiseOf(query);
  const crowded = outermost.find((time) => hole !== null && time >= hole.from && time <= hole.to + 1);
  if (crowded !== undefined && hole !== null) endpoint.closeUp = Math.min(crowded, hole.to);
  else if (!endpoint.bare && outermost.some((time) => time === from || time >= to)) endpoint.bare = true;
  else if (query.by === 'start') endpoint.ignoresStart = true;
  else if (query.by === 'end') endpoint.ignoresEnd = true;
  else endpoint.bare = true;
}

/** Paging through one millisecond, from a row before it. */
export function pageThrough(moment: EpochMs, at: RowKey | null, crowd: number): IdPaging {
  return { at, coveredFrom: (at?.time ?? moment) + 1, goal: moment, purpose: 'moment', seek: 'near', crowd };
}
