// The stretches of time that were read completely. Whole milliseconds, both ends included; an end may be infinite.
import { compareTradeIds, type TradeId } from '../domain/ids.ts';
import type { EpochMs } from '../domain/time.ts';

/** When a row happened, and its id where the list has ids. */
export interface RowKey {
  readonly time: EpochMs;
  readonly id: TradeId | null;
}

export interface Span {
  readonly from: EpochMs;
  readonly to: EpochMs;
}

/** Every row of this span was on a page. `first` and `last` are the outermost; `null` without rows. */
interface Stretch extends Span {
  readonly first: RowKey | null;
  readonly last: RowKey | null;
}

/** Disjoint, oldest first. */
export type Coverage = readonly Stretch[];

/** An uncovered span, with the nearest known covered rows on both sides: a page that begins there overlaps. */
export interface Hole extends Span {
  readonly before: RowKey | null;
  readonly after: RowKey | null;
}

export const NOTHING_COVERED: Coverage = [];

/** By time, then by id. */
export function compareKeys(a: RowKey, b: RowKey): number {
  if (a.time !== b.time) return a.time - b.time;
  return a.id === null || b.id === null ? 0 : compareTradeIds(a.id, b.id);
}

/** Adds a completely read span; `keys` are the rows of its page, in order. */
export function cover(coverage: Coverage, span: Span, keys: readonly RowKey[]): Coverage {
  if (span.from > span.to) return coverage;
  const within = keys.filter(({ time }) => time >= span.from && time <= span.to);
  return merge(coverage, { ...span, first: within[0] ?? null, last: within.at(-1) ?? null });
}

function merge(coverage: Coverage, stretch: Stretch): Coverage {
  const touches = (other: Stretch): boolean => other.from <= stretch.to + 1 && other.to >= stretch.from - 1;
  const joined = coverage.filter(touches).reduce(join, stretch);
  return [...coverage.filter((other) => !touches(other)), joined].sort((a, b) => (a.from < b.from ? -1 : 1));
}

function join(a: Stretch, b: Stretch): Stretch {
  return {
    from: Math.min(a.from, b.from),
    to: Math.max(a.to, b.to),
    first: outer(a.first, b.first, -1),
    last: outer(a.last, b.last, 1),
  };
}

function outer(a: RowKey | null, b: RowKey | null, direction: 1 | -1): RowKey | null {
  if (a === null || b === null) return a ?? b;
  return compareKeys(a, b) * direction >= 0 ? a : b;
}

/** Both together. */
export function union(a: Coverage, b: Coverage): Coverage {
  return b.reduce(merge, a);
}

/** The part from `edge` on, without earlier rows. */
export function coveredFrom(coverage: Coverage, edge: EpochMs): Coverage {
  const inside = (key: RowKey | null): RowKey | null => (key !== null && key.time >= edge ? key : null);
  return coverage
    .filter(({ to }) => to >= edge)
    .map(({ from, to, first, last }) => ({ from: Math.max(from, edge), to, first: inside(first), last: inside(last) }));
}

/** The uncovered parts of the span, oldest first. */
export function holesIn(coverage: Coverage, span: Span): Hole[] {
  const holes: Hole[] = [];
  let from = span.from;
  let before: RowKey | null = null;
  for (const stretch of coverage) {
    if (stretch.to < from) {
      if (stretch.to === from - 1) before = stretch.last;
      continue;
    }
    if (stretch.from > span.to) {
      // Only an adjacent stretch helps: between others and the span nothing is known.
      const after = stretch.from === span.to + 1 ? stretch.first : null;
      if (from <= span.to) holes.push({ from, to: span.to, before, after });
      return holes;
    }
    if (stretch.from > from) holes.push({ from, to: stretch.from - 1, before, after: stretch.first });
    if (stretch.to >= span.to) return holes;
    from = stretch.to + 1;
    before = stretch.last;
  }
  if (from <= span.to) holes.push({ from, to: span.to, before, after: null });
  return holes;
}

/** Known rows in the span: some may be missing, but all of these exist. */
export function rowsIn(coverage: Coverage, span: Span): readonly RowKey[] {
  return outermostOf(coverage).filter(({ time }) => time >= span.from && time <= span.to);
}

const outermostOf = (coverage: Coverage): readonly RowKey[] =>
  coverage.flatMap(({ first, last }) => [first, last]).filter((key) => key !== null);

/** The last known row before a moment. */
export function rowBefore(coverage: Coverage, moment: EpochMs): RowKey | null {
  const before = outermostOf(coverage).filter(({ time }) => time < moment);
  return before.reduce<RowKey | null>((best, key) => (best === null || compareKeys(key, best) > 0 ? key : best), null);
}

/** The last moment up to which everything from `from` on is covered; `from` − 1 if nothing is. */
export function reachOf(coverage: Coverage, from: EpochMs): EpochMs {
  return coverage.find((stretch) => stretch.from <= from && stretch.to >= from)?.to ?? from - 1;
}
