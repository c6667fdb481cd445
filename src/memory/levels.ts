// How finely what happened is remembered, and for how long: the older, the coarser. Every level is written at once, so
// that growing old is only being deleted.
import type { Calendar } from '../books/local-time.ts';
import { DAY, type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from '../domain/time.ts';

export const LEVELS = ['second', 'minute', 'quarter', 'day'] as const;
export type Level = (typeof LEVELS)[number];

export interface LevelBounds {
  /** Length of a bucket; days of a change of clocks are longer or shorter. */
  readonly stepMs: DurationMs;
  /** Prices, quotes, inventory and equity are kept for so long. */
  readonly pointsMs: DurationMs;
  /** Counts and times; zero where a level has none. */
  readonly countsMs: DurationMs;
}

/**
 * Days are those of the books' time zone, so that a report adds up whole buckets. Quarter hours, not hours: each time
 * zone is at a whole number of them from every other.
 */
export const BOUNDS: Readonly<Record<Level, LevelBounds>> = {
  second: { stepMs: SECOND, pointsMs: 6 * HOUR, countsMs: 0 },
  minute: { stepMs: MINUTE, pointsMs: 7 * DAY, countsMs: 0 },
  quarter: { stepMs: 15 * MINUTE, pointsMs: 400 * DAY, countsMs: 14 * DAY },
  day: { stepMs: DAY, pointsMs: 20 * 366 * DAY, countsMs: 20 * 366 * DAY },
};

/** What was wanted and why not: each change of it. */
export const DECISIONS_KEPT_MS: DurationMs = 6 * HOUR;
/** The newest of each symbol, whatever their age; the newest notices of all. */
export const DECISIONS_KEPT = 20_000;
export const NOTICES_KEPT = 20_000;
/** Marks for charts: the executions themselves are in the journal for ever. */
export const FILLS_KEPT = 100_000;

/** Where the bucket of a moment begins. */
export function bucketOf(level: Level, at: EpochMs, calendar: Calendar): EpochMs {
  if (level === 'day') return calendar.beginning(calendar.dayOf(at));
  const { stepMs } = BOUNDS[level];
  return Math.floor(at / stepMs) * stepMs;
}

const POINT_LEVELS = LEVELS.toReversed();

/**
 * The level that shows [from, to) in about so many points: the coarsest that has as many, of those that still reach
 * back to `from`.
 */
export function levelFor({ from, to, points, now }: SpanOfPoints): Level {
  const reaching = POINT_LEVELS.filter((level) => from >= now - BOUNDS[level].pointsMs);
  const fine = reaching.find((level) => (to - from) / BOUNDS[level].stepMs >= points);
  return fine ?? reaching.at(-1) ?? 'day';
}

export interface SpanOfPoints {
  readonly from: EpochMs;
  readonly to: EpochMs;
  readonly points: number;
  readonly now: EpochMs;
}
