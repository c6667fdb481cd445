// Time, and the only wall clock of the program.
import type { DurationMs, EpochMs } from '../domain/time.ts';

export interface Clock {
  /** Wall time; may step. For stamps and for people. */
  now(): EpochMs;
  /** Never goes back; for durations and timeouts. Its zero is arbitrary. */
  monotonic(): DurationMs;
}

/**
 * Wall time at the process's start plus the monotonic clock since: a wall clock set back by an hour would make all data
 * look an hour younger, and one set ahead would end every wait at once. The difference to the exchange's clock is
 * learned from its answers.
 */
export const realClock: Clock = {
  now: () => Math.round(performance.timeOrigin + performance.now()),
  monotonic: () => performance.now(),
};
