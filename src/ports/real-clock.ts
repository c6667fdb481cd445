// The machine's clock.
import type { Clock } from './clock.ts';

export const realClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
