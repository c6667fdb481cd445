// What the exchange says about its assets: status and networks (specification 2.8).
import { type Decimal, decimal, plain } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';

export type AssetStatus = 'ACTIVE' | 'INACTIVE';

/** One blockchain network of an asset; amounts in the asset. */
export interface PaperNetwork {
  readonly name: string;
  readonly deposit: { readonly min: Decimal; readonly confirmations: number; readonly enabled: boolean };
  readonly withdraw: {
    readonly min: Decimal;
    readonly max: Decimal;
    readonly fee: Decimal;
    readonly enabled: boolean;
  };
}

/** Plain JSON, as the wire wants it. */
export interface AssetRow {
  readonly asset: Asset;
  readonly name: string;
  readonly status: AssetStatus;
  readonly networks: readonly NetworkRow[];
}

export interface NetworkRow {
  readonly name: string;
  readonly deposit: { readonly min: string; readonly confirmations: number; readonly enabled: boolean };
  readonly withdraw: { readonly min: string; readonly max: string; readonly fee: string; readonly enabled: boolean };
}

/** The currency of fiat transfers and of simple buys and sells. */
export const FIAT: Asset = 'INR';

const ASSET = /^[A-Z0-9]{1,20}$/;

export function isAssetText(text: string): boolean {
  return ASSET.test(text);
}

/** What an asset starts with: active; a coin with one network of its own name, the fiat currency with none. */
export function plainAsset(asset: Asset): AssetRow {
  const network: PaperNetwork = {
    name: asset,
    deposit: { min: decimal('0.0001'), confirmations: 6, enabled: true },
    withdraw: { min: decimal('0.001'), max: decimal(1_000), fee: decimal('0.0005'), enabled: true },
  };
  return { asset, name: asset, status: 'ACTIVE', networks: asset === FIAT ? [] : [networkRow(network)] };
}

export function networkRow({ name, deposit, withdraw }: PaperNetwork): NetworkRow {
  return {
    name,
    deposit: { min: plain(deposit.min), confirmations: deposit.confirmations, enabled: deposit.enabled },
    withdraw: {
      min: plain(withdraw.min),
      max: plain(withdraw.max),
      fee: plain(withdraw.fee),
      enabled: withdraw.enabled,
    },
  };
}
