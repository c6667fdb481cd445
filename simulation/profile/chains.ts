// Two markets that lead from a coin to INR, for the strategy that prices a third by them: consistent prices, as on one
// exchange.
import { decimal } from '../../src/domain/decimal.ts';
import type { InstrumentSymbol } from '../../src/domain/instrument.ts';
import type { LegMarket, Profile } from './profile.ts';
import { worthOf } from './quote-worth.ts';

export interface Chain {
  /** From the coin to INR. */
  readonly legs: readonly [InstrumentSymbol, InstrumentSymbol];
  /** The markets among them without a run. */
  readonly markets: readonly LegMarket[];
  /** Markets whose price follows others, and which. */
  readonly follows: Readonly<Record<InstrumentSymbol, readonly InstrumentSymbol[]>>;
}

const STEPS = { tick: '0.01', lot: '0.00001' };

const market = (base: string, quote: string, more: Omit<LegMarket, 'instrument'>, steps = STEPS): LegMarket => ({
  ...more,
  instrument: {
    symbol: `${base}/${quote}`,
    ...{ base, quote },
    ...{ tickSize: decimal(steps.tick), lotSize: decimal(steps.lot), minNotional: decimal('0.00001') },
  },
});

/** A coin's price in another coin is calmer than either's in money. */
const CALM_BPS = 0.5;
const LIVELY_BPS = 2;

/** Through another currency: both legs lead in the chain's direction. */
function throughUsdt(base: string, startPrice: number): Chain {
  const usdt = worthOf('USDT');
  const legs = [`${base}/USDT`, 'USDT/INR'] as const;
  return {
    legs,
    markets: [
      market(base, 'USDT', { startPrice: startPrice / usdt, volatilityBpsPerSqrtSecond: LIVELY_BPS }),
      market('USDT', 'INR', { startPrice: usdt, volatilityBpsPerSqrtSecond: CALM_BPS }, { tick: '0.01', lot: '0.01' }),
    ],
    follows: { [`${base}/INR`]: legs },
  };
}

/**
 * ETH for BTC: from ETH in the market's direction, from BTC inverted. The other leg is one of the bot's own markets.
 */
function throughEachOther(base: 'BTC' | 'ETH'): Chain {
  const others = base === 'BTC' ? 'ETH' : 'BTC';
  const startPrice = ETH_PRICE / worthOf('BTC');
  const steps = { tick: '0.00001', lot: '0.001' };
  return {
    legs: ['ETH/BTC', `${others}/INR`],
    markets: [market('ETH', 'BTC', { startPrice, volatilityBpsPerSqrtSecond: CALM_BPS }, steps)],
    follows: { 'ETH/INR': ['ETH/BTC', 'BTC/INR'] },
  };
}

const ETH_PRICE = 300_000;

/** Both kinds of them. */
export const chainsFrom = (base: 'BTC' | 'ETH', startPrice: number): readonly [Chain, Chain] => [
  throughUsdt(base, startPrice),
  throughEachOther(base),
];

/** Books of some thirty basis points: the cost of crossing two must leave room for quotes. */
export const FLOW_OF_LEGS: NonNullable<Profile['flowOfLegs']> = {
  halfSpreadBps: 10,
  distanceDecayBps: 20,
  toleranceBps: 15,
};
