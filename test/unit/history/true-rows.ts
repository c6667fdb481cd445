// Random histories of an account: quiet, steady, in bursts, many in one millisecond; ids beyond 2^53; late rows; rows
// to come.
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/domain/time.ts';
import { type Draw, type TrueRow, whole } from './oracle-list.ts';

export const NOW = 1_700_000_000_000;
export const LAG_BOUND = 120 * SECOND;

export interface Shape {
  readonly rows: number;
  readonly spanMs: number;
  /** How many milliseconds the rows crowd into; `null`: each has its own time. */
  readonly crowds: number | null;
  /** Rows that happen while the list is read. */
  readonly arrivals: number;
  readonly laggards: boolean;
}

/** Sorted by time and by id alike. */
export function trueRows(shape: Shape, draw: Draw): TrueRow[] {
  const crowded = shape.crowds === null ? null : Array.from({ length: shape.crowds }, () => momentIn(shape, draw));
  const past = Array.from(
    { length: shape.rows },
    () => crowded?.[whole(draw, crowded.length)] ?? momentIn(shape, draw),
  );
  const coming = Array.from({ length: shape.arrivals }, () => NOW + whole(draw, 10 * MINUTE));
  let id = draw() < 0.5 ? 2n ** 53n - 40n + BigInt(whole(draw, 80)) : BigInt(1 + whole(draw, 9_990));
  return [...past, ...coming]
    .sort((a, b) => a - b)
    .map((time) => {
      id += BigInt(1 + whole(draw, 5));
      const lag = shape.laggards && draw() < 0.5 ? whole(draw, LAG_BOUND) : 0;
      return { id, time, shownAt: time + lag };
    });
}

/** Half of the rows lie close together near some moments. */
function momentIn({ spanMs }: Shape, draw: Draw): number {
  const age = draw() * spanMs;
  if (draw() < 0.5) return NOW - Math.floor(age);
  const near = (Math.floor(age / (spanMs / 3)) + 0.5) * (spanMs / 3);
  return NOW - Math.max(0, Math.floor(near + (draw() - 0.5) * Math.min(HOUR, spanMs)));
}

export const SPANS = [2 * SECOND, MINUTE, HOUR, DAY, 5 * DAY, 40 * DAY, 200 * DAY] as const;
