// How estimates are made: what is forgotten how fast, and what is too thin or too old to say anything.
import { type DurationMs, HOUR, MINUTE, SECOND } from '../domain/time.ts';
import type { Intensity } from './estimate.ts';

export interface TradeRateSettings {
  /** After this time a trade, and the time in which it was looked for, count half. */
  readonly halfLifeMs: DurationMs;
  /** So many trades are enough, however short the time. */
  readonly minTrades: number;
  /** So much time is enough, however few the trades: then the rate is known to be low. */
  readonly minLookedMs: DurationMs;
  /** The rate is unknown when the last page is older. */
  readonly oldestMs: DurationMs;
}

export interface VolatilitySettings {
  /** After this time a step of the price counts half; never sooner than after `minSteps` steps. */
  readonly halfLifeMs: DurationMs;
  /** The shortest step; books that come sooner are passed over. The other steps that are tried are 2 to 32 times it. */
  readonly minStepMs: DurationMs;
  /** What happened over a longer time without a book is left out. */
  readonly longestStepMs: DurationMs;
  /** Fewer steps say nothing. The relative standard error of the volatility is about 1/√(2·steps). */
  readonly minSteps: number;
  /** The volatility is unknown when the last book is older. */
  readonly oldestMs: DurationMs;
}

export interface IntensitySettings {
  /** After this time a taker, and the time in which it was looked for, count half. */
  readonly halfLifeMs: DurationMs;
  /** With fewer takers there is no fit. */
  readonly minTakers: number;
  /** With fewer takers a fit is shrunk to the prior; without a prior there is none. */
  readonly fullTakers: number;
  /** What is believed before anything is seen; null: nothing. */
  readonly prior: Intensity | null;
  /** The intensities are unknown when the last page, or own exposure, is older. */
  readonly oldestMs: DurationMs;
  /** A trade is measured from the last mid price before it, where that is not older. */
  readonly longestMidAgeMs: DurationMs;
  /** A book counts as before a trade when it was asked for so long before it: the clocks may differ by that. */
  readonly clockMarginMs: DurationMs;
}

export interface EstimateSettings {
  readonly tradeRate: TradeRateSettings;
  readonly volatility: VolatilitySettings;
  readonly intensity: IntensitySettings;
}

export const DEFAULT_ESTIMATES: EstimateSettings = {
  tradeRate: { halfLifeMs: 10 * MINUTE, minTrades: 5, minLookedMs: 10 * MINUTE, oldestMs: 5 * MINUTE },
  volatility: {
    halfLifeMs: 10 * MINUTE,
    minStepMs: 5 * SECOND,
    longestStepMs: 10 * MINUTE,
    minSteps: 20,
    oldestMs: 2 * MINUTE,
  },
  intensity: {
    halfLifeMs: HOUR,
    minTakers: 30,
    fullTakers: 60,
    prior: null,
    oldestMs: 10 * MINUTE,
    longestMidAgeMs: 90 * SECOND,
    clockMarginMs: 500,
  },
};
