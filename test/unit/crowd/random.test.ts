import { describe, expect, test } from '@jest/globals';
import {
  chance,
  exponential,
  normal,
  pick,
  pickWeighted,
  type RandomStream,
  randomStream,
  uniform,
} from '../../../src/crowd/random.ts';

const DRAWS = 100_000;

function sample(draw: (stream: RandomStream) => number, name = 'sample'): number[] {
  const stream = randomStream(7, name);
  return Array.from({ length: DRAWS }, () => draw(stream));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const center = mean(values);
  return Math.sqrt(mean(values.map((value) => (value - center) ** 2)));
}

describe('a random stream', () => {
  test('is given by its seed and name alone', () => {
    const first = randomStream(1, 'flow');
    const again = randomStream(1, 'flow');
    expect(Array.from({ length: 5 }, () => uniform(first))).toEqual(Array.from({ length: 5 }, () => uniform(again)));
  });

  test.each([
    [1, 'latent'],
    [2, 'flow'],
    ['one', 'flow'],
  ])('differs under seed %s and name %s', (seed, name) => {
    expect(uniform(randomStream(seed, name))).not.toBe(uniform(randomStream(1, 'flow')));
  });

  test('goes on from its state after a trip through JSON', () => {
    const stream = randomStream(3, 'flow');
    uniform(stream);
    const copy: RandomStream = JSON.parse(JSON.stringify(stream));
    expect(Array.from({ length: 9 }, () => uniform(copy))).toEqual(Array.from({ length: 9 }, () => uniform(stream)));
  });

  test('streams of one seed and neighbouring names are uncorrelated', () => {
    const a = sample(uniform, 'a');
    const b = sample(uniform, 'b');
    const product = mean(a.map((value, index) => (value - 0.5) * ((b[index] ?? 0) - 0.5))) * 12;
    expect(Math.abs(product)).toBeLessThan(4 / Math.sqrt(DRAWS));
  });
});

describe('draws (four standard errors of 100,000)', () => {
  test('uniform fills [0, 1) evenly', () => {
    const values = sample(uniform);
    expect(Math.min(...values.slice(0, 1_000))).toBeGreaterThanOrEqual(0);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    const buckets = Array.from(
      { length: 20 },
      (_, index) => values.filter((value) => Math.floor(value * 20) === index).length,
    );
    expect(buckets.every((count) => Math.abs(count - DRAWS / 20) < 4 * Math.sqrt(DRAWS / 20))).toBe(true);
  });

  test('exponential has its mean as mean and deviation', () => {
    const values = sample((stream) => exponential(stream, 30));
    expect(Math.abs(mean(values) - 30)).toBeLessThan((4 * 30) / Math.sqrt(DRAWS));
    expect(Math.abs(deviation(values) - 30)).toBeLessThan((4 * 30 * Math.SQRT2) / Math.sqrt(DRAWS));
  });

  test('normal has mean 0, deviation 1 and thin tails', () => {
    const values = sample(normal);
    expect(Math.abs(mean(values))).toBeLessThan(4 / Math.sqrt(DRAWS));
    expect(Math.abs(deviation(values) - 1)).toBeLessThan(4 / Math.sqrt(2 * DRAWS));
    const beyondTwo = values.filter((value) => Math.abs(value) > 2).length / DRAWS;
    expect(Math.abs(beyondTwo - 0.0455)).toBeLessThan(4 * Math.sqrt((0.0455 * 0.9545) / DRAWS));
  });

  test('chance, pick and pickWeighted hit in proportion', () => {
    const error = 4 * Math.sqrt(0.25 / DRAWS);
    expect(Math.abs(mean(sample((stream) => (chance(stream, 0.3) ? 1 : 0))) - 0.3)).toBeLessThan(error);
    const picked = sample((stream) => pick(stream, 3));
    const weighted = sample((stream) => pickWeighted(stream, [1, 0, 3]));
    expect([...new Set(picked)].sort()).toEqual([0, 1, 2]);
    expect([...new Set(weighted)].sort()).toEqual([0, 2]);
    expect(Math.abs(mean(weighted) / 2 - 0.75)).toBeLessThan(error);
  });
});
