// What to try when a page has closed no hole: each answer makes the next question another one, so reading always ends.
import type { EpochMs } from '../domain/time.ts';
import type { Hole, Mark } from './coverage.ts';
import type { Sheet } from './page.ts';
import { type Query, spanOf } from './query.ts';
import type { Route, Walk } from './route.ts';

/**
 * Where the page has rows of the hole, they fill it at one or two moments: one of these is asked alone. Where it begins with the
 * rows that it should overlap with, they fill it: it is asked without them. Else this way of asking shows another part of the list.
 */
export function noteStuck(route: Route, query: Query, at: { readonly sheet: Sheet; readonly hole: Hole | null }): void {
  const { sheet, hole } = at;
  const first = sheet.marks[0]?.time;
  const last = sheet.marks.at(-1)?.time;
  const asked = spanOf(query);
  const crowded = [first, last].find(
    (time) => time !== undefined && hole !== null && time >= hole.from && time <= hole.to,
  );
  if (crowded !== undefined) route.closeUp = crowded;
  else if (!route.bare && (first === asked.from || last === asked.to)) route.bare = true;
  else if (query.by === 'start') route.startIsVain = true;
  else if (query.by === 'end') route.endIsVain = true;
  else route.bare = true;
}

/** A walk through one millisecond, from a row before it. */
export function walkThrough(moment: EpochMs, at: Mark | null, crowd: number): Walk {
  return { at, coveredFrom: (at?.time ?? moment) + 1, goal: moment, purpose: 'moment', seek: 'near', crowd };
}
