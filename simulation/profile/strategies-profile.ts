// Each market is run by another of the existing strategies, with drawn parameters and refresh settings: market making
// other than `fixed-spread` on two levels.
import { chance, pick, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { strategy as avellanedaStoikov } from '../../strategies/avellaneda-stoikov.ts';
import { strategy as carteaJaimungal } from '../../strategies/cartea-jaimungal.ts';
import { strategy as crossRate } from '../../strategies/cross-rate.ts';
import { strategy as fixedSpread } from '../../strategies/fixed-spread.ts';
import { strategy as glft } from '../../strategies/glft.ts';
import { strategy as joinBest } from '../../strategies/join-best.ts';
import { strategy as micropricePegged } from '../../strategies/microprice-pegged.ts';
import { type Chain, chainsFrom, FLOW_OF_LEGS } from './chains.ts';
import { DEFAULT_PROFILE } from './default-profile.ts';
import type { Profile, ProfileMarket } from './profile.ts';

type Stream = (name: string) => RandomStream;
type Quoted = Pick<ProfileMarket, 'strategy' | 'quotes'> & { readonly chain?: Chain };

/** Every file in `strategies/`: a test checks this. */
const STRATEGIES: readonly ((market: ProfileMarket, stream: Stream) => Quoted)[] = [
  ...[asFixedSpread, asJoinBest, asAvellanedaStoikov, asGlft, asCarteaJaimungal, asMicroPrice, asCrossRate],
];

export function strategiesProfile(seed: string): Profile {
  const shared = (name: string): RandomStream => randomStream(seed, `strategies.${name}`);
  const first = pick(shared('order'), STRATEGIES.length);
  const drawn = DEFAULT_PROFILE.markets.map((market, index) => {
    const stream: Stream = (name) => shared(`${market.instrument.base}.${name}`);
    const { chain, ...quoted } = (STRATEGIES[(first + index) % STRATEGIES.length] ?? asFixedSpread)(market, stream);
    const quoting = { ...quotingOf(stream), ...featuresOf(quoted, stream) };
    const more = { refresh: refreshOf(stream), quoting, protections: protectionsOf(stream), ...referenceOf(stream) };
    return { chain, market: { ...market, ...quoted, ...more } };
  });
  // At most one of them: each market has another strategy.
  const chain = drawn.find((each) => each.chain !== undefined)?.chain;
  const markets = drawn.map(({ market }) => {
    const follows = chain?.follows[market.instrument.symbol];
    return follows === undefined ? market : { ...market, follows };
  });
  return { ...DEFAULT_PROFILE, markets, ...(chain && { legs: chain.markets, flowOfLegs: FLOW_OF_LEGS }) };
}

const oneOf = <T>(stream: RandomStream, list: readonly [T, ...T[]]): T => list[pick(stream, list.length)] ?? list[0];
const among = (stream: RandomStream, [from, to]: readonly [number, number]): number =>
  from + (to - from) * uniform(stream);

/** In INR, for the innermost level. */
const SIZE: readonly [number, number] = [20_000, 50_000];

function asFixedSpread({ startPrice }: ProfileMarket, stream: Stream): Quoted {
  const levels = 1 + pick(stream('levels'), 3);
  const halfSpreadBps = among(stream('half-spread'), [60, 130]);
  const halfSpreadStepBps = among(stream('half-spread-step'), [15, 50]);
  const sizeUnit = oneOf(stream('size-unit'), ['quote', 'base']);
  const size = among(stream('size'), SIZE);
  const amount = (inr: number): string => (sizeUnit === 'quote' ? inr : inr / startPrice).toFixed(8);
  const distances = Array.from({ length: levels }, (_, level) => halfSpreadBps + level * halfSpreadStepBps);
  const isListed = chance(stream('listed'), 1 / 3);
  return {
    strategy: fixedSpread,
    quotes: {
      levels,
      halfSpreadBps,
      halfSpreadStepBps,
      orderSize: amount(size),
      orderSizeStep: amount(among(stream('size-step'), [0, 15_000])),
      sizeUnit,
      skewBps: oneOf(stream('skew'), [0, 30, 90]),
      // Bids further off than asks, and of other sizes.
      ...(isListed && {
        bidHalfSpreadsBps: distances.map((distance) => distance + 25),
        askHalfSpreadsBps: distances,
        bidSizes: distances.map((_, level) => amount(size + 3_000 * level)),
      }),
    },
  };
}

function asJoinBest({ startPrice, instrument }: ProfileMarket, stream: Stream): Quoted {
  const places = instrument.lotSize.decimalPlaces();
  return {
    strategy: joinBest,
    quotes: { orderSizeBase: (among(stream('size'), SIZE) / startPrice).toFixed(places) },
  };
}

type Sources = Readonly<Partial<Record<'takersFrom' | 'volatilityFrom', 'parameter' | 'estimate'>>>;

/** In half of the markets all numbers of a model are set; in the others each of these two may be estimated. */
function sourcesOf(stream: Stream): Sources {
  if (chance(stream('given'), 1 / 2)) return {};
  return {
    takersFrom: oneOf(stream('takers-from'), ['parameter', 'estimate']),
    volatilityFrom: oneOf(stream('volatility-from'), ['parameter', 'estimate']),
  };
}

const levelsFor = (stream: Stream): Readonly<Record<string, unknown>> => ({
  levels: 1 + pick(stream('levels'), 2),
  halfSpreadStepBps: among(stream('half-spread-step'), [15, 50]),
  orderSize: among(stream('size'), SIZE).toFixed(2),
  orderSizeStep: among(stream('size-step'), [0, 10_000]).toFixed(2),
});

/** Common parameters of the models. Inventory begins some orders off its target, and may be at a bound. */
const modelOf = (stream: Stream): Readonly<Record<string, unknown>> => ({
  ...levelsFor(stream),
  decayPerBps: among(stream('decay'), [0.01, 0.02]),
  mostInventoryOrders: oneOf(stream('most'), [4, 8, 12]),
});

const riskOf = (stream: Stream): Readonly<Record<string, unknown>> => ({
  riskAversionPerBps: among(stream('aversion'), [0.0005, 0.002]),
  volatilityBpsPerSqrtSecond: among(stream('volatility'), [1, 3]),
  skewMultiplier: oneOf(stream('skew-multiplier'), [1, 0.5]),
});

function asAvellanedaStoikov(_market: ProfileMarket, stream: Stream): Quoted {
  return {
    strategy: avellanedaStoikov,
    quotes: {
      ...{ ...modelOf(stream), ...riskOf(stream), ...sourcesOf(stream) },
      horizon: oneOf(stream('horizon'), ['rolling', 'infinite']),
      horizonSeconds: among(stream('seconds'), [600, 3_600]),
    },
  };
}

function asGlft(_market: ProfileMarket, stream: Stream): Quoted {
  return {
    strategy: glft,
    quotes: {
      ...{ ...modelOf(stream), ...riskOf(stream), ...sourcesOf(stream) },
      form: oneOf(stream('form'), ['closed', 'exact']),
      takersPerSecond: among(stream('takers'), [0.01, 0.05]),
      horizonSeconds: among(stream('seconds'), [600, 3_600]),
      sizeInRiskUnits: oneOf(stream('risk-units'), [1, 2]),
      driftBpsPerSecond: oneOf(stream('drift'), [0, 0, 0.002]),
      impactBps: oneOf(stream('impact'), [0, 0, 10]),
      ...(chance(stream('execution'), 1 / 3) && { executionAversionPerBps: oneOf(stream('xi'), [0, 0.0004]) }),
    },
  };
}

function asCarteaJaimungal(_market: ProfileMarket, stream: Stream): Quoted {
  const { takersFrom = 'parameter' } = sourcesOf(stream);
  return {
    strategy: carteaJaimungal,
    quotes: {
      ...{ ...modelOf(stream), takersFrom },
      takersPerSecond: among(stream('takers'), [0.01, 0.05]),
      horizonSeconds: among(stream('seconds'), [300, 1_200]),
      runningPenaltyBpsPerSecond: among(stream('running'), [0.0005, 0.003]),
      terminalPenaltyBps: among(stream('terminal'), [0.2, 1]),
      buyImpactBps: oneOf(stream('buy-impact'), [0, 0, 8]),
      sellImpactBps: oneOf(stream('sell-impact'), [0, 0, 12]),
      ...(chance(stream('uneven'), 1 / 3) && { buyersPerSecond: 0.03, sellersPerSecond: 0.02 }),
    },
  };
}

function asMicroPrice(market: ProfileMarket, stream: Stream): Quoted {
  const { quotes } = asFixedSpread(market, stream);
  const learned = chance(stream('learned'), 1 / 3);
  return { strategy: micropricePegged, quotes: { ...quotes, learned, minimumSnapshots: 50 } };
}

function asCrossRate(market: ProfileMarket, stream: Stream): Quoted {
  const { quotes } = asFixedSpread(market, stream);
  const base = market.instrument.base === 'BTC' ? 'BTC' : 'ETH';
  const chain = oneOf(stream('chain'), chainsFrom(base, market.startPrice));
  const maxLegAgeMs = oneOf(stream('leg-age'), [20_000, 30_000]);
  return { strategy: crossRate, quotes: { ...quotes, legs: chain.legs, maxLegAgeMs }, chain };
}

const refreshOf = (stream: Stream): NonNullable<ProfileMarket['refresh']> => ({
  priceToleranceBps: among(stream('tolerance'), [3, 30]),
  refreshMs: oneOf(stream('refresh'), [1_000, 5_000, 20_000]),
  maxOrderAgeMs: oneOf(stream('age'), [120_000, 600_000, 1_800_000]),
});

const quotingOf = (stream: Stream): NonNullable<ProfileMarket['quoting']> =>
  chance(stream('inventory-skew'), 1 / 4)
    ? { inventorySkew: { multiplier: oneOf(stream('multiplier'), [8, 20]) } }
    : {};

/** Two strategies whose quotes are always recomputed without features. */
const isPlain = ({ strategy }: Quoted): boolean => strategy === fixedSpread || strategy === joinBest;

/** None in half of the other strategies' markets, where the judge computes exact prices; otherwise each in a third. */
function featuresOf(quoted: Quoted, stream: Stream): Readonly<Record<string, unknown>> {
  if (isPlain(quoted) || chance(stream('plain'), 1 / 2)) return {};
  const drawn: Readonly<Record<string, unknown>> = {
    pingPong: true,
    filledDelayMs: 20_000,
    trend: { trendBps: 30 },
    hanging: { cancelBps: 200 },
    optimizeDepth: '0',
    width: { volatilityMultiplier: 1.7 },
    inventoryCost: {},
    priceBand: { bandBps: 100 },
    externalGuard: { whenUnknown: 'ignore' },
    sessions: { windows: [{ days: ['mon', 'thu', 'fri'], from: '05:40', to: '05:30' }] },
  };
  const isDrawn = (name: string): boolean => chance(stream(`feature.${name}`), 1 / 3) && !mayStick(quoted, name);
  return Object.fromEntries(Object.entries(drawn).filter(([name]) => isDrawn(name)));
}

const BALANCING: ReadonlySet<string> = new Set(['pingPong', 'tradeRate']);

/**
 * A model at a bound stops one side, and a step that wants fills of that side first stops the other: by its own
 * configuration such a bot quotes nothing, which is no fault to find.
 */
function mayStick({ quotes }: Quoted, feature: string): boolean {
  const hasBounds =
    quotes.mostInventoryOrders !== undefined && quotes.horizon !== 'rolling' && quotes.form !== 'closed';
  return hasBounds && BALANCING.has(feature);
}

/** Each in one market of three, triggered within an hour. */
function protectionsOf(stream: Stream): Readonly<Record<string, unknown>> {
  const drawn: Readonly<Record<string, unknown>> = {
    losingSales: { count: 2 },
    drawdown: { quote: '400' },
    turnover: { quotePerDay: '150000' },
  };
  return Object.fromEntries(Object.entries(drawn).filter(([name]) => chance(stream(`protection.${name}`), 1 / 3)));
}

const referenceOf = (stream: Stream): Pick<ProfileMarket, 'referenceSource'> => ({
  referenceSource: oneOf(stream('reference'), ['mid', 'micro', 'sizeWeightedMid']),
});
