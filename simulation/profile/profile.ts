// Markets, money and limits of a simulated run. The faults of a run do not depend on it.
import type { FlowSettings, LatentSettings } from '../../src/crowd/synthetic-settings.ts';
import type { Decimal } from '../../src/domain/decimal.ts';
import type { Asset, Instrument, InstrumentSymbol } from '../../src/domain/instrument.ts';
import type { ReferenceSource } from '../../src/quoting/reference-price.ts';
import type { Bounds } from '../../src/quoting/risk/risk-limits.ts';
import type { Strategy } from '../../src/quoting/strategy.ts';

export const PROFILE_NAMES = ['default', 'tight', 'fractional', 'busy', 'strategies', 'losses'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

export interface ProfileMarket {
  readonly instrument: Instrument;
  readonly startPrice: number;
  /** Base that the account begins with. */
  readonly opening: Decimal;
  /** Orders of the owner that rest all the time, unless the account is the bot's alone. */
  readonly ownersOrders?: number;
  /** In configuration form. */
  readonly limits: Readonly<Record<string, string | number | object>>;
  /** Overrides of the usual bounds. */
  readonly bounds?: Partial<Bounds>;
  /** Absent: `fixed-spread`. */
  readonly strategy?: Strategy;
  /** Parameters of the strategy. */
  readonly quotes: Readonly<Record<string, unknown>>;
  /** Absent: that of all markets. */
  readonly refresh?: Readonly<Record<string, string | number>>;
  /** In addition to that of all markets. */
  readonly quoting?: Readonly<Record<string, unknown>>;
  /** Absent: the middle. */
  readonly referenceSource?: ReferenceSource;
  readonly protections?: Readonly<Record<string, unknown>>;
  /** The crowd's fair price is the product of those in these markets. Absent: a walk of its own. */
  readonly follows?: readonly InstrumentSymbol[];
}

/** A market without a run, whose book a strategy uses. */
export interface LegMarket {
  readonly instrument: Instrument;
  readonly startPrice: number;
  readonly volatilityBpsPerSqrtSecond: number;
}

export interface Profile {
  readonly markets: readonly ProfileMarket[];
  /** Left out: none. */
  readonly legs?: readonly LegMarket[];
  /** The account's first balances of each quote asset, and of INR. */
  readonly openingQuotes: Readonly<Record<Asset, Decimal>>;
  readonly charges: Readonly<Record<'makerFeeRatio' | 'takerFeeRatio' | 'tdsRatio', Decimal>>;
  readonly effectiveTaxRatio: Decimal;
  /** Whether quotes keep at least the distance that covers fees and tax. */
  readonly costFloor: boolean;
  readonly refresh: Readonly<Record<'priceToleranceBps' | 'refreshMs', number>>;
  readonly messageRate: Readonly<Record<string, number>>;
  readonly walk: Omit<Extract<LatentSettings, { kind: 'walk' }>, 'kind' | 'startPrice'>;
  /** Differences from the crowd of a thin book; amounts are in INR, whatever the quote. */
  readonly flow: Partial<FlowSettings>;
  /** The same for the legs, in addition. */
  readonly flowOfLegs?: Partial<FlowSettings>;
}
