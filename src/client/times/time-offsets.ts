// By how much the times of a list are written off, as far as its answers show it against their `Date`.
import { type DurationMs, type EpochMs, HOUR, MINUTE } from '../../domain/time.ts';
import type { ReadKind } from '../../venue/requests.ts';

/** Offsets are whole quarter hours, written time − true time; Indian time written as UTC is 5 h 30 min ahead. */
export const QUARTER: DurationMs = 15 * MINUTE;

/**
 * `at-least`: rows would be from the future without it; the whole offset may be larger where no row was young.
 * `proved`: bounded from both sides, by a row that can't be older than an earlier answer.
 */
type OffsetEvidence = 'none' | 'at-least' | 'proved';

export interface TimeOffset {
  /** Zero where answers show nothing. */
  readonly measuredMs: DurationMs;
  readonly evidence: OffsetEvidence;
}

/** Possible offsets, in quarter hours, both ends included. */
export interface OffsetRange {
  readonly least: number;
  readonly most: number;
}

/** The rows of one answer, to be compared with those of the next. */
export interface Page {
  readonly venueDate: EpochMs;
  /** By the names of the rows. */
  readonly times: ReadonlyMap<string, EpochMs>;
  readonly newest: EpochMs;
}

/** What answers have shown so far; `observe-times.ts` adds to it. */
export interface TimeOffsets {
  readonly ranges: ReadonlyMap<ReadKind, OffsetRange>;
  /** How often new rows of a list looked older than its answer before: one of them may just be listed late. */
  readonly behind: ReadonlyMap<ReadKind, number>;
  /** The last page of each question. */
  readonly pages: ReadonlyMap<string, Page>;
  /** The last `Date` less our monotonic time; null before the first. */
  readonly aheadMs: DurationMs | null;
}

export const startTimeOffsets = (): TimeOffsets => ({
  ...{ ranges: new Map(), behind: new Map(), pages: new Map(), aheadMs: null },
});

/** No time zone is further from UTC: 12 hours behind, 14 ahead. */
export const POSSIBLE: OffsetRange = { least: (-12 * HOUR) / QUARTER, most: (14 * HOUR) / QUARTER };
/** No time zone is nearer to UTC: rows that are less ahead are of a clock that runs ahead. */
const NEAREST = HOUR / QUARTER;

export function timeOffsetOf({ ranges }: TimeOffsets, kind: ReadKind): TimeOffset {
  const { least, most } = ranges.get(kind) ?? POSSIBLE;
  if (least === most) return { measuredMs: least * QUARTER, evidence: 'proved' };
  if (least < 0 || (least > 0 && least < NEAREST)) return { measuredMs: 0, evidence: 'none' };
  return { measuredMs: least * QUARTER, evidence: 'at-least' };
}
