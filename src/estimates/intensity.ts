// Arrival of takers by distance from the mid price: A and k of A·e^(−k·distance), from public trades.
import type { Side } from '../domain/order.ts';
import { type EpochMs, SECOND } from '../domain/time.ts';
import { type Estimate, estimateOf, type Intensity, type IntensitySettings, keptAfter } from './estimate.ts';
import { lookedSeconds, type Taker, type TakerSample } from './takers.ts';

/** A distance is measured from the spread that is wide enough for this share of the takers. */
const SHARE_OF_SPREADS = 0.9;
/** Rounding: a trade at the touch is at half the spread. */
const ROUNDING_BPS = 1e-6;
/**
 * Standard deviations of the mid price between half the spread and the first distance that counts. A stale mid carries
 * takers over any line, and near half the spread none come from below. In simulation, 1 loses a twentieth of A, 1.5 a
 * hundredth; more costs takers.
 */
const MOVES_KEPT_OFF = 1.5;
/** Beyond this the mid price's error is larger than the measured distance. */
const MOST_STALENESS = 1;

/** Common inputs of the fits at one moment. */
interface FitMoment {
  readonly now: EpochMs;
  /** The mid price's volatility in bps per √s; null where unknown: then a stale mid is not corrected for. */
  readonly volatilityBps: number | null;
}

/**
 * A and k of the takers that would fill our quote of this side, by maximum likelihood on the distances d that are d_min
 * at least: k = (1 − 1/n)/mean(d − d_min), A = n/T·e^(k·d_min). For an exponential distribution the excess over any
 * d_min is the same exponential, and 1 − 1/n makes the estimate unbiased. d_min is half the spread that nine of ten
 * takers met, plus the mid price's possible move since the book: below that, takers are missing, as they met no order.
 *
 * Older takers count less. n is then (Σw)²/Σw², the equivalent number of equal ones.
 */
export function intensityAt(
  sample: TakerSample,
  side: Side,
  { now, volatilityBps }: FitMoment,
  settings: IntensitySettings,
): Estimate<Intensity> {
  const weighted = sample.takers[side].map((taker) => ({ taker, weight: weightOf(taker, now, settings) }));
  const staleSeconds = staleSecondsOf(weighted);
  const movesBps = MOVES_KEPT_OFF * (volatilityBps ?? 0) * Math.sqrt(staleSeconds);
  const fromBps = quantile(sample.takers[side].map(({ halfSpreadBps }) => halfSpreadBps)) + movesBps;
  const used = weighted.filter(({ taker }) => taker.distanceBps >= fromBps - ROUNDING_BPS);
  const samples = equalOnes(used);
  return estimateOf({ samples, lastAt: sample.lastAt, now, oldestMs: settings.oldestMs }, () => {
    const { minTakers } = settings;
    if (samples < minTakers)
      return { why: `${Math.floor(samples)} takers far enough from the mid price were seen; ${minTakers} are needed.` };
    const weight = sumOf(used, () => 1);
    const meanExcess = sumOf(used, ({ distanceBps }) => Math.max(0, distanceBps - fromBps)) / weight;
    if (!(meanExcess > ROUNDING_BPS)) return { why: `All takers were at one distance, ${fromBps.toFixed(2)} bps.` };
    const seconds = lookedSeconds(sample, side, { now, halfLifeMs: settings.halfLifeMs });
    if (!(seconds > 0)) return { why: 'Takers were seen, and no time in which they were looked for.' };
    const fit = { fromBps, perSecond: weight / seconds, decayPerBps: (1 - 1 / samples) / meanExcess };
    const stale = staleness(fit.decayPerBps, volatilityBps ?? 0, staleSeconds);
    if (stale > MOST_STALENESS) return { why: 'The mid price moves too much between two books to measure from it.' };
    return atMid({ ...fit, perSecond: fit.perSecond / staleFactor(stale) });
  });
}

/** x = k²σ²D/2. */
const staleness = (decayPerBps: number, volatilityBps: number, staleSeconds: number): number =>
  (decayPerBps ** 2 * volatilityBps ** 2 * staleSeconds) / 2;

/**
 * (e^x − 1)/x: how much more frequent arrivals seem when distances are measured from a mid price up to D seconds old,
 * uniformly: the mean of E[e^(k·ε)] = e^(k²σ²s/2) over s in 0..D.
 */
const staleFactor = (x: number): number => (x > 0 ? Math.expm1(x) / x : 1);

interface Weighted {
  readonly taker: Taker;
  readonly weight: number;
}

const weightOf = ({ at }: Taker, now: EpochMs, { halfLifeMs }: IntensitySettings): number =>
  keptAfter(now - at, halfLifeMs);

const sumOf = (all: readonly Weighted[], value: (taker: Taker) => number): number =>
  all.reduce((sum, { taker, weight }) => sum + weight * value(taker), 0);

/** D: twice the mean age, as ages between two books are uniform between 0 and D. */
function staleSecondsOf(all: readonly Weighted[]): number {
  const weight = sumOf(all, () => 1);
  return weight > 0 ? (2 * sumOf(all, ({ midAgeMs }) => midAgeMs)) / weight / SECOND : 0;
}

/** (Σw)²/Σw² (Kish). */
function equalOnes(all: readonly Weighted[]): number {
  const squares = all.reduce((sum, { weight }) => sum + weight ** 2, 0);
  return squares > 0 ? sumOf(all, () => 1) ** 2 / squares : 0;
}

function quantile(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * SHARE_OF_SPREADS))] ?? 0;
}

/** Where takers begin to count: how many arrive there, and how fast they decline beyond it. */
interface TailFit {
  readonly fromBps: number;
  /** Takers per second that reach at least `fromBps`. */
  readonly perSecond: number;
  readonly decayPerBps: number;
}

/** Beyond this many mean distances, extrapolating from the tail to the mid price is a guess. */
const LONGEST_WAY_BACK = 20;

/** A = arrivals at `fromBps`·e^(k·fromBps). */
function atMid({ fromBps, perSecond, decayPerBps }: TailFit): { value: Intensity } | { why: string } {
  const way = decayPerBps * fromBps;
  if (way <= LONGEST_WAY_BACK) return { value: { perSecond: perSecond * Math.exp(way), decayPerBps } };
  const excess = (1 / decayPerBps).toFixed(2);
  return { why: `Takers go ${excess} bps beyond ${fromBps.toFixed(1)} bps: that says nothing about the mid price.` };
}
