// What the venue says about an asset: whether it is active, and how it can be moved (specification 2.8).
import type { Decimal } from './decimal.ts';
import type { Asset } from './instrument.ts';

/** One blockchain network of an asset. Amounts are in the asset; `null` where the venue states none. */
export interface AssetNetwork {
  readonly name: string;
  readonly deposit: {
    readonly enabled: boolean;
    readonly minimum: Decimal | null;
    /** Blocks until a deposit counts. */
    readonly confirmations: number | null;
  };
  readonly withdrawal: {
    readonly enabled: boolean;
    readonly minimum: Decimal | null;
    readonly maximum: Decimal | null;
    readonly fee: Decimal | null;
  };
}

export interface AssetSettings {
  readonly asset: Asset;
  readonly name: string;
  /** `other`: a word that the specification does not list. */
  readonly status: 'active' | 'inactive' | 'other';
  readonly networks: readonly AssetNetwork[];
}
