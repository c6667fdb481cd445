import { describe, expect, test } from '@jest/globals';
import { experimentLines } from '../../../../bench/papers/avellaneda-stoikov.ts';
import { gueantLehalleLines } from '../../../../bench/papers/gueant-lehalle.ts';
import { queueRaceLines } from '../../../../bench/papers/queue-race.ts';
import { deviationOf, linesOf, meanOf, ratioOf, shareOf, verdictOf } from '../../../../bench/papers/verdict.ts';
import { normal, randomStream } from '../../../../src/crowd/random.ts';
import { PAPER_RATES } from '../../../../src/crowd/zero-intelligence.ts';

const PAPER = { mid: 100, sigma: 2, gamma: 0.1, k: 1.5, a: 140, dt: 0.005, runs: 60, seed: 'smoke' };

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
  expect(shareOf(2_500, 10_000).value).toBe(0.25);
  expect(shareOf(2_500, 10_000).error).toBeCloseTo(Math.sqrt((0.25 * 0.75) / 10_000), 5);
  // Of four none hit: as if one of six had, 5/6 had not.
  expect(shareOf(0, 4)).toEqual({ value: 0, error: Math.sqrt(5 / 36 / 4) });
  // 3 % and 4 % of error make 5 %.
  const ratio = ratioOf(figure(6, 0.18), figure(4, 0.16));
  expect([ratio.value, ratio.error]).toEqual([1.5, expect.closeTo(0.075, 12)]);
});

test('a few runs of each paper: judged by the same rule as many', () => {
  const lines = [
    ...experimentLines(PAPER),
    ...gueantLehalleLines({ seed: 'smoke', fills: 20_000 }),
    ...queueRaceLines({ rates: PAPER_RATES, races: 400, seed: 'smoke', isPaper: true }),
  ];
  expect(lines.map(verdictOf).filter((verdict) => verdict === 'OFF')).toEqual([]);
  expect(lines.map(verdictOf).filter((verdict) => verdict === 'agrees')).toHaveLength(20);
  // Another γ has no published figure here; another k neither.
  expect(experimentLines({ ...PAPER, k: 1.4, runs: 2 }).map(verdictOf)).not.toContain('agrees');
});

test('event by event, the mean spread is that of half the time left, whatever γ is', () => {
  const lines = experimentLines({ ...PAPER, gamma: 1, runs: 200 });
  const spread = lines.find(({ name }) => name === 'inventory strategy, event by event: spread')?.measured.value;
  // γσ²/2 + (2/γ)·ln(1 + γ/k).
  expect(spread).toBeCloseTo(2 + 2 * Math.log(1 + 1 / 1.5), 9);
});
