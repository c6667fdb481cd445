// What time it is, and the only wall clock of the program.
import type { DurationMs, EpochMs } from '../domain/time.ts';

export interface Clock {
  /** Wall time; may step. For stamps and for people. */
  now(): EpochMs;
  /** Never goes back; for durations and timeouts. Its zero means nothing. */
  monotonic(): DurationMs;
}

/**
 * Wall time as it was when the process began, and the monotonic clock since: a wall clock that is set back by an hour
 * would make everything that was read an hour young, and one that is set ahead would end every wait at once. What the
 * difference to the exchange's clock is, its answers tell.
 */
export const realClock: Clock = {
  now: () => Math.round(performance.timeOrigin + performance.now()),
  monotonic: () => performance.now(),
};
