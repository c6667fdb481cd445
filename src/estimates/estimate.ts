// An estimated number with its basis. With too little or too old data it gives the reason instead of a number.
import type { Side } from '../domain/order.ts';
import { type DurationMs, type EpochMs, HOUR, MINUTE, SECOND } from '../domain/time.ts';

export type Estimate<T = number> = KnownEstimate<T> | UnknownEstimate;

interface KnownEstimate<T = number> {
  readonly kind: 'known';
  readonly value: T;
  /** Number of observations. Those partly forgotten count in part. */
  readonly samples: number;
  /** Age of the last observation, including one that showed nothing new. */
  readonly ageMs: DurationMs;
}

interface UnknownEstimate {
  readonly kind: 'unknown';
  readonly samples: number;
  /** Age of the last observation; null before the first. */
  readonly ageMs: DurationMs | null;
  /** One sentence: the missing data. */
  readonly why: string;
}

/** How takers arrive at a distance from the mid price: `perSecond`·e^(−`decayPerBps`·distance in bps). */
export interface Intensity {
  /** A: takers per second that would reach a quote at the mid price. */
  readonly perSecond: number;
  /** k: how fast they decline, per basis point of distance. */
  readonly decayPerBps: number;
}

/** Estimates of the symbol, from polled data. */
export interface Estimates {
  /** One standard deviation of the mid price, in basis points per square root of a second. */
  readonly volatilityBpsPerSqrtSecond: Estimate;
  /** Takers that would fill our quote of this side: sellers for `buy`. */
  readonly intensity: Readonly<Record<Side, Estimate<Intensity>>>;
}

export const nothingKnown = (why: string): UnknownEstimate => ({ kind: 'unknown', samples: 0, ageMs: null, why });

/** The data that an estimate is based on. */
export interface Basis {
  /** May have a fraction: partly forgotten observations count in part. */
  readonly samples: number;
  /** The last observation, by our clock; null before the first. */
  readonly lastAt: EpochMs | null;
  readonly now: EpochMs;
  readonly oldestMs: DurationMs;
}

/** A sum of fractional weights may miss a whole number, but only by rounding. */
const ROUNDING = 1e-9;

/** The estimate, or why there is none: no data, too old, or the sentence that `value` returns. */
export function estimateOf<T>(
  basis: Basis,
  value: () => { readonly value: T } | { readonly why: string },
): Estimate<T> {
  const { lastAt, now, oldestMs } = basis;
  if (lastAt === null) return nothingKnown('Nothing was read yet.');
  const seen = { samples: Math.floor(basis.samples + ROUNDING), ageMs: Math.max(0, now - lastAt) };
  if (seen.ageMs > oldestMs) {
    const why = `The last look was ${seconds(seen.ageMs)} s ago; ${seconds(oldestMs)} s are the most.`;
    return { kind: 'unknown', ...seen, why };
  }
  const found = value();
  return 'why' in found ? { kind: 'unknown', ...seen, ...found } : { kind: 'known', ...seen, ...found };
}

const seconds = (ms: DurationMs): number => Math.round(ms / SECOND);

/** How fast data is forgotten, and when it is too little or too old. */
export const DEFAULT_ESTIMATES = {
  volatility: {
    /** After this time a step of the price counts half; never sooner than after `minSteps` steps. */
    halfLifeMs: 10 * MINUTE,
    /** The shortest step; books that come sooner are skipped. The other steps used are 2 to 32 times it. */
    minStepMs: 5 * SECOND,
    /** A longer step without a book is left out. */
    longestStepMs: 10 * MINUTE,
    /** Fewer steps are not enough. The relative standard error of the volatility is about 1/√(2·steps). */
    minSteps: 20,
    /** The volatility is unknown when the last book is older. */
    oldestMs: 2 * MINUTE,
  },
  intensity: {
    /** After this time, a taker and the observed time count half. */
    halfLifeMs: HOUR,
    /** With fewer takers there is no fit. */
    minTakers: 60,
    /** The intensities are unknown when the last page is older. */
    oldestMs: 10 * MINUTE,
    /** A trade is measured from the last mid price before it, unless that is older than this. */
    longestMidAgeMs: 90 * SECOND,
    /**
     * A book counts as before a trade when it was requested at least this long before it: the clocks may differ by
     * that.
     */
    clockMarginMs: 500,
  },
};
export type VolatilitySettings = Readonly<typeof DEFAULT_ESTIMATES.volatility>;
export type IntensitySettings = Readonly<typeof DEFAULT_ESTIMATES.intensity>;

// Exponential forgetting: an observation one half-life old counts half.

/** The remainder of a weight of 1 after this time; 1 for zero or negative times. */
export function keptAfter(elapsedMs: DurationMs, halfLifeMs: DurationMs): number {
  return elapsedMs <= 0 ? 1 : 2 ** (-elapsedMs / halfLifeMs);
}

/**
 * The weighted seconds of a span that ended this long ago: the integral of `keptAfter` over it. As long as the span if
 * it is short and recent.
 */
export function keptSeconds(spanMs: DurationMs, endedAgoMs: DurationMs, halfLifeMs: DurationMs): number {
  if (spanMs <= 0) return 0;
  const meanLifeMs = halfLifeMs / Math.LN2;
  return (keptAfter(endedAgoMs, halfLifeMs) * -Math.expm1(-spanMs / meanLifeMs) * meanLifeMs) / SECOND;
}
