// Which span of time a page of public trades shows in full: what rates are counted over.
import type { PublicTrade } from '../domain/fill.ts';
import type { EpochMs } from '../domain/time.ts';
import type { JoinedPage } from './trade-pages.ts';

/** A span of time of which every trade is known. */
export interface Coverage {
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Its trades, oldest first. */
  readonly trades: readonly PublicTrade[];
  /** The span lies between two trades of one page, not between two requests. */
  readonly isWithinPage: boolean;
}

/**
 * A page that joined covers all since the request of the page before it, by our clock. The first page, and one behind a
 * gap, cover what lies between their own oldest and newest row, whose times are moved to our clock: the oldest is where
 * that span begins, and no event of it. Null where nothing is covered.
 *
 * Looking backward from each request, observation stops at the request before it or at the oldest row of the page,
 * whichever comes first. Both are stopping times, so the trades of all spans over the seconds of all spans is a
 * consistent rate, however pages and gaps alternate; to count new rows of pages would saturate at the page's length.
 */
export function coverageOf(
  { page, added, hasGap, isFirst, isBehind }: JoinedPage,
  { sentAt, coveredTo }: { readonly sentAt: EpochMs; readonly coveredTo: EpochMs | null },
): Coverage | null {
  if (isBehind) return null;
  if (!hasGap && !isFirst && coveredTo !== null)
    return { from: coveredTo, to: Math.max(coveredTo, sentAt), trades: added, isWithinPage: false };
  const [from, to] = [page[0]?.venueTime, page.at(-1)?.venueTime];
  if (from === undefined || to === undefined || from === to) return null;
  return { from, to, trades: page.slice(1), isWithinPage: true };
}
