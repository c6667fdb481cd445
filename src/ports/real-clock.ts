// The machine's clock.
import type { Clock } from './clock.ts';

/**
 * Wall time as it was when the process began, and the monotonic clock since: a wall clock that is set back by an hour
 * would make everything that was read an hour young, and one that is set ahead would end every wait at once. What the
 * difference to the exchange's clock is, its answers tell.
 */
export const realClock: Clock = {
  now: () => Math.round(performance.timeOrigin + performance.now()),
  monotonic: () => performance.now(),
};
