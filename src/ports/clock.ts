// What time it is. The only place besides real-clock.ts that knows of a wall clock is whoever made the Clock.
import type { DurationMs, EpochMs } from '../domain/time.ts';

export interface Clock {
  /** Wall time; may step. For stamps and for people. */
  now(): EpochMs;
  /** Never goes back; for durations and timeouts. Its zero means nothing. */
  monotonic(): DurationMs;
}
