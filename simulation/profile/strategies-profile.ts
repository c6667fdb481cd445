// Each market is run by another of the strategies that exist, with parameters and refresh settings that are drawn: what
// a market maker does beside `fixed-spread` on two levels.

import { chance, pick, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import type { Strategy } from '../../src/quoting/strategy.ts';
import { strategy as avellanedaStoikov } from '../../strategies/avellaneda-stoikov.ts';
import { strategy as carteaJaimungal } from '../../strategies/cartea-jaimungal.ts';
import { strategy as fixedSpread } from '../../strategies/fixed-spread.ts';
import { strategy as glft } from '../../strategies/glft.ts';
import { strategy as joinBest } from '../../strategies/join-best.ts';
import { strategy as micropricePegged } from '../../strategies/microprice-pegged.ts';
import { DEFAULT_PROFILE } from './default-profile.ts';
import type { Profile, ProfileMarket } from './profile.ts';

type Stream = (name: string) => RandomStream;
type Quoted = Pick<ProfileMarket, 'strategy' | 'quotes'>;

/** Every file in `strategies/`, but `cross-rate`: no chain of two markets leads anywhere here. A test compares. */
const STRATEGIES: readonly ((market: ProfileMarket, stream: Stream) => Quoted)[] = [
  asFixedSpread,
  asJoinBest,
  ...[asModel(avellanedaStoikov), asModel(glft), asModel(carteaJaimungal), asMicroPrice],
];

export function strategiesProfile(seed: string): Profile {
  const shared = (name: string): RandomStream => randomStream(seed, `strategies.${name}`);
  const first = pick(shared('order'), STRATEGIES.length);
  const markets = DEFAULT_PROFILE.markets.map((market, index) => {
    const stream: Stream = (name) => shared(`${market.instrument.base}.${name}`);
    const quoted = STRATEGIES[(first + index) % STRATEGIES.length]?.(market, stream);
    const features = quoted !== undefined && isWorkedOut(quoted) ? {} : featuresOf(stream);
    const quoting = { ...quotingOf(stream), ...features };
    const protections = protectionsOf(stream);
    return { ...market, ...quoted, refresh: refreshOf(stream), quoting, ...referenceOf(stream), protections };
  });
  return { ...DEFAULT_PROFILE, markets };
}

const oneOf = <T>(stream: RandomStream, list: readonly [T, ...T[]]): T => list[pick(stream, list.length)] ?? list[0];
const among = (stream: RandomStream, [from, to]: readonly [number, number]): number =>
  from + (to - from) * uniform(stream);

/** In INR, of the innermost level. */
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

/** A model with its own width, its volatility and takers set or estimated. */
function asModel(strategy: Strategy): (market: ProfileMarket, stream: Stream) => Quoted {
  return (_market, stream) => {
    const size = among(stream('size'), SIZE);
    return {
      strategy,
      quotes: {
        levels: 1 + pick(stream('levels'), 2),
        halfSpreadStepBps: among(stream('half-spread-step'), [15, 50]),
        orderSize: size.toFixed(2),
        takersFrom: oneOf(stream('takers-from'), ['parameter', 'estimate']),
        volatilityFrom: oneOf(stream('volatility-from'), ['parameter', 'estimate']),
        decayPerBps: among(stream('decay'), [0.01, 0.02]),
      },
    };
  };
}

function asMicroPrice(market: ProfileMarket, stream: Stream): Quoted {
  const { quotes } = asFixedSpread(market, stream);
  const learned = chance(stream('learned'), 1 / 2);
  return { strategy: micropricePegged, quotes: { ...quotes, learned, minimumSnapshots: 50 } };
}

const refreshOf = (stream: Stream): NonNullable<ProfileMarket['refresh']> => ({
  priceToleranceBps: among(stream('tolerance'), [3, 30]),
  refreshMs: oneOf(stream('refresh'), [1_000, 5_000, 20_000]),
  maxOrderAgeMs: oneOf(stream('age'), [120_000, 600_000, 1_800_000]),
  cancelFirstRatio: oneOf(stream('cancel-first'), [0, 0.5, 0.9, 1]),
  sizeToleranceRatio: oneOf(stream('size-tolerance'), [0.05, 0.1, 0.3]),
  sizeToleranceShortRatio: oneOf(stream('size-tolerance-short'), [0.2, 0.5, 0.8]),
  whileUnknown: oneOf(stream('while-unknown'), ['replace', 'freeze']),
});

const quotingOf = (stream: Stream): NonNullable<ProfileMarket['quoting']> => ({
  inventorySkew: { enabled: chance(stream('inventory-skew'), 1 / 4), multiplier: oneOf(stream('multiplier'), [8, 20]) },
});

/** What the judge works out anew it works out without features. */
const isWorkedOut = ({ strategy }: Quoted): boolean => strategy === fixedSpread || strategy === joinBest;

/** Each in one market of three. */
function featuresOf(stream: Stream): Readonly<Record<string, unknown>> {
  const drawn: Readonly<Record<string, unknown>> = {
    pingPong: true,
    filledDelayMs: 20_000,
    trend: { trendBps: 30, withinMs: 60_000 },
    tradeRate: { maxNetFills: 3 },
    hanging: { cancelBps: 200 },
    optimizeDepth: '0',
    width: { horizonMs: 30_000 },
    inventoryCost: {},
    priceBand: { bandBps: 100, bandRefreshMs: 60_000 },
    externalGuard: { whenUnknown: 'ignore' },
    sessions: { timeZone: 'Asia/Kolkata', windows: [{ days: ['mon', 'thu', 'fri'], from: '05:40', to: '05:30' }] },
  };
  return Object.fromEntries(Object.entries(drawn).filter(([name]) => chance(stream(`feature.${name}`), 1 / 3)));
}

/** Each in one market of three, met within an hour. */
function protectionsOf(stream: Stream): Readonly<Record<string, unknown>> {
  const drawn: Readonly<Record<string, unknown>> = {
    losingSales: { count: 2, withinMs: 1_800_000, lockMs: 180_000, side: oneOf(stream('lock-side'), ['both', 'buy']) },
    drawdown: { quote: '400', withinMs: 1_800_000, lockMs: 180_000 },
    refusals: { count: 2, lockMs: 180_000 },
    turnover: { quotePerDay: '150000' },
  };
  return Object.fromEntries(Object.entries(drawn).filter(([name]) => chance(stream(`protection.${name}`), 1 / 3)));
}

const referenceOf = (stream: Stream): Pick<ProfileMarket, 'referenceSource'> => ({
  referenceSource: oneOf(stream('reference'), ['mid', 'micro', 'sizeWeightedMid']),
});
