// Pages of public trades: the span of time that each shows completely, and how they join.
import type { PublicTrade } from '../domain/fill.ts';
import type { EpochMs } from '../domain/time.ts';

/** A span of time with every trade known. */
export interface Coverage {
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** Its trades, oldest first. */
  readonly trades: readonly PublicTrade[];
}

/**
 * A joined page covers the time since the previous page's request, by our clock. The first page, and one after a gap,
 * cover the time between their own oldest and newest row, converted to our clock: the oldest marks the span's start,
 * and is no event of it. Null where nothing is covered.
 *
 * Looking backward from each request, observation stops at the request before it or at the oldest row of the page,
 * whichever comes first. Both are stopping times, so the trades of all spans over the seconds of all spans is a
 * consistent rate, however pages and gaps alternate; counting new rows of pages would saturate at the page's length.
 */
export function coverageOf(
  { page, added, hasGap, isFirst, isBehind }: JoinedPage,
  { sentAt, coveredTo }: { readonly sentAt: EpochMs; readonly coveredTo: EpochMs | null },
): Coverage | null {
  if (isBehind) return null;
  if (!hasGap && !isFirst && coveredTo !== null)
    return { from: coveredTo, to: Math.max(coveredTo, sentAt), trades: added };
  const [from, to] = [page[0]?.venueTime, page.at(-1)?.venueTime];
  if (from === undefined || to === undefined || from === to) return null;
  return { from, to, trades: page.slice(1) };
}

// Public trades carry no id: pages of the newest ones are joined by their common rows.

/** More than two of the longest pages, so that any page finds its overlap. */
const TAIL_ROWS = 200;

/** A page, and the rows it adds to those seen before. */
export interface JoinedPage {
  /** The newest known rows, oldest first: the next page is joined to them. At most two hundred. */
  readonly tail: readonly PublicTrade[];
  /** New rows of the page, oldest first. The order within one millisecond is unknown. */
  readonly added: readonly PublicTrade[];
  /** True if the page does not provably reach back to the tail: trades between them may be missing. */
  readonly hasGap: boolean;
  /** No rows were seen before: the time before its rows is unknown, and that is no gap. */
  readonly isFirst: boolean;
  /** It ends before the tail does (a late or empty answer): it adds nothing about the time since. */
  readonly isBehind: boolean;
  /** All of its rows, oldest first. */
  readonly page: readonly PublicTrade[];
}

/**
 * Joins a page of the newest trades, in any order, to the tail of those already seen. Rows are compared as a multiset
 * of price, quantity, time and side: equal rows are different trades where a page shows more of them.
 *
 * A page is joined only where that is proved. The page and the tail may each be cut within their oldest millisecond, so
 * the page must reach back to before the newest millisecond of the tail, and the tail must be complete in that
 * millisecond. Else it is a gap. One exception: a page within one millisecond whose rows were all seen is taken to
 * repeat these rows, not to hold new ones equal in every field; otherwise a market without trades would have a gap at
 * every page.
 *
 * Times must be corrected by the same offset in all pages: after a change of it, start with an empty tail.
 */
export function joinPage(tail: readonly PublicTrade[], page: readonly PublicTrade[]): JoinedPage {
  const rows = byTime(page);
  const [first, last] = [rows[0], rows.at(-1)];
  const [oldest, newest] = [tail[0], tail.at(-1)];
  const nothing = { tail, added: [], hasGap: false, isFirst: newest === undefined, isBehind: true, page: rows };
  if (first === undefined || last === undefined) return nothing;
  if (oldest === undefined || newest === undefined)
    return { tail: rows.slice(-TAIL_ROWS), added: rows, hasGap: false, isFirst: true, isBehind: false, page: rows };
  const end = newest.venueTime;
  if (last.venueTime < end) return nothing;

  const unseen = notIn(rows, tail);
  // The tail has all rows after its oldest millisecond, and perhaps only some of that one.
  const later = unseen.filter(({ venueTime }) => venueTime > oldest.venueTime);
  const isTailCutAtEnd = oldest.venueTime === end && unseen.some(({ venueTime }) => venueTime === end);
  const reachesBack = first.venueTime < end && !isTailCutAtEnd;
  const isSameAgain = last.venueTime === end && unseen.length === 0;
  const sharesRows = unseen.length < rows.length;
  const common = { isFirst: false, isBehind: false, page: rows };
  if (sharesRows && (reachesBack || isSameAgain)) {
    const joined = later.length === 0 ? tail : byTime([...tail, ...later]).slice(-TAIL_ROWS);
    return { ...common, tail: joined, added: later, hasGap: false };
  }
  const added = later.filter(({ venueTime }) => venueTime >= end);
  // A late page may lack rows of its last millisecond that the tail has: both are kept, like a tail that may be cut
  // there.
  const isAtEnd = ({ venueTime }: PublicTrade): boolean => venueTime === end;
  const begun = last.venueTime > end ? rows : [...tail.filter(isAtEnd), ...unseen.filter(isAtEnd)];
  return { ...common, tail: begun.slice(-TAIL_ROWS), added, hasGap: true };
}

const byTime = (rows: readonly PublicTrade[]): readonly PublicTrade[] =>
  rows.toSorted((a, b) => a.venueTime - b.venueTime);

/** The rows that remain when each of `others` has removed one equal to it. */
function notIn(rows: readonly PublicTrade[], others: readonly PublicTrade[]): readonly PublicTrade[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(identityOf(other), (counts.get(identityOf(other)) ?? 0) + 1);
  return rows.filter((row) => {
    const left = counts.get(identityOf(row)) ?? 0;
    if (left > 0) counts.set(identityOf(row), left - 1);
    return left === 0;
  });
}

const identityOf = ({ price, quantity, venueTime, takerSide }: PublicTrade): string =>
  `${venueTime} ${takerSide} ${price.toFixed()} ${quantity.toFixed()}`;
