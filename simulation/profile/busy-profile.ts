// Many simultaneous events: small orders that fill within seconds, takers every second, a fully used lane of ten
// requests a second, thousands of closed orders in an hour, and long lists of the owner's orders.
import { pick, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { decimal } from '../../src/domain/decimal.ts';
import { BTC, ETH } from './default-profile.ts';
import type { Profile } from './profile.ts';

const MARKETS = [
  { instrument: BTC, startPrice: 5_500_000, opening: '2' },
  { instrument: ETH, startPrice: 300_000, opening: '40' },
] as const;

export function busyProfile(seed: string): Profile {
  const draw = (name: string): RandomStream => randomStream(seed, `busy.${name}`);
  const levels = 2 + pick(draw('levels'), 2);
  const orderSize = 2_000 + 6_000 * uniform(draw('size'));
  const quotes = {
    levels,
    halfSpreadBps: 3 + 3 * uniform(draw('half-spread')),
    halfSpreadStepBps: 3,
    orderSize: orderSize.toFixed(0),
    orderSizeStep: '500',
    sizeUnit: 'quote',
    skewBps: 4,
  };
  return {
    markets: MARKETS.map(({ instrument, startPrice, opening }) => ({
      instrument,
      startPrice,
      opening: decimal(opening),
      ownersOrders: ownersOrders(draw(`${instrument.base}.owners-orders`)),
      limits: {
        maxOrderQuantity: decimal(opening).div(4).toFixed(),
        maxOrderNotional: '100000',
        maxInventoryBase: decimal(opening).mul(4).toFixed(),
        maxOpenNotional: '400000',
        maxOpenNotionalOverAll: '800000',
        // One side fills repeatedly in such a market, which must not call a person.
        repeatedFills: 1_000_000,
      },
      bounds: { maxLeaving: 4 },
      quotes,
    })),
    openingQuotes: { INR: decimal(20_000_000) },
    charges: { makerFeeRatio: decimal('0.0001'), takerFeeRatio: decimal('0.0002'), tdsRatio: decimal('0.0001') },
    effectiveTaxRatio: decimal('0.00001'),
    // Here the bot must keep up with the market.
    costFloor: false,
    refresh: { priceToleranceBps: 1, refreshMs: 1_000 },
    messageRate: { maxPerSecond: 50, maxPerMinute: 3_000, maxPerDay: 1_000_000 },
    walk: {
      volatilityBpsPerSqrtSecond: 1.5 + 2 * uniform(draw('volatility')),
      reversionPerSecond: 0.0005,
      jumpsPerHour: 2,
      jumpBps: 40,
    },
    flow: {
      ...FLOW,
      takersPerSecond: 1 + 2 * uniform(draw('takers')),
      meanTakerNotional: orderSize * (0.2 + 1.2 * uniform(draw('taker-size'))),
    },
  };
}

/**
 * A page may hold 20 rows, or 50: with the bot's orders there are fewer, exactly as many, or more, from one moment to
 * the next. Sometimes the owner has none.
 */
function ownersOrders(stream: RandomStream): number {
  const most = [0, 20, 50][pick(stream, 3)] ?? 0;
  return Math.max(0, most - 2 - pick(stream, 8));
}

/** A narrow book behind the bot's quotes, and takers who fill these. */
const FLOW = {
  halfSpreadBps: 8,
  distanceDecayBps: 15,
  limitOrdersPerSecond: 0.8,
  cancelsPerSecond: 0.03,
  toleranceBps: 12,
  informedShareRatio: 0.1,
  informedLeadMs: 2_000,
  meanInformedNotional: 8_000,
};
