// A small venue that lists rows as the specification says, in every way that it leaves open. The truth is in `rows`.
import type { EpochMs } from '../../../src/domain/time.ts';
import type { EndpointName, Query } from '../../../src/history/query.ts';

/** A row as the venue knows it: `shownAt` is when its lists begin to show it. */
export interface TrueRow {
  readonly id: bigint;
  readonly time: EpochMs;
  readonly shownAt: EpochMs;
}

type Part = 'oldest' | 'newest';

/** What the specification leaves open (Q2, Q3, Q6, Q16). */
export interface Law {
  readonly order: 'newest-first' | 'oldest-first' | 'unordered';
  /** Most rows of a page, whatever was asked for. */
  readonly cap: number;
  /** Which part of too many rows a page holds, by how it was asked. */
  readonly part: { readonly [By in Query['by']]: Part };
  /** Rows of one millisecond, where a page ends among them: by id, or any. */
  readonly ties: 'by-id' | 'any';
  readonly windowMs: number;
  /** The archive holds what has left the window, or everything, or everything but the last hour. */
  readonly archive: 'older' | 'all' | 'all-but-an-hour';
  /** Chance that a page holds a row twice. */
  readonly repeats: number;
  /** Times are kept finer than they are shown. */
  readonly finer: boolean;
}

export type Draw = () => number;

/** Uniform in [0, 1), the same for the same seed. */
export function drawing(seed: number): Draw {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const whole = (draw: Draw, below: number): number => Math.floor(draw() * below);

export interface Asked {
  readonly endpoint: EndpointName;
  readonly query: Query;
  readonly limit: number;
}

/**
 * Whether the venue takes what is asked, at its strictest: windows end behind their beginning, and before 72 hours are
 * full.
 */
export function isTaken({ query }: Asked, longestMs: number): boolean {
  if (query.by === 'window') return query.to > query.from && query.to - query.from < longestMs && query.from >= 0;
  return true;
}

/** One page, as the list stands at `now`. */
export function pageAt<Row extends TrueRow>(
  venue: { readonly rows: readonly Row[]; readonly law: Law; readonly draw: Draw },
  asked: Asked,
  now: EpochMs,
): Row[] {
  const { law, draw, rows } = venue;
  const matching = rows.filter(
    (row) => isListed(row, { law, endpoint: asked.endpoint, now }) && matches(keptOf(row, law), asked.query),
  );
  const tie = new Map(matching.map((row) => [row, draw()]));
  const byId = (a: Row, b: Row): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
  const byTime = (a: Row, b: Row): number =>
    keptOf(a, law).time - keptOf(b, law).time ||
    (law.ties === 'by-id' ? byId(a, b) : (tie.get(a) ?? 0) - (tie.get(b) ?? 0));
  const sorted = matching.sort(asked.query.by === 'from-id' ? byId : byTime);
  const most = Math.min(asked.limit, law.cap);
  const part = law.part[asked.query.by] === 'oldest' ? sorted.slice(0, most) : sorted.slice(-most);
  return withRepeats(ordered(part, venue), venue, most);
}

/** Every row is shown by one of the two lists from `shownAt` on. */
function isListed(row: TrueRow, at: { law: Law; endpoint: EndpointName; now: EpochMs }): boolean {
  const { law, endpoint, now } = at;
  if (row.shownAt > now) return false;
  const isRecent = row.time >= now - law.windowMs;
  if (endpoint === 'recent') return isRecent;
  if (law.archive === 'older') return !isRecent;
  return law.archive === 'all' || !isRecent || row.time < now - 3_600_000;
}

/** As the venue keeps it: half a millisecond later than it shows, for some. */
function keptOf(row: TrueRow, law: Law): TrueRow {
  return law.finer && row.id % 3n === 0n ? { ...row, time: row.time + 0.5 } : row;
}

function matches(row: TrueRow, query: Query): boolean {
  switch (query.by) {
    case 'start':
      return row.time >= query.from;
    case 'end':
      return row.time <= query.to;
    case 'window':
      return row.time >= query.from && row.time <= query.to;
    case 'from-id':
      return row.id >= BigInt(query.id);
  }
}

function ordered<Row>(rows: Row[], { law, draw }: { law: Law; draw: Draw }): Row[] {
  if (law.order === 'oldest-first') return rows;
  if (law.order === 'newest-first') return rows.reverse();
  const keyed = rows.map((row) => ({ row, key: draw() }));
  return keyed.sort((a, b) => a.key - b.key).map(({ row }) => row);
}

/** A repeated row takes the place of another, or comes on top. */
function withRepeats<Row>(rows: Row[], { law, draw }: { law: Law; draw: Draw }, most: number): Row[] {
  const [first] = rows;
  if (first === undefined || draw() >= law.repeats) return rows;
  return rows.length < most || draw() < 0.5 ? [...rows, first] : rows;
}
