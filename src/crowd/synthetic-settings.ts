// Settings of the synthetic crowd: units are in the names, money is in the quote asset.
import type { Instrument, InstrumentSymbol } from '../domain/instrument.ts';
import type { DurationMs } from '../domain/time.ts';

/** The source of a market's latent price. */
export type LatentSettings =
  /** A random walk of its logarithm. */
  | {
      readonly kind: 'walk';
      /** Quote per base. */
      readonly startPrice: number;
      readonly volatilityBpsPerSqrtSecond: number;
      /** Pull back to the start price: the share of the distance lost per second; 0 for none. */
      readonly reversionPerSecond: number;
      readonly jumpsPerHour: number;
      /** Standard deviation of one jump. */
      readonly jumpBps: number;
    }
  /** The product of walks of other markets of this crowd: BTC/INR from BTC/USDT and USDT/INR. */
  | { readonly kind: 'product'; readonly of: readonly InstrumentSymbol[] };

export interface FlowSettings {
  /** The crowd's limit orders arrive at least this far from the latent price. */
  readonly halfSpreadBps: number;
  /** Their mean further distance: their rate falls exponentially with the distance. */
  readonly distanceDecayBps: number;
  /** Arrivals of limit orders, both sides together. */
  readonly limitOrdersPerSecond: number;
  /** Chance of each resting order per second to be canceled: its mean lifetime is one over this. */
  readonly cancelsPerSecond: number;
  readonly meanLimitNotional: number;
  /** Takers that come to trade at once, both sides together. They trade only at an acceptable price. */
  readonly takersPerSecond: number;
  readonly meanTakerNotional: number;
  /**
   * An uninformed taker pays up to an exponential draw of this mean beyond the latent price: λ(δ) = A·e^(−δ/tolerance).
   */
  readonly toleranceBps: number;
  /** The share of takers who know the latent price ahead of time and trade only with a gain. */
  readonly informedShareRatio: number;
  readonly informedLeadMs: DurationMs;
  readonly meanInformedNotional: number;
  /** The least gain that an informed taker wants. */
  readonly informedEdgeBps: number;
  /** Fewest prices of its own that the crowd keeps on each side. */
  readonly minimumLevels: number;
  /** Most resting orders of the crowd, both sides together. */
  readonly maximumOrders: number;
}

export interface SyntheticMarket {
  readonly instrument: Instrument;
  readonly latent: LatentSettings;
  readonly flow: FlowSettings;
}

export interface SyntheticSettings {
  /** The same seed gives the same market. */
  readonly seed: number | string;
  readonly markets: readonly SyntheticMarket[];
}

// A thin exchange that quotes in rupees: books two to three percent wide, some trades a minute.

/**
 * About 25 orders a side, a book 2–3 % wide most of the time. Most takers are informed: a quote within some
 * 20 bps of the mid price loses to them before any fee, one at 100 bps earns about what fees and tax then take.
 */
export const THIN_BOOK_FLOW: FlowSettings = {
  halfSpreadBps: 135,
  distanceDecayBps: 60,
  limitOrdersPerSecond: 0.6,
  cancelsPerSecond: 0.012,
  meanLimitNotional: 25_000,
  takersPerSecond: 0.1,
  meanTakerNotional: 15_000,
  toleranceBps: 60,
  informedShareRatio: 0.6,
  informedLeadMs: 60_000,
  meanInformedNotional: 60_000,
  informedEdgeBps: 2,
  minimumLevels: 10,
  maximumOrders: 200,
};

/** A bitcoin in rupees: 2.5 bps per √s are 140 % a year, as in a lively month, with a jump every two hours. */
export function bitcoinLikeWalk(startPrice: number): Extract<LatentSettings, { kind: 'walk' }> {
  return {
    kind: 'walk',
    startPrice,
    volatilityBpsPerSqrtSecond: 2.5,
    reversionPerSecond: 0,
    jumpsPerHour: 0.5,
    jumpBps: 40,
  };
}
