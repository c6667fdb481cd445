// How far the exchange's lists were seen to trail what is so: an interval for each own create, cancel and fill.
import type { IntentId } from '../../../domain/ids.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../../../domain/time.ts';
import type { FillWatch, WalletLook } from './watch-fills.ts';
import type { OrderWatch } from './watch-orders.ts';

/**
 * - `listed`: from a create that was acknowledged to the list of open orders that shows the order.
 * - `gone`: from an acknowledged cancel, or the last fill, to the list of open orders that lacks it.
 * - `trades`: from a fill to its row in own trades.
 * - `wallet`: from a fill to the wallet that holds what it moved.
 */
export const LAG_KINDS = ['listed', 'gone', 'trades', 'wallet'] as const;
export type LagKind = (typeof LAG_KINDS)[number];

/**
 * What one event proves: lists that left later than `atLeastMs` after it were wrong, and one that came `atMostMs` after
 * it was right.
 */
export interface LagSample {
  /** When it was complete, by our clock. */
  readonly at: EpochMs;
  readonly atLeastMs: DurationMs;
  readonly atMostMs: DurationMs;
}

/** A proof that a list trailed by more than is assumed. */
export interface BrokenBound {
  readonly kind: LagKind;
  readonly at: EpochMs;
  readonly atLeastMs: DurationMs;
}

/** Lists by whose times something is decided. */
export const DATED_LISTS = ['open-orders', 'spot-trades', 'public-trades'] as const;
export type DatedList = (typeof DATED_LISTS)[number];

/** What is kept over a restart. */
export interface MeasuredLags {
  /** Oldest first. */
  readonly samples: Readonly<Record<LagKind, readonly LagSample[]>>;
  readonly broken: BrokenBound | null;
}

export interface Lags {
  readonly samples: Record<LagKind, LagSample[]>;
  broken: BrokenBound | null;
  /** The exchange's clock less ours, when it was last known; null while it is not. */
  offsetMs: DurationMs | null;
  /** Rises with every sample. */
  version: number;
  readonly orders: Map<IntentId, OrderWatch>;
  readonly fills: Map<string, FillWatch>;
  /** Since the last wallet that equalled the ledger, and that one, oldest first. */
  wallets: readonly WalletLook[];
  /** Of rows whose times can't be true, by their names: by how much they are off. */
  readonly wrongTimes: Readonly<Record<DatedList, Map<string, DurationMs>>>;
}

/** Samples that are kept of each kind. */
export const SAMPLES_KEPT = 500;

const nothingMeasured = (): MeasuredLags => ({
  samples: { listed: [], gone: [], trades: [], wallet: [] },
  broken: null,
});

export function startLags({ samples, broken }: MeasuredLags = nothingMeasured()): Lags {
  const copies = LAG_KINDS.map((kind) => [kind, samples[kind].slice(-SAMPLES_KEPT)] as const);
  return {
    samples: Object.fromEntries(copies) as Lags['samples'],
    broken,
    offsetMs: null,
    version: 0,
    orders: new Map(),
    fills: new Map(),
    wallets: [],
    wrongTimes: { 'open-orders': new Map(), 'spot-trades': new Map(), 'public-trades': new Map() },
  };
}

/** In an outage nobody looks: what was right at the first look after so long says nothing of the list. */
const UNSEEN_MS = 5 * MINUTE;

/** Keeps what an event proves, in whole milliseconds. An interval that is none is a clock's, or of another fault. */
export function addSample(lags: Lags, kind: LagKind, { at, atLeastMs, atMostMs }: LagSample): void {
  if ((atLeastMs === 0 && atMostMs > UNSEEN_MS) || atMostMs < atLeastMs) return;
  const samples = lags.samples[kind];
  samples.push({ at, atLeastMs: Math.floor(atLeastMs), atMostMs: Math.ceil(atMostMs) });
  if (samples.length > SAMPLES_KEPT) samples.shift();
  lags.version += 1;
}

/** Our clock was set: between a moment of before and one of now lies no duration. */
export function forgetWatched(lags: Lags): void {
  lags.orders.clear();
  lags.fills.clear();
  lags.wallets = [];
}

/** The oldest entries go first. */
export function keepNewest<K>(map: Map<K, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}
