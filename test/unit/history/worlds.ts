// Every combination of what the venue may do, what the account did, and what is asked: for property tests.
import fc from 'fast-check';
import { tradeId } from '../../../src/domain/ids.ts';
import { DAY, type DurationMs, HOUR, MINUTE, SECOND } from '../../../src/domain/time.ts';
import type { TimesTarget, TradesTarget } from '../../../src/history/state.ts';
import { type Draw, type Law, type TrueRow, whole } from './oracle-list.ts';
import { NOW, type Shape, SPANS } from './true-rows.ts';

const part = fc.constantFrom<('oldest' | 'newest')[]>('oldest', 'newest');

const laws: fc.Arbitrary<Law> = fc.record({
  order: fc.constantFrom<Law['order'][]>('newest-first', 'oldest-first', 'unordered'),
  cap: fc.constantFrom(20, 35, 50),
  part: fc.record({ start: part, end: part, window: part, 'from-id': part }),
  ties: fc.constantFrom<Law['ties'][]>('by-id', 'any'),
  windowMs: fc.constantFrom(DAY, 7 * DAY, 30 * DAY, 90 * DAY),
  archive: fc.constantFrom<Law['archive'][]>('older', 'all', 'all-but-an-hour'),
  repeats: fc.constantFrom(0, 0.2),
  finer: fc.boolean(),
});

const shapes: fc.Arbitrary<Shape> = fc.record({
  rows: fc.integer({ min: 0, max: 400 }),
  spanMs: fc.constantFrom(...SPANS),
  crowds: fc.constantFrom(null, null, 3, 12, 60),
  arrivals: fc.constantFrom(0, 0, 5, 80),
  laggards: fc.boolean(),
});

export const worlds = fc.record({
  law: laws,
  shape: shapes,
  stepMs: fc.constantFrom<DurationMs[]>(1, 3 * SECOND, MINUTE, HOUR),
  seed: fc.nat(),
});

/** From a random row on, or from some time before it; to the present, or to some time before that. */
export function timesIn(rows: readonly TrueRow[], draw: Draw): TimesTarget {
  const row = shownIn(rows, draw);
  const from = row === null ? NOW - 3 * DAY : row.time - whole(draw, 2) * whole(draw, 3 * DAY);
  return { by: 'between', from, to: draw() < 0.5 ? null : from + whole(draw, NOW - from + 1) };
}

/** Behind a random trade that the venue shows; by time where there is none. */
export function behindOneOf(rows: readonly TrueRow[], draw: Draw): TradesTarget {
  const row = shownIn(rows, draw);
  if (row === null) return timesIn(rows, draw);
  return { by: 'after', cursor: { tradeId: tradeId(String(row.id)), venueTime: row.time } };
}

function shownIn(rows: readonly TrueRow[], draw: Draw): TrueRow | null {
  const shown = rows.filter((row) => row.shownAt <= NOW);
  return shown[whole(draw, shown.length)] ?? null;
}

/** Most rows of two milliseconds in a row: a window for one of them holds both. */
export function densest(rows: readonly TrueRow[]): number {
  const moments = Map.groupBy(rows, ({ time }) => time);
  const counts = [...moments].map(([time, { length }]) => length + (moments.get(time + 1)?.length ?? 0));
  return Math.max(0, ...counts);
}

/** Milliseconds with half a page of rows or more. */
export function crowdsIn(rows: readonly TrueRow[]): number {
  return [...Map.groupBy(rows, ({ time }) => time).values()].filter(({ length }) => length >= 10).length;
}
