// One answer with its rate-limit headers, as the reasoning about windows takes it.
import type { DurationMs, EpochMs } from '../../../domain/time.ts';
import type { Moment } from '../facts/venue-time.ts';

/** One answer of one lane that carried all three headers. */
export interface RateSample {
  /** When it was made, by the exchange's clock. */
  readonly made: Moment;
  readonly limit: number;
  readonly remaining: number;
  readonly resetAt: EpochMs;
  /** How far `resetAt` may be off by its rounding. */
  readonly roundingMs: DurationMs;
}

export interface Bounds {
  readonly lowMs: DurationMs;
  readonly highMs: DurationMs;
}

/** A sample under one reading of its reset: the window ends within these. */
export interface EndedSample extends RateSample {
  readonly end: Moment;
}

/** The first request of its window. */
export const isFresh = ({ limit, remaining }: RateSample): boolean => remaining === limit - 1;
