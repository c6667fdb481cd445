// Seeded randomness whose state is plain data: the same seed gives the same market, even after a restore.

/**
 * The four 32-bit words of a small fast counting generator (sfc32 of C. Doty-Humphrey's PractRand). The functions below
 * write the next state into it: a stream has one owner.
 */
export interface RandomStream {
  a: number;
  b: number;
  c: number;
  counter: number;
}

const WARM_UP_ROUNDS = 12;

/**
 * The stream of this name under this seed. Streams of other names are independent of it, so that a new use of
 * randomness does not change other draws.
 */
export function randomStream(seed: number | string, name: string): RandomStream {
  const text = `${seed}/${name}`;
  const stream: RandomStream = {
    a: wordOf(text, 0x9e3779b9),
    b: wordOf(text, 0x85ebca6b),
    c: wordOf(text, 0xc2b2ae35),
    counter: 1,
  };
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) nextWord(stream);
  return stream;
}

/**
 * Thirty-two bits of a text: a multiplicative hash (FNV-1a) from a given start, finished by xor-shifts and
 * multiplications.
 */
function wordOf(text: string, start: number): number {
  let word = start | 0;
  for (let i = 0; i < text.length; i += 1) word = Math.imul(word ^ text.charCodeAt(i), 0x01000193);
  word = Math.imul(word ^ (word >>> 15), 0x2c1b3c6d);
  word = Math.imul(word ^ (word >>> 12), 0x297a2d39);
  return (word ^ (word >>> 15)) >>> 0;
}

function nextWord(stream: RandomStream): number {
  const word = (stream.a + stream.b + stream.counter) | 0;
  stream.counter = (stream.counter + 1) >>> 0;
  stream.a = (stream.b ^ (stream.b >>> 9)) >>> 0;
  stream.b = (stream.c + (stream.c << 3)) >>> 0;
  stream.c = (((stream.c << 21) | (stream.c >>> 11)) + word) >>> 0;
  return word >>> 0;
}

/** Uniform in [0, 1), 53 bits. */
export function uniform(stream: RandomStream): number {
  const high = nextWord(stream) >>> 5;
  const low = nextWord(stream) >>> 6;
  return (high * 2 ** 26 + low) / 2 ** 53;
}

/** Exponential with this mean; never infinite. */
export function exponential(stream: RandomStream, mean: number): number {
  return -mean * Math.log(1 - uniform(stream));
}

/** Normal with mean 0 and standard deviation 1 (Box and Muller's cosine half: the other half would be state). */
export function normal(stream: RandomStream): number {
  const radius = Math.sqrt(exponential(stream, 2));
  return radius * Math.cos(2 * Math.PI * uniform(stream));
}

/** True with this probability. */
export function chance(stream: RandomStream, probability: number): boolean {
  return uniform(stream) < probability;
}

/** A whole number in [0, count). */
export function pick(stream: RandomStream, count: number): number {
  return Math.floor(uniform(stream) * count);
}

/** The index of a weight, drawn in proportion; the weights are not negative and not all zero. */
export function pickWeighted(stream: RandomStream, weights: readonly number[]): number {
  let left = uniform(stream) * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    left -= weight;
    if (left < 0) return index;
  }
  return weights.length - 1;
}
