// Public trades carry no id: pages of the newest of them are joined by the rows that they share.
import type { PublicTrade } from '../domain/fill.ts';

/** More than two of the longest pages, so that a page of any length finds its overlap. */
const TAIL_ROWS = 200;

/** A page, and what it adds to the rows that were seen before it. */
export interface JoinedPage {
  /** The newest rows that are known, oldest first: what the next page is joined to. At most two hundred. */
  readonly tail: readonly PublicTrade[];
  /** Rows of the page that were not seen before, oldest first. The order within one millisecond is not known. */
  readonly added: readonly PublicTrade[];
  /** True where the page does not provably reach back to the tail: trades between them may never have been seen. */
  readonly hasGap: boolean;
  /** Nothing was seen before: what happened before its rows is not known, and that is no gap. */
  readonly isFirst: boolean;
  /** It ends before the tail does (a late answer, or an empty one): it says nothing about the time since. */
  readonly isBehind: boolean;
  /** All of its rows, oldest first. */
  readonly page: readonly PublicTrade[];
}

/**
 * Joins a page of the newest trades, in any order, to the tail of those that were seen. Rows are compared as a multiset
 * of price, quantity, time and side: equal rows are different trades where a page shows more of them.
 *
 * A page is joined only where that is proved. The page and the tail may each be cut within their oldest millisecond, so
 * the page must reach back to before the newest millisecond of the tail, and the tail must be complete in that
 * millisecond. Else it is a gap. One exception: a page within one millisecond whose rows were all seen is taken for the
 * same rows again, not for as many new ones that are equal in everything; a market without trades would else have a
 * gap at every page.
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
  // A page that came late may lack rows of its last millisecond that the tail has: both are kept, as of a tail that may
  // be cut there.
  const isAtEnd = ({ venueTime }: PublicTrade): boolean => venueTime === end;
  const begun = last.venueTime > end ? rows : [...tail.filter(isAtEnd), ...unseen.filter(isAtEnd)];
  return { ...common, tail: begun.slice(-TAIL_ROWS), added, hasGap: true };
}

const byTime = (rows: readonly PublicTrade[]): readonly PublicTrade[] =>
  rows.toSorted((a, b) => a.venueTime - b.venueTime);

/** The rows that are left when each of `others` has taken away one that equals it. */
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
