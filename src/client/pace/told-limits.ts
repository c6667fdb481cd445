// The limits that headers told lately: pure. Answers of different kinds may name different ones, in turns. Times are
// monotonic.
import { type DurationMs, MINUTE } from '../../domain/time.ts';

/** The highest of the span before, and of the one that began at `since`; zero where none was told. */
export interface ToldLimits {
  readonly before: number;
  readonly lately: number;
  readonly since: DurationMs;
}

/** What no answer has told for so long, or twice as long at most, is told no more. */
const SPAN_MS: DurationMs = 2 * MINUTE;

export const NO_LIMITS: ToldLimits = { before: 0, lately: 0, since: Number.NEGATIVE_INFINITY };

export function limitTold(limits: ToldLimits, limit: number, now: DurationMs): ToldLimits {
  if (now - limits.since < SPAN_MS) return { ...limits, lately: Math.max(limits.lately, limit) };
  return { before: limits.lately, lately: limit, since: now };
}

/** Whether that is more than the exchange allowed before: not only more than another kind of its answers says. */
export function isRaise({ before, lately }: ToldLimits, limit: number): boolean {
  const highest = Math.max(before, lately);
  return highest > 0 && limit > highest;
}
