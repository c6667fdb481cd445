// The specification's bounds of parameters as types, so that requests the exchange would refuse don't compile.
import { fail, ok, type Result } from '../domain/result.ts';
import { type DurationMs, type EpochMs, HOUR } from '../domain/time.ts';

/** The whole numbers from 1 to `Most`. */
type UpTo<Most extends number, Counted extends 0[] = [0], Found = never> = Counted['length'] extends Most
  ? Found | Most
  : UpTo<Most, [...Counted, 0], Found | Counted['length']>;

/** Rows that may be requested from a list: 1–50 (specification 8). */
export type ListLimit = UpTo<50>;

export const LIST_LIMIT_DEFAULT: ListLimit = 20;
export const LIST_LIMIT_MAX: ListLimit = 50;

/** Converts a number to a limit. */
export function listLimit(rows: number): Result<ListLimit> {
  return Number.isInteger(rows) && rows >= 1 && rows <= LIST_LIMIT_MAX
    ? ok(rows as ListLimit)
    : fail(`A list can be asked for 1 to ${LIST_LIMIT_MAX} rows, not for ${rows}.`);
}

/** Longest window of the trade lists (specification 8). */
export const TRADE_WINDOW_MAX_MS: DurationMs = 72 * HOUR;

declare const brand: unique symbol;

/** From `startTime` to `endTime`, both included; made by `timeRange`. */
export interface TimeRange {
  readonly startTime: EpochMs;
  readonly endTime: EpochMs;
  readonly [brand]: 'range' | 'trade-window';
}

/** A range of at most 72 hours, as the trade lists require; made by `tradeWindow`. */
export interface TradeWindow extends TimeRange {
  readonly [brand]: 'trade-window';
}

/** Epoch milliseconds, whole, not before 1970, start not after end. */
export function timeRange(startTime: EpochMs, endTime: EpochMs): Result<TimeRange> {
  const whole = [startTime, endTime].every((moment) => Number.isSafeInteger(moment) && moment >= 0);
  if (!whole) return fail(`From ${startTime} to ${endTime}: both must be whole milliseconds since epoch.`);
  if (startTime > endTime) return fail(`From ${startTime} to ${endTime}: the start is after the end.`);
  return ok({ startTime, endTime } as TimeRange);
}

/** The same, and no longer than 72 hours. */
export function tradeWindow(startTime: EpochMs, endTime: EpochMs): Result<TradeWindow> {
  const range = timeRange(startTime, endTime);
  if (!range.ok) return range;
  if (endTime - startTime > TRADE_WINDOW_MAX_MS) {
    return fail(`From ${startTime} to ${endTime} are more than ${TRADE_WINDOW_MAX_MS / HOUR} hours.`);
  }
  return ok(range.value as TradeWindow);
}
