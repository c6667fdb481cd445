// Arrival of takers by distance from the mid price, from own quotes' resting places and fills.
import { type DurationMs, type EpochMs, SECOND } from '../domain/time.ts';
import { type Estimate, estimateOf, type Intensity, type IntensitySettings, keptAfter } from './estimate.ts';
import { atMid, whyTooThin } from './intensity.ts';

/** An intensity and the error of its decay. */
export interface OwnIntensity extends Intensity {
  readonly madeOf: 'own fills';
  /** The mean distance of the fills, where the arrivals are known best. */
  readonly fromBps: number;
  /** One standard error of the decay. */
  readonly decayErrorPerBps: number;
}

/** Time at similar distances. */
interface Bin {
  readonly seconds: number;
  /** Σ seconds·distance: the bin's distance is its time-weighted mean, not its middle. */
  readonly secondsBps: number;
}

/** Own quotes and fills of one side; older ones count less. As of `lastAt`. */
export interface OwnExposure {
  /** By number of the bin; at most `MOST_BINS`. */
  readonly bins: ReadonlyMap<number, Bin>;
  /** Σ of the weights of the fills, of their squares, and of weight·distance. */
  readonly fills: number;
  readonly fillSquares: number;
  readonly fillsBps: number;
  readonly lastAt: EpochMs | null;
}

export const NO_EXPOSURE: OwnExposure = { bins: new Map(), fills: 0, fillSquares: 0, fillsBps: 0, lastAt: null };

/** Bins are a twentieth wide, from half a basis point on: the last one begins at 20,000 bps. */
const MOST_BINS = 219;
const BIN_RATIO = 1.05;
const FIRST_BIN_BPS = 0.5;
/** A decay under two standard errors is not significant. */
const FEWEST_ERRORS = 2;

/** A quote rested for this long, until `at`, at this distance from the mid price; outward is positive. */
interface OwnQuoteTime {
  readonly distanceBps: number;
  readonly forMs: DurationMs;
  readonly at: EpochMs;
}

/** A taker filled a quote of this distance. */
interface OwnFillSeen {
  readonly distanceBps: number;
  readonly at: EpochMs;
}

export function withOwnQuote(exposure: OwnExposure, quote: OwnQuoteTime, settings: IntensitySettings): OwnExposure {
  const { distanceBps } = quote;
  const seconds = Math.max(0, quote.forMs) / SECOND;
  const aged = agedTo(exposure, quote.at, settings);
  const weight = seconds * keptAfter((aged.lastAt ?? quote.at) - quote.at, settings.halfLifeMs);
  const bins = new Map(aged.bins);
  const bin = bins.get(binOf(distanceBps)) ?? { seconds: 0, secondsBps: 0 };
  bins.set(binOf(distanceBps), {
    seconds: bin.seconds + weight,
    secondsBps: bin.secondsBps + weight * distanceBps,
  });
  return { ...aged, bins };
}

export function withOwnFill(exposure: OwnExposure, fill: OwnFillSeen, settings: IntensitySettings): OwnExposure {
  const aged = agedTo(exposure, fill.at, settings);
  const weight = keptAfter((aged.lastAt ?? fill.at) - fill.at, settings.halfLifeMs);
  return {
    ...aged,
    fills: aged.fills + weight,
    fillSquares: aged.fillSquares + weight ** 2,
    fillsBps: aged.fillsBps + weight * fill.distanceBps,
  };
}

function binOf(distanceBps: number): number {
  if (distanceBps < FIRST_BIN_BPS) return 0;
  return Math.min(MOST_BINS - 1, 1 + Math.floor(Math.log(distanceBps / FIRST_BIN_BPS) / Math.log(BIN_RATIO)));
}

/** All weights as of this moment, or as of the last one if that is later. */
function agedTo(exposure: OwnExposure, at: EpochMs, { halfLifeMs }: IntensitySettings): OwnExposure {
  const { bins, fills, fillSquares, fillsBps, lastAt } = exposure;
  if (lastAt === null || at <= lastAt) return { ...exposure, lastAt: lastAt ?? at };
  const kept = keptAfter(at - lastAt, halfLifeMs);
  const agedBins = [...bins].map(([number, { seconds, secondsBps }]): [number, Bin] => [
    number,
    { seconds: seconds * kept, secondsBps: secondsBps * kept },
  ]);
  return {
    bins: new Map(agedBins.filter(([, { seconds }]) => seconds > LEAST_SECONDS)),
    fills: fills * kept,
    fillSquares: fillSquares * kept ** 2,
    fillsBps: fillsBps * kept,
    lastAt: at,
  };
}

/** Anything less is negligible. */
const LEAST_SECONDS = 1e-6;

/**
 * A and k by maximum likelihood, where fills come at the rate A·e^(−k·d) while a quote rests at d: k is where
 * mean(D_i) = Σ d_j·τ_j·e^(−k·d_j) / Σ τ_j·e^(−k·d_j), and A = N / Σ τ_j·e^(−k·d_j). The right side falls with k (its
 * slope is minus the variance of d under those weights), so there is one such k at most. The standard error of k is
 * 1/√(N·variance).
 */
export function ownIntensityAt(
  exposure: OwnExposure,
  now: EpochMs,
  settings: IntensitySettings,
): Estimate<OwnIntensity> {
  const { fills, fillSquares, fillsBps, lastAt } = exposure;
  const samples = fillSquares > 0 ? fills ** 2 / fillSquares : 0;
  return estimateOf({ samples, lastAt, now, oldestMs: settings.oldestMs }, () => {
    const refusal = whyTooThin(samples, settings);
    if (refusal !== null) return { why: refusal };
    const points = pointsOf(exposure);
    const fromBps = fillsBps / fills;
    const decay = decayWithMean(points, fromBps);
    if (typeof decay !== 'number') return decay;
    const { weight, variance } = tiltedBy(decay, points, fromBps);
    const decayErrorPerBps = 1 / Math.sqrt(samples * variance);
    if (!(decay >= FEWEST_ERRORS * decayErrorPerBps))
      return { why: 'Own quotes rested at distances too alike to tell how takers get fewer with distance.' };
    const intensity = atMid({ fromBps, perSecond: fills / weight, decayPerBps: decay });
    if ('why' in intensity) return intensity;
    return { value: { madeOf: 'own fills', ...intensity.value, fromBps, decayErrorPerBps } };
  });
}

interface Point {
  readonly distanceBps: number;
  readonly seconds: number;
}

const pointsOf = ({ bins }: OwnExposure): readonly Point[] =>
  [...bins.values()]
    .filter(({ seconds }) => seconds > 0)
    .map(({ seconds, secondsBps }) => ({ distanceBps: secondsBps / seconds, seconds }));

/** Sums with weights τ·e^(−k·(d − from)): total, and mean and variance of d. */
function tiltedBy(decay: number, points: readonly Point[], fromBps: number) {
  let [weight, first, second] = [0, 0, 0];
  for (const { distanceBps, seconds } of points) {
    const beyond = distanceBps - fromBps;
    const each = seconds * Math.exp(-decay * beyond);
    weight += each;
    first += each * beyond;
    second += each * beyond ** 2;
  }
  const mean = first / weight;
  return { weight, mean: fromBps + mean, variance: Math.max(0, second / weight - mean ** 2) };
}

const ROUNDS = 200;

/** The decay that gives this mean distance of fills, or why there is none. By bisection. */
function decayWithMean(points: readonly Point[], meanBps: number): number | { readonly why: string } {
  const nearest = points.reduce((least, { distanceBps }) => Math.min(least, distanceBps), Number.POSITIVE_INFINITY);
  const farthest = points.reduce((most, { distanceBps }) => Math.max(most, distanceBps), Number.NEGATIVE_INFINITY);
  if (!(farthest > nearest)) return { why: 'Own quotes rested at one distance only.' };
  if (meanBps <= nearest) return { why: 'Own quotes were filled at their least distance only.' };
  if (meanBps >= tiltedBy(0, points, meanBps).mean)
    return { why: 'Own quotes were not filled more often where they were nearer.' };
  let low = 0;
  let high = 1 / (farthest - nearest);
  // The exponent stays in range: no weight overflows before the nearest point has nearly all of it.
  while (tiltedBy(high, points, nearest).mean > meanBps) {
    low = high;
    high *= 2;
  }
  for (let round = 0; round < ROUNDS && high - low > 1e-12 * high; round += 1) {
    const middle = (low + high) / 2;
    if (tiltedBy(middle, points, nearest).mean > meanBps) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}
