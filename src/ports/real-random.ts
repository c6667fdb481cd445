// The machine's randomness: for jitter and ids, never for keys.
import { randomInt } from 'node:crypto';
import type { Random } from './random.ts';

const RANGE = 2 ** 47;

export const realRandom: Random = {
  next: () => randomInt(RANGE) / RANGE,
};
