// What the markets, the money and the limits of a simulated run are. The faults of a run do not depend on it.
import type { FlowSettings, LatentSettings } from '../../crowd/synthetic-settings.ts';
import type { Decimal } from '../../domain/decimal.ts';
import type { Asset, Instrument } from '../../domain/instrument.ts';

export const PROFILE_NAMES = ['default', 'tight', 'fractional'] as const;
export type ProfileName = (typeof PROFILE_NAMES)[number];

export interface ProfileMarket {
  readonly instrument: Instrument;
  readonly startPrice: number;
  /** Base that the account begins with. */
  readonly opening: Decimal;
  /** As a configuration writes them. */
  readonly limits: Readonly<Record<string, string | number>>;
  /** Parameters of `fixed-spread`. */
  readonly quotes: Readonly<Record<string, string | number>>;
}

export interface Profile {
  readonly markets: readonly ProfileMarket[];
  /** Of each quote asset, and of INR: what the account begins with. */
  readonly openingQuotes: Readonly<Record<Asset, Decimal>>;
  readonly charges: Readonly<Record<'makerFeeRatio' | 'takerFeeRatio' | 'tdsRatio', Decimal>>;
  readonly effectiveTaxRatio: Decimal;
  /** Whether quotes keep at least the distance that fees and tax cost. */
  readonly costFloor: boolean;
  readonly refresh: Readonly<Record<'priceToleranceBps' | 'refreshMs', number>>;
  readonly messageRate: Readonly<Record<string, number>>;
  readonly walk: Omit<Extract<LatentSettings, { kind: 'walk' }>, 'kind' | 'startPrice'>;
  /** What differs from the crowd of a thin book; amounts are in INR, whatever the quote. */
  readonly flow: Partial<FlowSettings>;
}
