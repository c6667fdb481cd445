// Going from id to id: each page must contain the row that the last one ended with (order-truth §4).
import { compareTradeIds, type TradeId } from '../domain/ids.ts';
import { cover, type Mark } from './coverage.ts';
import type { Sheet } from './page.ts';
import type { Route, Walk } from './route.ts';

/**
 * Takes in a page from the walk's row on. `lost`: the page does not lead on, ids do not help here.
 *
 * Whatever part it is, a cut page holds every id between its smallest and its largest; with the walk's row on it,
 * nothing lies between that row and the page. A whole page shows all that the list holds, whether that row is still
 * among it or not.
 */
export function stepOf(route: Route, walk: Walk, sheet: Sheet): 'on' | 'done' | 'lost' {
  const overlaps = sheet.marks.some(({ id }) => id !== null && walk.at?.id != null && isSame(id, walk.at.id));
  const latest = latestOf(sheet.marks);
  if (sheet.whole) {
    route.swept = cover(route.swept, { from: walk.coveredFrom, to: Number.POSITIVE_INFINITY }, sheet.marks);
    return 'done';
  }
  if (latest === null) return 'lost';
  if (!overlaps) {
    const first = sheet.marks[0]?.time ?? latest.time;
    route.swept = cover(route.swept, { from: first + 1, to: latest.time - 1 }, sheet.marks);
    return 'lost';
  }
  route.swept = cover(route.swept, { from: walk.coveredFrom, to: latest.time - 1 }, sheet.marks);
  if (latest.time > walk.goal) return 'done';
  if (isSame(latest.id, walk.at?.id ?? latest.id)) return 'lost';
  route.walk = { ...walk, at: latest, coveredFrom: Math.max(walk.coveredFrom, latest.time) };
  return 'on';
}

const isSame = (a: TradeId, b: TradeId): boolean => compareTradeIds(a, b) === 0;

/** The row with the largest id. */
function latestOf(marks: readonly Mark[]): (Mark & { readonly id: TradeId }) | null {
  let latest: (Mark & { readonly id: TradeId }) | null = null;
  for (const { id, time } of marks) {
    if (id !== null && (latest === null || compareTradeIds(id, latest.id) > 0)) latest = { id, time };
  }
  return latest;
}
