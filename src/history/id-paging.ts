// Going from id to id: each page must contain the row that the last one ended with (order-truth §4).
import { compareTradeIds, type TradeId } from '../domain/ids.ts';
import { cover, type RowKey } from './coverage.ts';
import type { Endpoint, IdPaging } from './endpoint.ts';
import type { SortedPage } from './page.ts';

/**
 * Takes in a page from the paging's row on. `lost`: the page does not lead on, ids do not help here.
 *
 * Whatever part it is, a cut page holds every id between its smallest and its largest; with the paging's row on it,
 * nothing lies between that row and the page. A whole page shows all that the list holds, whether that row is still
 * among it or not.
 */
export function takeIdPage(endpoint: Endpoint, paging: IdPaging, sorted: SortedPage): 'on' | 'done' | 'lost' {
  const overlaps = sorted.keys.some(({ id }) => id !== null && paging.at?.id != null && isSame(id, paging.at.id));
  const latest = latestOf(sorted.keys);
  if (sorted.whole) {
    endpoint.swept = cover(endpoint.swept, { from: paging.coveredFrom, to: Number.POSITIVE_INFINITY }, sorted.keys);
    return 'done';
  }
  if (latest === null) return 'lost';
  if (!overlaps) {
    const first = sorted.keys[0]?.time ?? latest.time;
    endpoint.swept = cover(endpoint.swept, { from: first + 1, to: latest.time - 1 }, sorted.keys);
    return 'lost';
  }
  endpoint.swept = cover(endpoint.swept, { from: paging.coveredFrom, to: latest.time - 1 }, sorted.keys);
  if (latest.time > paging.goal) return 'done';
  if (isSame(latest.id, paging.at?.id ?? latest.id)) return 'lost';
  endpoint.paging = { ...paging, at: latest, coveredFrom: Math.max(paging.coveredFrom, latest.time) };
  return 'on';
}

const isSame = (a: TradeId, b: TradeId): boolean => compareTradeIds(a, b) === 0;

/** The row with the largest id. */
function latestOf(keys: readonly RowKey[]): (RowKey & { readonly id: TradeId }) | null {
  let latest: (RowKey & { readonly id: TradeId }) | null = null;
  for (const { id, time } of keys) {
    if (id !== null && (latest === null || compareTradeIds(id, latest.id) > 0)) latest = { id, time };
  }
  return latest;
}
