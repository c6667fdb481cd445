// A thin exchange that quotes in rupees: books two to three percent wide, some trades a minute.
import type { FlowSettings, LatentSettings } from './synthetic-settings.ts';

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
