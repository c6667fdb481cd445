// Randomness as an argument: seeded in the simulator and the paper exchange, the system's elsewhere.
import { randomInt } from 'node:crypto';

export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
}

const RANGE = 2 ** 47;

/** For jitter and ids, never for keys. */
export const realRandom: Random = {
  next: () => randomInt(RANGE) / RANGE,
};
