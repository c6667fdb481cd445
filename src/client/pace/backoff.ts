// How long to wait before asking again: exponential, with full jitter, capped.
import type { DurationMs } from '../../domain/time.ts';
import type { Random } from '../../ports/random.ts';

export interface BackoffSettings {
  /** Upper bound of the first delay. */
  readonly baseMs: DurationMs;
  /** Upper bound of every delay. */
  readonly capMs: DurationMs;
}

/** Uniform in [0, min(cap, base × 2^(strikes − 1))): clients that failed together don't come back together. */
export function backoffDelay(strikes: number, settings: BackoffSettings, random: Random): DurationMs {
  if (strikes < 1) return 0;
  return random.next() * Math.min(settings.capMs, settings.baseMs * 2 ** Math.min(strikes - 1, 52));
}
