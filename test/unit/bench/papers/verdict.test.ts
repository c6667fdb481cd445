import { describe, expect, test } from '@jest/globals';
import { experimentLines } from '../../../../bench/papers/avellaneda-stoikov.ts';
import { gueantLehalleLines } from '../../../../bench/papers/gueant-lehalle.ts';
import { queueRaceLines } from '../../../../bench/papers/queue-race.ts';
import { deviationOf, linesOf, meanOf, shareOf, verdictOf } from '../../../../bench/papers/verdict.ts';
import { normal, randomStream } from '../../../../src/crowd/random.ts';
import { PAPER_RATES } from '../../../../src/crowd/zero-intelligence.ts';

const figure = (value: number, error = 0) => ({ value, error });

describe('a verdict', () => {
  test.each([
    [figure(10), figure(10.39, 0.1), 'agrees'],
    [figure(10), figure(10.41, 0.1), 'OFF'],
    // Both have errors: √(0.3² + 0.4²) = 0.5.
    [figure(10, 0.3), figure(11.99, 0.4), 'agrees'],
    [figure(10, 0.3), figure(12.01, 0.4), 'OFF'],
    [figure(20.47208533844371), figure(20.47208533844), 'agrees'],
    [figure(20.47208533844371), figure(20.472086), 'OFF'],
    [null, figure(1), 'not judged'],
  ])('%j beside %j: %s', (published, measured, expected) => {
    expect(verdictOf({ published, measured })).toBe(expected);
  });

  test('lines stand in columns', () => {
    const line = { name: 'width', published: null, measured: figure(1.5, 0.25), digits: 2 };
    expect(linesOf([line])).toEqual(['       published  measured', 'width  –          1.50 ± 0.25  not judged']);
  });
});

test('means, deviations and shares come with the errors that they have', () => {
  const stream = randomStream('papers', 'test');
  const many = Array.from({ length: 20_000 }, () => 3 + 2 * normal(stream));
  const [mean, sd] = [meanOf(many), deviationOf(many)];
  expect(Math.abs(mean.value - 3)).toBeLessThan(4 * mean.error);
  expect(mean.error).toBeCloseTo(2 / Math.sqrt(20_000), 3);
  expect(Math.abs(sd.value - 2)).toBeLessThan(4 * sd.error);
  // Of a normal distribution sd/√(2n).
  expect(sd.error).toBeCloseTo(2 / Math.sqrt(40_000), 3);
  expect(shareOf(1, 4)).toEqual({ value: 0.25, error: Math.sqrt((0.25 * 0.75) / 4) });
});

test('a few runs of each paper: judged by the same rule as many', () => {
  const paper = { mid: 100, sigma: 2, gamma: 0.1, k: 1.5, a: 140, dt: 0.005, runs: 60, seed: 'smoke' };
  const lines = [
    ...experimentLines(paper),
    ...gueantLehalleLines({ seed: 'smoke', fills: 20_000 }),
    ...queueRaceLines({ rates: PAPER_RATES, races: 400, seed: 'smoke', isPaper: true }),
  ];
  expect(lines.map(verdictOf).filter((verdict) => verdict === 'OFF')).toEqual([]);
  expect(lines.map(verdictOf).filter((verdict) => verdict === 'agrees')).toHaveLength(20);
  // Another γ has no published figure here; another k neither.
  expect(experimentLines({ ...paper, k: 1.4, runs: 2 }).map(verdictOf)).not.toContain('agrees');
});
