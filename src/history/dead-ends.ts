// What to try when a page has closed no hole: each answer makes the next question another one, so reading always ends.
import type { EpochMs } from '../domain/time.ts';
import type { Hole, Mark } from './coverage.ts';
import type { Sheet } from './page.ts';
import { promiseOf, type Query } from './query.ts';
import type { Route, Walk } from './route.ts';

/**
 * Where the page has rows of the hole, or of the millisecond behind it, they fill it at one or two moments: one of
 * these is asked alone. Where it begins with the rows that it should overlap with, they fill it: it is asked without
 * them. Else this way of asking shows another part of the list.
 */
export function noteStuck(route: Route, query: Query, at: { readonly sheet: Sheet; readonly hole: Hole | null }): void {
  const { sheet, hole } = at;
  const outermost = [sheet.marks[0], sheet.marks.at(-1)].flatMap((mark) => (mark === undefined ? [] : [mark.time]));
  const { from, to } = promiseOf(query);
  const crowded = outermost.find((time) => hole !== null && time >= hole.from && time <= hole.to + 1);
  if (crowded !== undefined && hole !== null) route.closeUp = Math.min(crowded, hole.to);
  else if (!route.bare && outermost.some((time) => time === from || time >= to)) route.bare = true;
  else if (query.by === 'start') route.startIsVain = true;
  else if (query.by === 'end') route.endIsVain = true;
  else route.bare = true;
}

/** A walk through one millisecond, from a row before it. */
export function walkThrough(moment: EpochMs, at: Mark | null, crowd: number): Walk {
  return { at, coveredFrom: (at?.time ?? moment) + 1, goal: moment, purpose: 'moment', seek: 'near', crowd };
}
