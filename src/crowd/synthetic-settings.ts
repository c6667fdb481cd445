// What the synthetic crowd can be told: units are in the names, money is in the quote asset.
import type { Instrument, InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { DurationMs } from '../domain/time.ts';

/** Where the latent price of a market comes from. */
export type LatentSettings =
  /** A random walk of its logarithm. */
  | {
      readonly kind: 'walk';
      /** Quote per base. */
      readonly startPrice: number;
      readonly volatilityBpsPerSqrtSecond: number;
      /** Pull back to the start price: the share of the distance that is lost per second; 0 for none. */
      readonly reversionPerSecond: number;
      readonly jumpsPerHour: number;
      /** Standard deviation of one jump. */
      readonly jumpBps: number;
    }
  /** The product of walks of other markets of this crowd: BTC/INR from BTC/USDT and USDT/INR. */
  | { readonly kind: 'product'; readonly of: readonly InstrumentSymbol[] };

export interface FlowSettings {
  /** Limit orders of the crowd stand at least this far from the latent price when they arrive. */
  readonly halfSpreadBps: number;
  /** How much further, on average: their rate falls exponentially with the distance. */
  readonly distanceDecayBps: number;
  /** Arrivals of limit orders, both sides together. */
  readonly limitOrdersPerSecond: number;
  /** Chance of each resting order per second to be canceled: its mean life is one over this. */
  readonly cancelsPerSecond: number;
  readonly meanLimitNotional: number;
  /** People who come to trade at once, both sides together. They trade only where the price suits them. */
  readonly takersPerSecond: number;
  readonly meanTakerNotional: number;
  /**
   * An uninformed taker pays up to an exponential draw of this mean beyond the latent price: λ(δ) = A·e^(−δ/tolerance).
   */
  readonly toleranceBps: number;
  /** The share of takers who know the latent price ahead of time and trade only where they gain by it. */
  readonly informedShareRatio: number;
  readonly informedLeadMs: DurationMs;
  readonly meanInformedNotional: number;
  /** What an informed taker wants to gain at least. */
  readonly informedEdgeBps: number;
  /** The crowd keeps at least so many prices of its own on each side. */
  readonly minimumLevels: number;
  /** The crowd rests at most so many orders, both sides together. */
  readonly maximumOrders: number;
}

export interface SyntheticMarket {
  readonly instrument: Instrument;
  readonly latent: LatentSettings;
  readonly flow: FlowSettings;
}

export interface SyntheticSettings {
  /** One seed gives one market. */
  readonly seed: number | string;
  readonly markets: readonly SyntheticMarket[];
}

/** Throws InvariantViolation with the values where the settings contradict themselves. */
export function checkSyntheticSettings({ markets }: SyntheticSettings): void {
  for (const market of markets) {
    checkLatent(market, markets);
    checkFlow(market);
  }
  const symbols = new Set(markets.map((market) => market.instrument.symbol));
  invariant(symbols.size === markets.length, () => `Two of the ${markets.length} markets share a symbol.`);
}

function checkLatent({ instrument: { symbol }, latent }: SyntheticMarket, markets: readonly SyntheticMarket[]): void {
  if (latent.kind === 'walk') {
    invariant(latent.startPrice > 0, () => `The start price ${latent.startPrice} of ${symbol} is not above zero.`);
    return;
  }
  for (const factor of latent.of) {
    const found = markets.find((market) => market.instrument.symbol === factor);
    invariant(found?.latent.kind === 'walk', () => `${symbol} follows ${factor}, which is no walk of this crowd.`);
  }
}

function checkFlow({ instrument: { symbol }, flow }: SyntheticMarket): void {
  const { minimumLevels, maximumOrders, informedShareRatio } = flow;
  for (const [name, value] of Object.entries(flow)) {
    invariant(
      Number.isFinite(value) && value >= 0,
      () => `${name} of ${symbol} is ${value}, not a number of at least zero.`,
    );
  }
  invariant(informedShareRatio <= 1, () => `informedShareRatio of ${symbol} is ${informedShareRatio}, above 1.`);
  invariant(
    minimumLevels >= 1 && maximumOrders >= 2 * minimumLevels,
    () => `${symbol} can't keep ${minimumLevels} levels a side with at most ${maximumOrders} orders.`,
  );
}
