// A busy market of a few basis points, quoted on several levels with little money and narrow limits: counting errors
// that the default profile rarely reveals show here.
import { chance, pick, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { decimal } from '../../src/domain/decimal.ts';
import type { Instrument } from '../../src/domain/instrument.ts';
import { BTC, ETH } from './default-profile.ts';
import type { Profile, ProfileMarket } from './profile.ts';

/**
 * Limits that can be narrow. In each market one of them always is, each other one now and then: the first to bind hides
 * the rest.
 */
const KINDS = ['funds', 'inventory', 'notional', 'orders'] as const;
type Kind = (typeof KINDS)[number];
const NARROW_SHARE = 0.2;

interface Draws {
  /** By the market's own name, or shared by all. */
  readonly stream: (name: string) => RandomStream;
  readonly narrow: ReadonlySet<Kind>;
}

const MARKETS = [
  { instrument: BTC, startPrice: 5_500_000, orderSize: 20_000 },
  { instrument: ETH, startPrice: 300_000, orderSize: 15_000 },
] as const;
const SIZE_STEP = 4_000;

export function tightProfile(seed: string): Profile {
  const shared = (name: string): RandomStream => randomStream(seed, `tight.${name}`);
  const levels = 2 + pick(shared('levels'), 2);
  const halfSpreadBps = 2 + 3 * uniform(shared('half-spread'));
  const quotes = {
    levels,
    halfSpreadBps,
    halfSpreadStepBps: 2,
    orderSizeStep: String(SIZE_STEP),
    sizeUnit: 'quote',
    skewBps: 4,
  };
  const markets = MARKETS.map((each) => ({ ...each, draws: drawsOf(seed, each.instrument.base) }));
  const sideOf = (orderSize: number): number => levels * orderSize + (SIZE_STEP * levels * (levels - 1)) / 2;
  const bids = MARKETS.reduce((sum, { orderSize }) => sum + sideOf(orderSize), 0);
  const all: Draws = { stream: shared, narrow: new Set(markets.flatMap(({ draws }) => [...draws.narrow])) };
  const maxOpenNotionalOverAll = String(Math.round(2 * bids * between(all, 'notional', [0.8, 1.25], 3)));
  const bounds = {
    maxOpenOrdersOverAll: all.narrow.has('orders') ? 4 * levels - 1 + pick(shared('orders'), 4) : 40,
    maxLeavingPerSlot: 1 + pick(shared('leaving.slot'), 3),
    maxLeaving: 2 * levels,
  };
  return {
    markets: markets.map(({ orderSize, ...rest }) =>
      market({
        ...rest,
        levels,
        side: sideOf(orderSize),
        limits: { maxOpenNotionalOverAll },
        bounds,
        quotes: { ...quotes, orderSize: String(orderSize) },
      }),
    ),
    openingQuotes: { INR: decimal(Math.round(bids * between(all, 'funds', [0.7, 1.3], 6))) },
    charges: { makerFeeRatio: decimal('0.0001'), takerFeeRatio: decimal('0.0002'), tdsRatio: decimal('0.0001') },
    effectiveTaxRatio: decimal('0.00001'),
    // The market is narrower than any fee is low: here the bot must keep its limits.
    costFloor: false,
    refresh: { priceToleranceBps: 1, refreshMs: 1_000 },
    messageRate: { maxPerSecond: 50, maxPerMinute: 3_000 },
    walk: {
      volatilityBpsPerSqrtSecond: 2 + 3 * uniform(shared('volatility')),
      reversionPerSecond: 0.0005,
      jumpsPerHour: 6,
      jumpBps: 60,
    },
    flow: FLOW,
  };
}

function drawsOf(seed: string, base: string): Draws {
  const stream = (name: string): RandomStream => randomStream(seed, `tight.${base}.${name}`);
  const narrowest = KINDS[pick(stream('narrowest'), KINDS.length)];
  const isNarrow = (kind: Kind): boolean => chance(stream(`narrow.${kind}`), NARROW_SHARE) || kind === narrowest;
  return { stream, narrow: new Set(KINDS.filter(isNarrow)) };
}

/** A book of some ten basis points that follows the price. */
const FLOW = {
  halfSpreadBps: 8,
  distanceDecayBps: 15,
  limitOrdersPerSecond: 0.8,
  cancelsPerSecond: 0.03,
  toleranceBps: 6,
  informedShareRatio: 0.4,
  informedLeadMs: 5_000,
  meanTakerNotional: 8_000,
  meanInformedNotional: 25_000,
};

interface Sized extends Required<Pick<ProfileMarket, 'instrument' | 'startPrice' | 'limits' | 'bounds' | 'quotes'>> {
  readonly draws: Draws;
  readonly levels: number;
  /** The value of all orders of a side. */
  readonly side: number;
}

function market({ draws, instrument, startPrice, levels, side, limits, bounds, quotes }: Sized): ProfileMarket {
  const baseOfSide = side / startPrice;
  const opening = baseOfSide * between(draws, 'funds', [0.8, 1.8], 6);
  const more = baseOfSide * between(draws, 'inventory', [0.8, 1.6], 20);
  const less = baseOfSide * between(draws, 'inventory', [0.8, 1.6], 20);
  return {
    instrument,
    startPrice,
    opening: decimal(lots(opening, instrument)),
    limits: {
      ...limits,
      maxOrderQuantity: lots(4 * baseOfSide, instrument),
      maxOrderNotional: String(Math.round(2 * side)),
      maxInventoryBase: lots(opening + more, instrument),
      minInventoryBase: lots(Math.max(0, opening - less), instrument),
      maxOpenNotional: String(Math.round(2 * side * between(draws, 'notional', [0.8, 1.2], 3))),
      maxOpenOrders: draws.narrow.has('orders') ? 2 * levels - 1 + pick(draws.stream('orders'), 3) : 10,
      // One side fills repeatedly in such a market, which must not call a person.
      repeatedFills: 1_000_000,
    },
    bounds,
    quotes,
    quoting: { budget: budgetOf(draws, { side, baseOfSide, instrument }) },
  };
}

/** If funds are narrow, sometimes a cap on the locked funds of a side as well. */
function budgetOf(
  { stream, narrow }: Draws,
  { side, baseOfSide, instrument }: { side: number; baseOfSide: number; instrument: Instrument },
): Record<string, string> {
  if (!narrow.has('funds') || !chance(stream('budget'), 1 / 2)) return {};
  const share = 1 + uniform(stream('share.budget'));
  return { maxQuote: String(Math.round(side * share)), maxBase: lots(baseOfSide * share, instrument) };
}

/** Within the bounds if that kind is narrow, else the wide one. */
function between({ stream, narrow }: Draws, kind: Kind, [from, to]: readonly [number, number], wide: number): number {
  return narrow.has(kind) ? from + (to - from) * uniform(stream(`share.${kind}`)) : wide;
}

const lots = (amount: number, { lotSize }: Instrument): string =>
  lotSize.mul(Math.round(amount / lotSize.toNumber())).toFixed();
