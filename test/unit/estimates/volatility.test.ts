import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { normal, type RandomStream, randomStream, uniform } from '../../../src/crowd/random.ts';
import { DEFAULT_ESTIMATES, type Estimate } from '../../../src/estimates/estimate.ts';
import { type MidMoves, type MidSeen, NO_MID_MOVES, volatilityAt, withMid } from '../../../src/estimates/volatility.ts';

const settings = DEFAULT_ESTIMATES.volatility;
/** So long that nothing is forgotten in a test. */
const unforgetting = { ...settings, halfLifeMs: Number.POSITIVE_INFINITY };

function watch(mids: readonly MidSeen[], using = unforgetting): MidMoves {
  return mids.reduce((moves, mid) => withMid(moves, mid, using), NO_MID_MOVES);
}

function estimate(mids: readonly MidSeen[], using = unforgetting): Estimate {
  return volatilityAt(watch(mids, using), mids.at(-1)?.at ?? 0, using);
}

interface Path {
  readonly stream: RandomStream;
  readonly steps: number;
  /** bps per √s. */
  readonly sigma: number;
  readonly stepMs: () => number;
  /** As a share of the price; 0: not rounded. */
  readonly tick: number;
  /** The mid is off by half a tick, up or down by chance. */
  readonly bounces?: boolean;
  /** Added to the logarithm at these steps, in bps. */
  readonly jumps?: ReadonlyMap<number, number>;
}

/** A geometric Brownian path, starting at 1. */
function brownian({ stream, steps, sigma, stepMs, tick, bounces = false, jumps }: Path): MidSeen[] {
  let [log, at] = [0, 0];
  return Array.from({ length: steps }, (_, index) => {
    const elapsed = stepMs();
    at += elapsed;
    log += (sigma * Math.sqrt(elapsed / 1_000) * normal(stream) + (jumps?.get(index) ?? 0)) / 10_000;
    const bounce = bounces ? (uniform(stream) < 0.5 ? -0.5 : 0.5) : 0;
    const exact = Math.exp(log);
    const price = tick > 0 ? (Math.round(exact / tick) + bounce) * tick : exact;
    return { at, price, tickBps: (tick / exact) * 10_000 };
  });
}

function knownValue(found: Estimate): number {
  expect(found.kind).toBe('known');
  return found.kind === 'known' ? found.value : Number.NaN;
}

describe('on a Brownian path of 3 bps per √s', () => {
  // The relative standard error of a realized volatility is 1/√(2n), that of a bipower one about 1/√(2n/1.3) more.
  test.each([
    ['books every 5 to 60 s', 'irregular', (stream: RandomStream) => () => 5_000 + 55_000 * uniform(stream)],
    ['books every second: steps of 5 s', 'fast', () => () => 1_000],
    ['books every 60 s', 'slow', () => () => 60_000],
  ])('it is found within four standard errors: %s', (_what, name, stepsOf) => {
    const stream = randomStream(1, name);
    const stepMs = stepsOf(stream);
    const found = estimate(brownian({ stream, steps: 10_000, sigma: 3, stepMs, tick: 0 }));
    const standardError = 1 / Math.sqrt((2 * found.samples) / 1.3);
    expect(Math.abs(knownValue(found) / 3 - 1)).toBeLessThan(4 * standardError);
    expect(found.samples).toBeGreaterThan(1_900);
  });

  test('jumps of one percent are not in it', () => {
    const jumps = new Map(Array.from({ length: 20 }, (_, index) => [index * 100 + 50, index % 2 ? 100 : -100]));
    const path = { steps: 2_000, sigma: 3, stepMs: () => 10_000, tick: 0 };
    const calm = knownValue(estimate(brownian({ ...path, stream: randomStream(2, 'jumps') })));
    const jumping = brownian({ ...path, stream: randomStream(2, 'jumps'), jumps });
    const realized = Math.sqrt(20 * 100 ** 2 + 2_000 * 90) / Math.sqrt(20_000);
    // Realized variance would more than double; a jump still meets the steps beside it.
    expect(realized).toBeGreaterThan(1.4 * calm);
    expect(knownValue(estimate(jumping)) / calm).toBeGreaterThan(0.95);
    expect(knownValue(estimate(jumping)) / calm).toBeLessThan(1.2);
  });

  test('what is several half-lives old is forgotten', () => {
    const stream = randomStream(3, 'calms');
    const wild = brownian({ stream, steps: 500, sigma: 10, stepMs: () => 10_000, tick: 0 });
    const end = wild.at(-1)?.at ?? 0;
    const calm = brownian({ stream, steps: 500, sigma: 2, stepMs: () => 10_000, tick: 0 });
    const found = estimate([...wild, ...calm.map((mid) => ({ ...mid, at: mid.at + end }))], settings);
    // 500 steps are 8 half-lives: about 87 steps count.
    expect(found.samples).toBe(87);
    expect(Math.abs(knownValue(found) / 2 - 1)).toBeLessThan(4 / Math.sqrt(2 * 87));
  });
});

describe('where ticks are large', () => {
  test('a bounce of the mid by a tick does not inflate it: longer steps are used', () => {
    // σ√5 = 0.45 ticks, σ√80 = 1.8 ticks: rounding and bouncing would make 0.6 ticks of each step of 5 s.
    const tick = 1e-4;
    const path = { steps: 40_000, sigma: 0.2, stepMs: () => 5_000, tick, bounces: true };
    const mids = brownian({ ...path, stream: randomStream(4, 'bounce') });
    const naive = Math.sqrt(
      mids.slice(1).reduce((sum, mid, index) => sum + Math.log(mid.price / (mids[index]?.price ?? 1)) ** 2, 0) /
        (mids.length * 5),
    );
    expect((naive * 10_000) / 0.2).toBeGreaterThan(1.8);
    const found = estimate(mids);
    expect(knownValue(found) / 0.2).toBeGreaterThan(0.9);
    expect(knownValue(found) / 0.2).toBeLessThan(1.2);
  });

  test('only bounces: unknown, until the longest steps say how small it is at most', () => {
    const bounce = Array.from({ length: 4_000 }, (_, index) => ({
      at: index * 5_000,
      price: index % 3 === 0 ? 100 : 100.1,
      tickBps: 10,
    }));
    expect(estimate(bounce.slice(0, 100), settings)).toMatchObject({
      kind: 'unknown',
      why: 'The price moves less than 1.5 ticks in a step of 10 s, and longer ones were seen too few.',
    });
    expect(knownValue(estimate(bounce, settings))).toBeLessThan(10 / Math.sqrt(160));
  });

  test('a price that never moves has a volatility of 0, once enough was seen', () => {
    const still = Array.from({ length: 21 }, (_, index) => ({ at: index * 5_000, price: 100, tickBps: 10 }));
    expect(estimate(still)).toEqual({ kind: 'known', value: 0, samples: 20, ageMs: 0 });
    expect(estimate(still.slice(0, 20))).toEqual({
      kind: 'unknown',
      samples: 19,
      ageMs: 0,
      why: '19 steps of the price were seen; 20 are needed.',
    });
  });
});

test('before the first book, and long after the last, it is unknown', () => {
  expect(volatilityAt(NO_MID_MOVES, 5, settings)).toMatchObject({ kind: 'unknown', ageMs: null });
  const path = { steps: 100, sigma: 3, stepMs: () => 10_000, tick: 0 };
  const moves = watch(brownian({ ...path, stream: randomStream(5, 'old') }));
  expect(volatilityAt(moves, 1_120_000, settings).kind).toBe('known');
  expect(volatilityAt(moves, 1_121_000, settings)).toMatchObject({
    kind: 'unknown',
    ageMs: 121_000,
    why: 'The last look was 121 s ago; 120 s are the most.',
  });
});

test('an hour without books is no step', () => {
  const path = { steps: 100, sigma: 3, stepMs: () => 10_000, tick: 0 };
  const before = brownian({ ...path, stream: randomStream(6, 'pause') });
  const after = before.map((mid) => ({ ...mid, at: mid.at + 3_600_000, price: mid.price * 1.1 }));
  const ratio = knownValue(estimate([...before, ...after])) / knownValue(estimate(before));
  expect(ratio).toBeGreaterThan(0.98);
  expect(ratio).toBeLessThan(1.02);
});

test('of any books it is finite and not negative, and the same books again change nothing', () => {
  const book = fc.record({
    elapsed: fc.integer({ min: 0, max: 900_000 }),
    price: fc.double({ min: 1e-8, max: 1e8, noNaN: true }),
    tickBps: fc.constantFrom(0, 0.01, 1, 500),
  });
  fc.assert(
    fc.property(fc.array(book, { maxLength: 60 }), fc.nat(100_000), (books, wait) => {
      let at = 0;
      const mids = books.map(({ elapsed, price, tickBps }) => {
        at += elapsed;
        return { at, price, tickBps };
      });
      const moves = watch(mids, settings);
      const found = volatilityAt(moves, at + wait, settings);
      expect(found.samples).toBeGreaterThanOrEqual(0);
      if (found.kind === 'known') expect(found.value >= 0 && Number.isFinite(found.value)).toBe(true);
      expect(mids.reduce((state, mid) => withMid(state, mid, settings), moves)).toBe(moves);
    }),
  );
});
