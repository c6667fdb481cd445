// Ticks and lots that are no powers of ten, charges that never come out even, and markets in another quote than INR:
// rounding is exact to the last digit, and sums of two quotes are never added.
import { pick, type RandomStream, randomStream, uniform } from '../../src/crowd/random.ts';
import { decimal } from '../../src/domain/decimal.ts';
import type { Asset, Instrument } from '../../src/domain/instrument.ts';
import { DEFAULT_PROFILE } from './default-profile.ts';
import type { Profile, ProfileMarket } from './profile.ts';
import { inQuote } from './quote-worth.ts';

type Steps = readonly [tick: string, lot: string];

interface Market {
  readonly base: Asset;
  readonly quote: Asset;
  readonly startPrice: number;
  /** One of them is drawn. */
  readonly steps: readonly Steps[];
}

const BTC_USDT: Market = {
  base: 'BTC',
  quote: 'USDT',
  startPrice: 62_500,
  steps: [
    ['0.25', '0.00025'],
    ['0.05', '0.00004'],
    ['12.5', '0.00015'],
  ],
};
const ETH_USDT: Market = {
  base: 'ETH',
  quote: 'USDT',
  startPrice: 3_400,
  steps: [
    ['0.0005', '0.025'],
    ['0.02', '0.003'],
    ['0.125', '0.0075'],
  ],
};
const BTC_INR: Market = {
  base: 'BTC',
  quote: 'INR',
  startPrice: 5_500_000,
  steps: [
    ['0.25', '0.00003'],
    ['2.5', '0.00015'],
    ['0.05', '0.000025'],
  ],
};
const XRP_INR: Market = {
  base: 'XRP',
  quote: 'INR',
  startPrice: 212.5,
  steps: [
    ['0.0005', '2.5'],
    ['0.02', '0.75'],
    ['0.025', '1.25'],
  ],
};

/** One quote that is not INR, or two quotes in one account. */
const PAIRS: readonly (readonly [Market, Market])[] = [
  [BTC_USDT, ETH_USDT],
  [BTC_INR, ETH_USDT],
  [BTC_USDT, XRP_INR],
];

/** Near the published rates for INR and for crypto pairs, and lower; a fill's charge is never a whole number. */
const FEE_RATIOS = ['0.0047203', '0.0035397', '0.0023577'] as const;
const TDS_RATIOS = ['0.01', '0.0010037'] as const;

/** Takers who reach further than in a thin book, with less each: every fill rounds its charges. */
const MANY_SMALL_FILLS = { toleranceBps: 150, meanTakerNotional: 4_000, informedShareRatio: 0.4 };

/** In INR. */
const OPENING = 2_500_000;
/** Least notional. */
const LEAST = 110;

export function fractionalProfile(seed: string): Profile {
  const draw = (name: string): RandomStream => randomStream(seed, `fractional.${name}`);
  const pair = PAIRS[pick(draw('pair'), PAIRS.length)] as (typeof PAIRS)[number];
  const fee = decimal(FEE_RATIOS[pick(draw('fee'), FEE_RATIOS.length)] ?? FEE_RATIOS[0]);
  const tdsRatio = decimal(TDS_RATIOS[pick(draw('tds'), TDS_RATIOS.length)] ?? TDS_RATIOS[0]);
  const quotes = new Set(['INR', ...pair.map(({ quote }) => quote)]);
  return {
    ...DEFAULT_PROFILE,
    markets: pair.map((market) => marketOf(market, (name) => draw(`${market.base}.${name}`))),
    openingQuotes: Object.fromEntries([...quotes].map((quote) => [quote, inQuote(OPENING, quote)])),
    flow: MANY_SMALL_FILLS,
    charges: { makerFeeRatio: fee, takerFeeRatio: fee, tdsRatio },
  };
}

function marketOf({ base, quote, startPrice, steps }: Market, draw: (name: string) => RandomStream): ProfileMarket {
  const [tick, lot] = steps[pick(draw('steps'), steps.length)] as Steps;
  const instrument: Instrument = {
    symbol: `${base}/${quote}`,
    base,
    quote,
    tickSize: decimal(tick),
    lotSize: decimal(lot),
    minNotional: inQuote(LEAST, quote),
  };
  /** Lots worth this many INR. */
  const lots = (inr: number): string =>
    instrument.lotSize.mul(inQuote(inr, quote).div(startPrice).div(lot).round()).toFixed();
  const inr = (amount: number): string => inQuote(amount, quote).toFixed();
  const orderSize = 30_000 + 30_000 * uniform(draw('size'));
  return {
    instrument,
    startPrice,
    opening: decimal(lots(2_600_000)),
    limits: {
      maxOrderQuantity: lots(270_000),
      maxOrderNotional: inr(200_000),
      maxInventoryBase: lots(6_000_000),
      maxOpenNotional: inr(600_000),
      maxOpenNotionalOverAll: inr(1_100_000),
    },
    quotes: {
      levels: 2,
      halfSpreadBps: 90,
      halfSpreadStepBps: 40,
      orderSize: inr(orderSize),
      orderSizeStep: inr(17_777),
      sizeUnit: 'quote',
      skewBps: 60,
    },
  };
}
