// The exchange's state apart from its market and accounts: stop orders, assets, running numbers.
import { decimal, plain } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EngineOrderId, EngineSettings } from '../../matching/types.ts';
import type { WaitingOrder } from './in-flight.ts';
import type { ActionOf, PaperNetwork } from './owner-actions.ts';

export interface BackOffice {
  /** Stop orders, in order of arrival. */
  readonly waiting: Map<EngineOrderId, WaitingOrder>;
  /** Every known asset. */
  readonly assets: Map<Asset, AssetRow>;
  nextSbsNumber: bigint;
  nextTransfer: number;
}

/** SBS orders are numbered like orders. */
export function createBackOffice({ instruments, firstOrderNumber }: EngineSettings): BackOffice {
  const assets = new Set(instruments.flatMap(({ base, quote }) => [base, quote]));
  return {
    waiting: new Map(),
    assets: new Map([...assets].map((asset) => [asset, plainAsset(asset)])),
    nextSbsNumber: firstOrderNumber,
    nextTransfer: 1,
  };
}

/** Adds an asset if it is new. */
export function knowAsset({ assets }: BackOffice, asset: Asset): void {
  if (!assets.has(asset)) assets.set(asset, plainAsset(asset));
}

/** In alphabetical order. */
export function knownAssets({ assets }: BackOffice): readonly Asset[] {
  return [...assets.keys()].sort();
}

// Published settings of the assets: status and networks (specification 2.8).

/** Plain JSON in wire form. */
interface AssetRow {
  readonly asset: Asset;
  readonly name: string;
  readonly status: NonNullable<ActionOf<'asset-settings'>['status']>;
  readonly networks: readonly NetworkRow[];
}

interface NetworkRow {
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

/** An asset's first settings: active; a coin has one network of its own name, the fiat currency none. */
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
