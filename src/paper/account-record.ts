// What the exchange keeps of one account beside the engine: its fills, the orders that closed, and what its lists show.
import type { Asset, InstrumentSymbol } from '../domain/instrument.ts';
import type { EpochMs } from '../domain/time.ts';
import type { EngineOrder } from '../matching/types.ts';
import { createView, type DelayedView, restoreView, snapshotView, type ViewSnapshot } from './delayed-view.ts';

/** One execution of the account, written out as the wire wants it (specification 2.13); plain JSON. */
export interface FillRow {
  readonly symbol: InstrumentSymbol;
  /** Digits; may exceed 2^53. */
  readonly id: string;
  readonly orderId: string;
  readonly price: string;
  readonly qty: string;
  readonly quoteQty: string;
  readonly commission: string;
  readonly commissionAsset: Asset;
  readonly tds: string;
  readonly time: EpochMs;
  readonly isBuyer: boolean;
  readonly isMaker: boolean;
}

export interface WalletRow {
  readonly free: string;
  readonly locked: string;
}

export interface AccountRecord {
  /** Oldest first, ids rising; at most FILLS_MAX, the oldest are dropped. */
  readonly fills: FillRow[];
  /** Ids of orders that closed, oldest first; at most CLOSED_MAX. */
  readonly closed: Set<string>;
  readonly openOrders: DelayedView<EngineOrder>;
  readonly wallet: DelayedView<WalletRow>;
}

export interface AccountSnapshot {
  readonly fills: readonly FillRow[];
  readonly closed: readonly string[];
  readonly openOrders: ViewSnapshot<EngineOrder>;
  readonly wallet: ViewSnapshot<WalletRow>;
}

const FILLS_MAX = 100_000;
/** Dropped together, so that the list is not moved at every fill. */
const FILLS_DROPPED = 1_000;
const CLOSED_MAX = 2_000;
const CLOSED_DROPPED = 200;

export function createAccountRecord(): AccountRecord {
  return { fills: [], closed: new Set(), openOrders: createView(), wallet: createView() };
}

export function recordFill(record: AccountRecord, fill: FillRow): void {
  record.fills.push(fill);
  if (record.fills.length > FILLS_MAX) record.fills.splice(0, FILLS_DROPPED);
}

export function recordClosed(record: AccountRecord, orderId: string): void {
  record.closed.add(orderId);
  if (record.closed.size > CLOSED_MAX) dropOldest(record.closed);
}

function dropOldest(closed: Set<string>): void {
  let left = CLOSED_DROPPED;
  for (const orderId of closed) {
    if (left === 0) return;
    closed.delete(orderId);
    left -= 1;
  }
}

export function snapshotAccount(record: AccountRecord): AccountSnapshot {
  return {
    fills: [...record.fills],
    closed: [...record.closed],
    openOrders: snapshotView(record.openOrders),
    wallet: snapshotView(record.wallet),
  };
}

export function restoreAccount(saved: AccountSnapshot): AccountRecord {
  return {
    fills: [...saved.fills],
    closed: new Set(saved.closed),
    openOrders: restoreView(saved.openOrders),
    wallet: restoreView(saved.wallet),
  };
}
