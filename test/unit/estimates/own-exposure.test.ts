import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { chance, randomStream, uniform } from '../../../src/crowd/random.ts';
import { DEFAULT_ESTIMATES, type Estimate } from '../../../src/estimates/estimate.ts';
import {
  NO_EXPOSURE,
  type OwnExposure,
  type OwnIntensity,
  ownIntensityAt,
  withOwnFill,
  withOwnQuote,
} from '../../../src/estimates/own-exposure.ts';

const settings = { ...DEFAULT_ESTIMATES.intensity, halfLifeMs: 1e15 };

/** Seconds at distances, then so many fills at distances; all until now. */
function exposureOf(quotes: readonly [number, number][], fills: readonly [number, number][]): OwnExposure {
  let exposure = NO_EXPOSURE;
  for (const [distanceBps, seconds] of quotes)
    exposure = withOwnQuote(exposure, { distanceBps, forMs: seconds * 1_000, at: 0 }, settings);
  for (const [distanceBps, times] of fills)
    for (let time = 0; time < times; time += 1) exposure = withOwnFill(exposure, { distanceBps, at: 0 }, settings);
  return exposure;
}

function known(found: Estimate<OwnIntensity>): OwnIntensity {
  expect(found).toMatchObject({ kind: 'known' });
  return found.kind === 'known'
    ? found.value
    : { madeOf: 'own fills', perSecond: Number.NaN, decayPerBps: Number.NaN, fromBps: 0, decayErrorPerBps: 0 };
}

describe('with two distances the truth is counts over time', () => {
  // 60 fills in 600 s at 10 bps, 30 in 1,200 s at 20 bps: 0.1 and 0.025 per second, so k = ln 4 / 10.
  const exposure = exposureOf(
    [
      [10, 600],
      [20, 1_200],
    ],
    [
      [10, 60],
      [20, 30],
    ],
  );

  test('k and A solve both', () => {
    const found = known(ownIntensityAt(exposure, 0, settings));
    expect(found.decayPerBps).toBeCloseTo(Math.log(4) / 10, 9);
    expect(found.perSecond).toBeCloseTo(0.4, 9);
    expect(found.fromBps).toBeCloseTo(40 / 3, 9);
    // Var d = 100·(2/3)·(1/3); 90 fills.
    expect(found.decayErrorPerBps).toBeCloseTo(1 / Math.sqrt((90 * 200) / 9), 9);
  });

  test('fewer than sixty fills are refused', () => {
    const thin = exposureOf([[10, 200]], [[10, 59]]);
    expect(ownIntensityAt(thin, 0, settings)).toMatchObject({ kind: 'unknown', samples: 59 });
  });

  test('it is unknown long after', () => {
    expect(ownIntensityAt(exposure, 600_001, settings)).toMatchObject({ kind: 'unknown', ageMs: 600_001 });
    expect(ownIntensityAt(NO_EXPOSURE, 0, settings)).toMatchObject({ kind: 'unknown', ageMs: null });
  });
});

test.each<[string, [number, number][], [number, number][]]>([
  ['Own quotes rested at one distance only.', [[10, 100]], [[10, 80]]],
  [
    'Own quotes were not filled more often where they were nearer.',
    [
      [10, 100],
      [20, 100],
    ],
    [
      [10, 40],
      [20, 40],
    ],
  ],
  [
    'Own quotes were filled at their least distance only.',
    [
      [10, 100],
      [20, 100],
    ],
    [[10, 80]],
  ],
  [
    'Own quotes rested at distances too alike to tell how takers get fewer with distance.',
    [
      [10, 100],
      [11, 100],
    ],
    [
      [10, 41],
      [11, 39],
    ],
  ],
])('%s', (why, quotes, fills) => {
  expect(ownIntensityAt(exposureOf(quotes, fills), 0, settings)).toMatchObject({ kind: 'unknown', why });
});

test('A and k of simulated fills are found within four standard errors', () => {
  const [A, k] = [0.3, 0.06];
  const stream = randomStream(1, 'own fills');
  let exposure = NO_EXPOSURE;
  let distanceBps = 25;
  for (let at = 1_000; at <= 20_000_000; at += 1_000) {
    if (chance(stream, 0.05)) distanceBps = 5 + 40 * uniform(stream);
    exposure = withOwnQuote(exposure, { distanceBps, forMs: 1_000, at }, settings);
    if (chance(stream, -Math.expm1(-A * Math.exp(-k * distanceBps))))
      exposure = withOwnFill(exposure, { distanceBps, at }, settings);
  }
  const estimate = ownIntensityAt(exposure, 20_000_000, settings);
  const found = known(estimate);
  expect(estimate.samples).toBeGreaterThan(1_000);
  expect(Math.abs(found.decayPerBps - k)).toBeLessThan(4 * found.decayErrorPerBps);
  const error = Math.hypot(1 / Math.sqrt(estimate.samples), found.fromBps * found.decayErrorPerBps);
  // Two fills in one second count once: less than the rate by half of it.
  expect(Math.abs(Math.log(found.perSecond / A))).toBeLessThan(4 * error + 0.05);
});

test.each([
  [[-50, -0.1, 0, 0.4999], 1],
  [[0.4999, 0.5], 2],
  [[0.5, 0.5249], 1],
  [[0.5249, 0.5251], 2],
])('distances under half a basis point share a bin, others within a twentieth: %j', (distances, bins) => {
  const quotes = distances.map((distanceBps): [number, number] => [distanceBps, 1]);
  expect(exposureOf(quotes, []).bins.size).toBe(bins);
});

test('what is a half-life old counts half', () => {
  const fast = { ...settings, halfLifeMs: 60_000 };
  let exposure = withOwnQuote(NO_EXPOSURE, { distanceBps: 10, forMs: 100_000, at: 0 }, fast);
  exposure = withOwnFill(exposure, { distanceBps: 10, at: 0 }, fast);
  exposure = withOwnFill(exposure, { distanceBps: 30, at: 60_000 }, fast);
  expect(exposure.fills).toBeCloseTo(1.5, 12);
  expect(exposure.fillsBps).toBeCloseTo(35, 12);
  expect([...exposure.bins.values()][0]?.seconds).toBeCloseTo(50, 12);
  // One that comes late counts as what it is, and takes nothing from what is known.
  const late = withOwnFill(exposure, { distanceBps: 10, at: 0 }, fast);
  expect(late.fills).toBeCloseTo(2, 12);
  expect(late.lastAt).toBe(60_000);
});

/** At 7,451 bps in the mean. */
const FAR_FILLS = [
  { isFill: true, distanceBps: 22_354, forMs: 0, elapsed: 0 },
  { isFill: false, distanceBps: 0, forMs: 1, elapsed: 0 },
  { isFill: true, distanceBps: 0, forMs: 0, elapsed: 0 },
  { isFill: true, distanceBps: 0, forMs: 0, elapsed: 1 },
  { isFill: false, distanceBps: 7_562.14869273214, forMs: 999_984, elapsed: 11_210 },
];

test('of any quotes and fills it is finite and above zero, and bounded in memory', () => {
  const distance = fc.oneof(
    fc.double({ min: -50, max: 30_000, noNaN: true }),
    fc.double({ min: 0, max: 60, noNaN: true }),
  );
  const event = fc.record({
    isFill: fc.boolean(),
    distanceBps: distance,
    forMs: fc.integer({ min: 0, max: 1_000_000 }),
    elapsed: fc.nat(100_000),
  });
  const law = { ...DEFAULT_ESTIMATES.intensity, minTakers: 1 };
  fc.assert(
    fc.property(fc.array(event, { maxLength: 60 }), (events) => {
      let [exposure, at] = [NO_EXPOSURE, 0];
      for (const { isFill, distanceBps, forMs, elapsed } of events) {
        at += elapsed;
        exposure = isFill
          ? withOwnFill(exposure, { distanceBps, at }, law)
          : withOwnQuote(exposure, { distanceBps, forMs, at }, law);
      }
      expect(exposure.bins.size).toBeLessThanOrEqual(219);
      const found = ownIntensityAt(exposure, at, law);
      expect(found.samples).toBeGreaterThanOrEqual(0);
      if (found.kind === 'unknown') return;
      const { perSecond, decayPerBps, decayErrorPerBps } = found.value;
      for (const each of [perSecond, decayPerBps, decayErrorPerBps])
        expect(each > 0 && Number.isFinite(each)).toBe(true);
    }),
    { numRuns: 2_000, examples: [[FAR_FILLS]] },
  );
});
