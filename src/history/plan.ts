// Plans the next request to a list: the one that covers most of the oldest hole, given how the list has answered so
// far.
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Hole } from './coverage.ts';
import type { Query } from './query.ts';
import { type Corner, type Endpoint, holesOf, type IdPaging } from './state.ts';

/**
 * `by-id`: from id to id. `seek`: finds a row to page from. `close-up`: one millisecond. `corner`: a short window
 * around an unreadable row. `sweep`: a hole, by time.
 */
export interface Plan {
  readonly purpose: 'by-id' | 'seek' | 'close-up' | 'corner' | 'sweep';
  readonly query: Query;
}

/**
 * `null` when all is read. `longestMs`: the longest window that the list accepts. The same endpoint gives the same
 * plan. Windows end a millisecond after the span they cover (`promiseOf`), so that none ends where it begins: -1107
 * says "before".
 */
export function planOf(endpoint: Endpoint, longestMs: DurationMs): Plan | null {
  const holes = holesOf(endpoint);
  const [oldest] = holes;
  if (oldest === undefined) return null;
  if (endpoint.paging !== null) return pagingPlan(endpoint.paging, longestMs);
  if (endpoint.closeUp !== null) return { purpose: 'close-up', query: moment(endpoint.closeUp) };
  const cornered = corneredBy(endpoint.corner, holes, longestMs);
  if (cornered !== null) return { purpose: 'corner', query: cornered };
  const query =
    firstOf(holes, (hole) => joined(hole, endpoint, longestMs)) ??
    firstOf(holes, (hole) => loose(hole, endpoint)) ??
    slice(oldest, endpoint, longestMs);
  return { purpose: 'sweep', query };
}

function pagingPlan(paging: IdPaging, longestMs: DurationMs): Plan {
  const { at, goal } = paging;
  if (at !== null && at.id !== null) return { purpose: 'by-id', query: { by: 'from-id', id: at.id } };
  if (paging.seek === 'far') return { purpose: 'seek', query: { by: 'end', to: goal - 1 } };
  return { purpose: 'seek', query: { by: 'window', from: Math.max(0, goal - longestMs), to: goal - 1 } };
}

const moment = (at: EpochMs): Query => ({ by: 'window', from: at, to: at + 1 });

/** `null` once the corner is read completely. */
function corneredBy(corner: Corner | null, holes: readonly Hole[], longestMs: DurationMs): Query | null {
  if (corner === null) return null;
  const hole = holes.find(({ from, to }) => from <= corner.to && to >= corner.from);
  if (hole === undefined) return null;
  const from = Math.max(hole.from, corner.from);
  const length = Math.min(corner.width, longestMs);
  return { by: 'window', from, to: Math.min(hole.to + 1, corner.to + 1, from + length) };
}

function firstOf(holes: readonly Hole[], queryFor: (hole: Hole) => Query | null): Query | null {
  for (const hole of holes) {
    const query = queryFor(hole);
    if (query !== null) return query;
  }
  return null;
}

const reachesPresent = (hole: Hole, endpoint: Endpoint): boolean => endpoint.open && hole.to >= endpoint.range.to;

/**
 * A request that overlaps known rows, so that any cut page makes progress: a window over the hole and the rows on both
 * sides of it, whichever part comes back; else from the row before it, or back from the row after it.
 */
function joined(hole: Hole, endpoint: Endpoint, longestMs: DurationMs): Query | null {
  const { from, to } = withNeighbors(hole, endpoint);
  if (!reachesPresent(hole, endpoint) && to - from <= longestMs) return { by: 'window', from, to };
  if (hole.before !== null && !endpoint.ignoresStart) return { by: 'start', from };
  if (hole.after !== null && !endpoint.ignoresEnd) return { by: 'end', to };
  return null;
}

/**
 * A request from an end of the hole without a known row. A cut page makes progress only if it leaves out known rows, so
 * this comes last.
 */
function loose(hole: Hole, endpoint: Endpoint): Query | null {
  if (!endpoint.ignoresStart) return { by: 'start', from: hole.from };
  if (!endpoint.ignoresEnd && !reachesPresent(hole, endpoint)) return { by: 'end', to: hole.to + 1 };
  return null;
}

/** The part of the hole that fits in a window. */
function slice(hole: Hole, endpoint: Endpoint, longestMs: DurationMs): Query {
  const near = withNeighbors(hole, endpoint).from;
  const from = hole.from - near < longestMs / 2 ? near : hole.from;
  return { by: 'window', from, to: Math.min(hole.to + 1, from + longestMs) };
}

function withNeighbors(hole: Hole, endpoint: Endpoint): { from: EpochMs; to: EpochMs } {
  if (endpoint.bare) return { from: hole.from, to: hole.to + 1 };
  return { from: hole.before?.time ?? hole.from, to: hole.after?.time ?? hole.to + 1 };
}
