import { describe, expect, test } from '@jest/globals';
import { randomStream, uniform } from '../../../src/crowd/random.ts';
import {
  countSnapshot,
  type MicroPriceCounts,
  microPriceBps,
  microPriceTable,
  type Snapshot,
  startMicroPrice,
} from '../../../src/models/micro-price.ts';

const SHAPE = { imbalanceBuckets: 4, mostSpreadTicks: 2 };
const MOVE_BPS = 10;

/** A market that rises with the chance of its imbalance, one step in two; imbalances are drawn anew each time. */
function learned(looks: number): MicroPriceCounts {
  const stream = randomStream('micro-price', 'test');
  let counts = startMicroPrice(SHAPE);
  let mid = 1_000;
  let imbalanceRatio = 0.5;
  for (let look = 0; look < looks; look += 1) {
    counts = countSnapshot(counts, { imbalanceRatio, spreadTicks: 1, mid });
    const moves = uniform(stream) < 0.5;
    const up = uniform(stream) < imbalanceRatio;
    if (moves) mid *= 1 + (up ? MOVE_BPS : -MOVE_BPS) / 10_000;
    imbalanceRatio = uniform(stream);
  }
  return counts;
}

const look = (imbalanceRatio: number, spreadTicks = 1): Snapshot => ({ imbalanceRatio, spreadTicks, mid: 1_000 });

describe('the micro-price', () => {
  const counts = learned(40_000);
  const table = microPriceTable(counts);
  const at = (imbalanceRatio: number, spreadTicks?: number): number =>
    microPriceBps(counts, table, look(imbalanceRatio, spreadTicks));

  test('is where the mid price goes: up where bids are larger, by what is known of the chain', () => {
    // One step ahead of the state: (2I − 1)·10 bps with even odds of a move, and what comes after it has mean 0. A look
    // without a move changes the state as well: the mean of the first move is half from here and half from anywhere.
    for (const [ratio, mean] of [
      [0.9, 0.875],
      [0.6, 0.625],
      [0.4, 0.375],
      [0.1, 0.125],
    ] as const)
      expect(Math.abs(at(ratio) - 0.5 * (2 * mean - 1) * MOVE_BPS)).toBeLessThan(0.25);
  });

  test('is the same both ways: nothing is known of one side that is not of the other', () => {
    expect(at(0.9)).toBeCloseTo(-at(0.1), 9);
    expect(at(0.6)).toBeCloseTo(-at(0.4), 9);
  });

  test('of a state that was never seen it says nothing', () => {
    expect([at(0.9, 2), at(0.1, 7)]).toEqual([0, 0]);
    const empty = startMicroPrice(SHAPE);
    expect(microPriceTable(empty).every((value) => value === 0)).toBe(true);
  });

  test('the solution of a chain that can be solved by hand', () => {
    // Two states, mirrored: from the upper one the mid price always rises by 10 bps and the lower one follows, whose
    // move is −10 bps. G₁ = (10, −10), B exchanges them: the terms cancel pairwise.
    let chain = startMicroPrice({ imbalanceBuckets: 2, mostSpreadTicks: 1 });
    chain = countSnapshot(chain, { imbalanceRatio: 0.9, spreadTicks: 1, mid: 1_000 });
    chain = countSnapshot(chain, { imbalanceRatio: 0.1, spreadTicks: 1, mid: 1_001 });
    for (const value of microPriceTable(chain)) expect(value).toBeCloseTo(0, 9);
    // Here the state stays as it is: each of the six terms adds its 10 bps.
    let steady = startMicroPrice({ imbalanceBuckets: 2, mostSpreadTicks: 1 });
    steady = countSnapshot(steady, { imbalanceRatio: 0.9, spreadTicks: 1, mid: 1_000 });
    steady = countSnapshot(steady, { imbalanceRatio: 0.9, spreadTicks: 1, mid: 1_001 });
    expect(microPriceTable(steady)).toEqual([expect.closeTo(-60, 9), expect.closeTo(60, 9)]);
  });

  test('counting leaves what was counted before as it was', () => {
    const before = startMicroPrice(SHAPE);
    const one = countSnapshot(before, look(0.9));
    const two = countSnapshot(one, { ...look(0.9), mid: 1_001 });
    expect(one).toEqual({ ...before, last: look(0.9) });
    expect(two.samples).toBe(1);
    expect(before.samples + one.samples).toBe(0);
  });
});
