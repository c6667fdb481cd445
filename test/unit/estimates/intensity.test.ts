import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_ESTIMATES, type Estimate, type Intensity } from '../../../src/estimates/estimate.ts';
import { intensityAt } from '../../../src/estimates/intensity.ts';
import { type BookMid, NO_TAKERS, type Taker, type TakerSample, withTakers } from '../../../src/estimates/takers.ts';
import { tradeAt } from './public-trades.ts';
import { polled, type TakerMarket } from './taker-market.ts';

const settings = { ...DEFAULT_ESTIMATES.intensity, halfLifeMs: 1e12 };
const quiet = { now: 0, volatilityBps: 0 };

/** Takers on the buy side at these distances, of 100 s, all just now. */
function sampleOf(distances: readonly number[], halfSpreadBps: number, midAgeMs = 0): TakerSample {
  const takers = distances.map((distanceBps): Taker => ({ at: 0, distanceBps, halfSpreadBps, midAgeMs }));
  return { ...NO_TAKERS, takers: { buy: takers, sell: [] }, spans: [{ from: -100_000, to: 0 }], lastAt: 0 };
}

const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
/** Of 60 takers 1, 2, …, 60 bps beyond 10 bps: the mean excess is 30.5 bps. */
const evenly = (count: number): number[] => range(count).map((index) => 11 + index);

function known(found: Estimate<Intensity>): Intensity {
  expect(found).toMatchObject({ kind: 'known' });
  return found.kind === 'known' ? found.value : { perSecond: Number.NaN, decayPerBps: Number.NaN };
}

describe('by hand', () => {
  test('k = (n − 1)/Σ(d − d_min), A = n/T·e^(k·d_min)', () => {
    const found = intensityAt(sampleOf(evenly(60), 10), 'buy', quiet, settings);
    const k = 59 / (60 * 30.5);
    expect(found).toMatchObject({ kind: 'known', samples: 60, ageMs: 0 });
    expect(known(found).decayPerBps).toBeCloseTo(k, 9);
    expect(known(found).perSecond).toBeCloseTo((60 / 100) * Math.exp(k * 10), 6);
  });

  test('a stale mid price inflates A by (e^x − 1)/x, x = k²σ²D/2', () => {
    // Ages of 5 s on average: D = 10 s. d_min is 10 + 1.5·2·√10 = 19.49 bps.
    const found = known(intensityAt(sampleOf(evenly(100), 10, 5_000), 'buy', { now: 0, volatilityBps: 2 }, settings));
    const [n, k, fromBps] = [91, found.decayPerBps, 10 + 3 * Math.sqrt(10)];
    const x = (k ** 2 * 4 * 10) / 2;
    const inflation = (Math.exp(x) - 1) / x;
    expect(found.perSecond).toBeCloseTo(((n / 100) * Math.exp(k * fromBps)) / inflation, 6);
  });

  test('sixty takers are needed', () => {
    expect(intensityAt(sampleOf(evenly(59), 10), 'buy', quiet, settings)).toMatchObject({
      kind: 'unknown',
      samples: 59,
      why: '59 takers far enough from the mid price were seen; 60 are needed.',
    });
  });

  test.each([
    ['all at the touch', range(80).map(() => 10), 0, 'All takers were at one distance, 10.00 bps.'],
    [
      'far out and close together',
      range(80).map((index) => 10 + index / 200),
      0,
      'Takers go 0.20 bps beyond 10.0 bps: that says nothing about the mid price.',
    ],
    [
      'a wild mid price',
      range(80).map((index) => 57.5 + index / 8),
      10,
      'The mid price moves too much between two books to measure from it.',
    ],
  ])('no fit of takers %s', (_what, distances, volatilityBps, why) => {
    const found = intensityAt(sampleOf(distances, 10, 5_000), 'buy', { now: 0, volatilityBps }, settings);
    expect(found).toMatchObject({ kind: 'unknown', why });
  });

  test('it says when nothing was read, or not for long', () => {
    expect(intensityAt(NO_TAKERS, 'sell', quiet, settings)).toMatchObject({ kind: 'unknown', ageMs: null });
    expect(intensityAt(sampleOf(evenly(60), 10), 'buy', { ...quiet, now: 601_000 }, settings)).toMatchObject({
      kind: 'unknown',
      ageMs: 601_000,
    });
  });
});

describe('a taker', () => {
  const mids: readonly BookMid[] = [0, 10_000].map((at) => ({ at, price: 100, halfSpreadBps: 5, tickBps: 1 }));
  const noted = (trades: Parameters<typeof tradeAt>[]): TakerSample => {
    const coverage = { from: 0, to: 200_000, trades: trades.map((of) => tradeAt(...of)) };
    return withTakers(NO_TAKERS, { coverage, sentAt: 200_000, mids }, settings);
  };

  test('that sells fills our bid, at its outermost price of that millisecond', () => {
    const { takers } = noted([
      [2_000, 99.9, 'sell'],
      [2_000, 99.8, 'sell'],
      [2_000, 100.1, 'buy'],
      [10_700, 99.9, 'sell'],
    ]);
    expect(takers.buy).toEqual([
      { at: 2_000, distanceBps: expect.closeTo(20, 9), halfSpreadBps: 5, midAgeMs: 2_000 },
      { at: 10_700, distanceBps: expect.closeTo(10, 9), halfSpreadBps: 5, midAgeMs: 700 },
    ]);
    expect(takers.sell).toHaveLength(1);
  });

  test('counts only where a mid price is known from before it, and so does the time', () => {
    const { takers, spans } = noted([
      [499, 99.9, 'sell'],
      // Within the margin of the clocks: measured from the book before.
      [10_499, 99.9, 'sell'],
      [99_999, 99.9, 'sell'],
      [100_000, 99.9, 'sell'],
    ]);
    expect(takers.buy.map(({ at, midAgeMs }) => [at, midAgeMs])).toEqual([
      [10_499, 10_499],
      [99_999, 89_999],
    ]);
    expect(spans).toEqual([{ from: 500, to: 100_000 }]);
  });

  test('that is dropped takes its time with it', () => {
    const trades = range(1_000).map((index): Parameters<typeof tradeAt> => [600 + index * 10, 99.9, 'sell']);
    const { takers, since } = noted(trades);
    expect(takers.buy).toHaveLength(400);
    expect(since.buy).toBe((takers.buy[0]?.at ?? 0) - 10);
  });
});

describe('A and k of simulated takers, polled by pages of twenty', () => {
  const usual = { decayPerBps: 0.08, halfSpreadBps: 10, seconds: 7_200, pageEveryMs: 60_000, pageLength: 20 };
  const markets: [string, Omit<TakerMarket, 'name'>, number][] = [
    ['a mid that rests', { ...usual, perSecond: 0.2, sigma: 0, bookEveryMs: 10_000 }, 0],
    ['a mid that is stale', { ...usual, perSecond: 0.2, sigma: 2, bookEveryMs: 10_000 }, 0],
    ['a gap before each page', { ...usual, perSecond: 1, sigma: 1, bookEveryMs: 10_000 }, 119],
  ];

  test.each(markets)('are found within four standard errors: %s', (what, market, gapsOfEach) => {
    const errors = { perSecond: [] as number[], decay: [] as number[] };
    for (const run of range(20)) {
      const { sample, gaps } = polled({ ...market, name: `${what} ${run}` }, DEFAULT_ESTIMATES.intensity);
      expect(gaps).toBeGreaterThanOrEqual(gapsOfEach);
      for (const side of ['buy', 'sell'] as const) {
        const moment = { now: 7_200_000, volatilityBps: market.sigma };
        const estimate = intensityAt(sample, side, moment, DEFAULT_ESTIMATES.intensity);
        const found = known(estimate);
        const standardError = 1 / Math.sqrt(estimate.samples);
        const [perSecond, decay] = [
          Math.log(found.perSecond / market.perSecond),
          Math.log(found.decayPerBps / market.decayPerBps),
        ];
        // A book is up to ten seconds old.
        const wayBack = market.decayPerBps * (market.halfSpreadBps + 1.5 * market.sigma * Math.sqrt(10));
        expect(Math.abs(decay)).toBeLessThan(4 * standardError);
        expect(Math.abs(perSecond)).toBeLessThan(4 * standardError * Math.hypot(1, wayBack));
        errors.perSecond.push(perSecond);
        errors.decay.push(decay);
      }
    }
    // And on average, where a bias would show. What a stale mid leaves is 1 or 2 % of A.
    for (const all of [errors.perSecond, errors.decay]) {
      const mean = all.reduce((sum, error) => sum + error, 0) / all.length;
      const spread = Math.sqrt(all.reduce((sum, error) => sum + (error - mean) ** 2, 0) / all.length);
      expect(Math.abs(mean)).toBeLessThan((4 * spread) / Math.sqrt(all.length) + 0.02);
    }
  });
});

test('of any trades and mids it is finite and above zero, and bounded in memory', () => {
  const mid = fc.record({
    at: fc.nat(500_000),
    price: fc.double({ min: 90, max: 110, noNaN: true }),
    halfSpreadBps: fc.double({ min: 0, max: 300, noNaN: true }),
  });
  const deal = fc.tuple(
    fc.nat(600_000),
    fc.integer({ min: 1, max: 200 }),
    fc.constantFrom<'buy' | 'sell'>('buy', 'sell'),
  );
  const law = { ...DEFAULT_ESTIMATES.intensity, minTakers: 2 };
  const sigma = fc.constantFrom(null, 0, 0.5, 20);
  fc.assert(
    fc.property(
      fc.array(mid, { maxLength: 30 }),
      fc.array(deal, { maxLength: 80 }),
      sigma,
      (books, deals, volatilityBps) => {
        const mids = books.map((book) => ({ ...book, tickBps: 1 })).sort((a, b) => a.at - b.at);
        const trades = deals
          .map(([at, price, side]) => tradeAt(at, price, side))
          .sort((a, b) => a.venueTime - b.venueTime);
        const coverage = { from: 0, to: 600_000, trades };
        let sample = withTakers(NO_TAKERS, { coverage, sentAt: 600_000, mids }, law);
        sample = withTakers(sample, { coverage: { ...coverage, from: 600_000 }, sentAt: 620_000, mids }, law);
        for (const side of ['buy', 'sell'] as const) {
          const found = intensityAt(sample, side, { now: 630_000, volatilityBps }, law);
          expect(found.samples).toBeGreaterThanOrEqual(0);
          if (found.kind === 'unknown') continue;
          const { perSecond, decayPerBps } = found.value;
          for (const each of [perSecond, decayPerBps]) expect(each > 0 && Number.isFinite(each)).toBe(true);
        }
      },
    ),
  );
});
