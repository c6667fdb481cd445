import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomStream } from '../../../src/crowd/random.ts';
import type { PublicTrade } from '../../../src/domain/fill.ts';
import { DEFAULT_ESTIMATES, type TradeRateSettings } from '../../../src/estimates/estimate.ts';
import {
  coverageOf,
  joinPage,
  NO_TRADE_RATE,
  type TradeRate,
  tradeRateAt,
  withCoverage,
} from '../../../src/estimates/trade-rate.ts';
import { every, poissonTrades, poll } from './poisson-market.ts';
import { tradeAt } from './public-trades.ts';

const settings = DEFAULT_ESTIMATES.tradeRate;
const unforgetting = { ...settings, halfLifeMs: 1e18 };

class Watch {
  tail: readonly PublicTrade[] = [];
  rate: TradeRate = NO_TRADE_RATE;
  coveredTo: number | null = null;
  gaps = 0;
  readonly settings: TradeRateSettings;

  constructor(using: TradeRateSettings) {
    this.settings = using;
  }

  read(page: readonly PublicTrade[], sentAt: number): void {
    const joined = joinPage(this.tail, page);
    const coverage = coverageOf(joined, { sentAt, coveredTo: this.coveredTo });
    this.tail = joined.tail;
    if (joined.hasGap) this.gaps += 1;
    if (!joined.isBehind) this.coveredTo = sentAt;
    if (coverage !== null) this.rate = withCoverage(this.rate, coverage, { sentAt, settings: this.settings });
  }
}

const spaced = (count: number, stepMs: number, from = 0): PublicTrade[] =>
  Array.from({ length: count }, (_, index) => tradeAt(from + index * stepMs, 100 + index));

test('where nobody trades it is exactly 0 once it was looked at for long enough, and unknown before', () => {
  const looked = (to: number) => {
    const rate = withCoverage(
      NO_TRADE_RATE,
      { from: 0, to, trades: [], isWithinPage: false },
      { sentAt: to, settings },
    );
    return tradeRateAt(rate, to, settings);
  };
  expect(looked(settings.minLookedMs)).toEqual({ kind: 'known', value: 0, samples: 0, ageMs: 0 });
  expect(looked(settings.minLookedMs / 2).kind).toBe('unknown');
});

describe('of one page', () => {
  test('it is (n − 2)/(t_last − t_first)', () => {
    const watch = new Watch(unforgetting);
    watch.read(spaced(20, 1_000), 19_000);
    expect(tradeRateAt(watch.rate, 19_000, settings)).toEqual({
      kind: 'known',
      value: expect.closeTo(18 / 19, 6),
      samples: 19,
      ageMs: 0,
    });
    // However long ago that is when it is asked.
    const later = tradeRateAt(watch.rate, 200_000, settings);
    expect(later).toMatchObject({ kind: 'known', value: expect.closeTo(18 / 19, 6), ageMs: 181_000 });
  });

  test('that is short, or within one millisecond, it is unknown', () => {
    const watch = new Watch(settings);
    expect(tradeRateAt(watch.rate, 0, settings)).toEqual({
      kind: 'unknown',
      samples: 0,
      ageMs: null,
      why: 'Nothing was read yet.',
    });
    watch.read(spaced(20, 0), 5);
    expect(tradeRateAt(watch.rate, 9, settings).kind).toBe('unknown');
    watch.read(spaced(3, 1_000, 50), 2_500);
    expect(tradeRateAt(watch.rate, 2_500, settings)).toMatchObject({ kind: 'unknown', samples: 1 });
  });
});

test('no trades for long enough are a rate of zero; a look that is too old is none', () => {
  const watch = new Watch(settings);
  const page = [tradeAt(-3e7, 100), tradeAt(-2e7, 101)];
  for (const moment of every(30_000, 580_000)) watch.read(page, moment);
  expect(tradeRateAt(watch.rate, 580_000, settings)).toMatchObject({
    kind: 'unknown',
    why: '0.0 trades in 402 s, older ones in part; 5 are needed, or 10 min.',
  });
  for (const moment of [600_000, 630_000, 660_000]) watch.read(page, moment);
  expect(tradeRateAt(watch.rate, 660_000, settings)).toMatchObject({ kind: 'known', ageMs: 0 });
  expect(tradeRateAt(watch.rate, 660_000, settings)).toMatchObject({ value: expect.closeTo(0, 6) });
  expect(tradeRateAt(watch.rate, 1_000_000, settings)).toMatchObject({
    kind: 'unknown',
    why: 'The last look was 340 s ago; 300 s are the most.',
  });
});

test('a page that came late, or empty, leaves the time to the next one', () => {
  const watch = new Watch(unforgetting);
  const trades = spaced(30, 1_000);
  watch.read(trades.slice(0, 10), 9_500);
  watch.read([], 12_500);
  watch.read(trades.slice(0, 5), 15_500);
  watch.read(trades.slice(5, 25), 24_500);
  // 9 within the first page of 9 s, then 15 in 15 s; 9 of 24 parts of one trade are the correction.
  expect(tradeRateAt(watch.rate, 24_500, settings)).toMatchObject({ value: expect.closeTo((24 - 9 / 24) / 24, 6) });
});

test('what is a half-life old counts half', () => {
  const watch = new Watch({ ...settings, halfLifeMs: 100_000 });
  const quiet = spaced(11, 10_000);
  watch.read(quiet, 100_000);
  for (const moment of every(10_000, 1_000_000)) watch.read(quiet, 100_000 + moment);
  const busy = [...quiet, ...spaced(100, 1_000, 1_100_001)];
  for (const moment of every(10_000, 100_000)) watch.read(busy.slice(0, 11 + moment / 1_000), 1_100_000 + moment);
  // Half of all that counts is the last hundred seconds: one trade per second.
  const rate = tradeRateAt(watch.rate, 1_200_000, settings);
  expect(rate).toMatchObject({ kind: 'known', value: expect.closeTo(0.5, 2) });
});

describe('of a Poisson stream, polled with pages of 20 (within four standard errors and 2 % for the stops)', () => {
  test.each([
    ['slow, all pages join', 0.1, 60_000, 0, 0.01],
    ['half of the pages are gaps', 0.5, 40_000, 0.3, 0.8],
    ['most pages are gaps', 0.5, 60_000, 0.8, 1],
    ['all pages are gaps', 20, 30_000, 1, 1],
  ])('%s', (name, perSecond, stepMs, fewestGaps, mostGaps) => {
    const seconds = 800 * (stepMs / 1_000);
    const stream = randomStream(1, name);
    const trades = poissonTrades(stream, { perSecond, seconds, takerSide: 'buy', priceAt: () => 100 });
    const watch = new Watch(unforgetting);
    poll(trades, { moments: every(stepMs, seconds * 1_000), length: 20 }, (page, at) => watch.read(page, at));
    const gapShare = watch.gaps / 799;
    expect(gapShare).toBeGreaterThanOrEqual(fewestGaps);
    expect(gapShare).toBeLessThanOrEqual(mostGaps);
    const estimate = tradeRateAt(watch.rate, seconds * 1_000, settings);
    expect(estimate.kind).toBe('known');
    if (estimate.kind === 'unknown') return;
    const error = estimate.value / perSecond - 1;
    expect(Math.abs(error)).toBeLessThan(4 / Math.sqrt(estimate.samples) + 0.02);
  });
});

test('it is never negative, and no number that is not finite', () => {
  const row = fc.record({ at: fc.integer({ min: 0, max: 600_000 }), price: fc.integer({ min: 1, max: 3 }) });
  const page = fc.record({ rows: fc.array(row, { maxLength: 25 }), sentAt: fc.integer({ min: 0, max: 900_000 }) });
  fc.assert(
    fc.property(fc.array(page, { maxLength: 20 }), fc.integer({ min: 0, max: 1_000_000 }), (pages, now) => {
      const watch = new Watch(settings);
      for (const { rows, sentAt } of pages)
        watch.read(
          rows.map(({ at, price }) => tradeAt(at, price)),
          sentAt,
        );
      const estimate = tradeRateAt(watch.rate, now, settings);
      expect(estimate.samples).toBeGreaterThanOrEqual(0);
      if (estimate.kind === 'known') expect(estimate.value >= 0 && Number.isFinite(estimate.value)).toBe(true);
    }),
  );
});
