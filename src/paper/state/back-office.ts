// What the exchange knows beside its market and its accounts: orders that wait outside the book, assets, running
// numbers.
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { EngineOrderId } from '../../matching/types.ts';
import { type AssetRow, plainAsset } from './asset-record.ts';
import type { PaperSettings } from './settings.ts';
import type { OrderType, WaitingOrder } from './waiting-order.ts';

/** What the book doesn't know of an order that came to it from outside. */
export interface Origin {
  readonly type: OrderType;
  readonly createdAt: EpochMs;
}

export interface BackOffice {
  /** In order of arrival. */
  readonly waiting: Map<EngineOrderId, WaitingOrder>;
  /** Of orders that rest in the book after they were triggered. */
  readonly origins: Map<EngineOrderId, Origin>;
  /** Every asset that the exchange knows. */
  readonly assets: Map<Asset, AssetRow>;
  nextSbsNumber: bigint;
  nextTransfer: number;
}

export interface BackOfficeSnapshot {
  readonly waiting: readonly WaitingOrder[];
  readonly origins: readonly (readonly [EngineOrderId, Origin])[];
  readonly assets: readonly AssetRow[];
  readonly nextSbsNumber: string;
  readonly nextTransfer: number;
}

/** The assets of the instruments and of the accounts' first balances; SBS orders are numbered as orders are. */
export function createBackOffice({ engine, accounts }: PaperSettings): BackOffice {
  const assets = new Set(accounts.flatMap((account) => Object.keys(account.balances)));
  for (const { base, quote } of engine.instruments) assets.add(base).add(quote);
  return {
    waiting: new Map(),
    origins: new Map(),
    assets: new Map([...assets].map((asset) => [asset, plainAsset(asset)])),
    nextSbsNumber: engine.firstOrderNumber,
    nextTransfer: 1,
  };
}

/** Lists an asset that is not known yet. */
export function knowAsset({ assets }: BackOffice, asset: Asset): void {
  if (!assets.has(asset)) assets.set(asset, plainAsset(asset));
}

/** In alphabetical order. */
export function knownAssets({ assets }: BackOffice): readonly Asset[] {
  return [...assets.keys()].sort();
}

export function snapshotBackOffice(office: BackOffice): BackOfficeSnapshot {
  return {
    waiting: [...office.waiting.values()].map((order) => ({ ...order })),
    origins: [...office.origins],
    assets: [...office.assets.values()],
    nextSbsNumber: office.nextSbsNumber.toString(),
    nextTransfer: office.nextTransfer,
  };
}

/** As it was, with the assets that the settings have anew. */
export function restoreBackOffice(settings: PaperSettings, saved: BackOfficeSnapshot): BackOffice {
  const office = createBackOffice(settings);
  for (const order of saved.waiting) office.waiting.set(order.orderId, { ...order });
  for (const [orderId, origin] of saved.origins) office.origins.set(orderId, origin);
  for (const row of saved.assets) office.assets.set(row.asset, row);
  office.nextSbsNumber = BigInt(saved.nextSbsNumber);
  office.nextTransfer = saved.nextTransfer;
  return office;
}
