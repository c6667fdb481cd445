// The last read of each side of the exchange, its age, and when it is due again.
import type { Decimal } from '../../domain/decimal.ts';
import type { OrderId, TradeId } from '../../domain/ids.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { OrderBook } from '../../domain/order-book.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';

const RETRY_FIRST_MS = 500;
const RETRY_LONGEST_MS = 30_000;

/** When a surface was read. Ages count from the time the request left: the answer may be that old. */
export interface Surface {
  /** When the last good read left; null before the first. */
  sentAt: EpochMs | null;
  /** When the last attempt left, good or not. */
  attemptedAt: EpochMs | null;
  /** A read must leave at or after this time: something happened that only it can show. Null otherwise. */
  neededAfter: EpochMs | null;
  /** The latest requested time that the read for `neededAfter` won't serve; those between are served on the way. */
  neededLater: EpochMs | null;
  /** Failures in a row; each doubles the wait before the next attempt. */
  failures: number;
}

export interface BookSurface extends Surface {
  book: OrderBook | null;
  /** When it came: requests that left later are not in it. */
  receivedAt: EpochMs | null;
  /** When the first of the current row of identical books left. */
  unchangedSince: EpochMs | null;
  /** Set while it is not trusted; null otherwise. */
  frozen: FrozenBook | null;
}

/** Why a book that stands still is not trusted. */
export interface FrozenBook {
  readonly foundAt: EpochMs;
  /** The orders of ours that it should show, in words. */
  readonly lacks: string;
}

export interface OpenOrdersSurface extends Surface {
  /**
   * When the complete list before the last one left: one list that lacks an order may be an outage (F38), two are a
   * proof.
   */
  beforeSentAt: EpochMs | null;
  /** When the first complete list since the last long gap left; null before the first. */
  readSince: EpochMs | null;
  /** When the first in the current row of lists that lack most of our orders left; null while they are there. */
  massCloseSentAt: EpochMs | null;
  /** Rows of orders that no intent owns, as of the last complete read. */
  unmatchedRows: readonly OpenOrder[];
  /** Every such order with the time when it was first seen: an order listed before a create left can't be its order. */
  readonly unmatched: Map<OrderId, UnmatchedOrder>;
}

/** An order on the account that no intent owns. */
export interface UnmatchedOrder {
  /** As last listed. */
  readonly row: OpenOrder;
  readonly firstReceivedAt: EpochMs;
  readonly lastSentAt: EpochMs;
  /** An unanswered create may still be named with this order: until that is known it is nobody else's. */
  readonly waits: boolean;
}

export interface TradesSurface extends Surface {
  /** When the last late-trade scan left, answered or not. */
  lateScanAttemptedAt: EpochMs | null;
  /** When the last completely answered one left. */
  lateScanSentAt: EpochMs | null;
  /** The last one without a gap: from when on, by the exchange's clock, and when it left. */
  wholeScan: { readonly from: EpochMs; readonly sentAt: EpochMs } | null;
  /** Venue time of the last known trade when a wallet last confirmed the ledger; null until one did in this session. */
  confirmedTo: EpochMs | null;
  /** Venue time of the last known trade when the session began; null if there was none. */
  readonly knownAtStart: EpochMs | null;
  /** When the next one is due, whatever the interval; null if nothing needs it. */
  lateScanFrom: EpochMs | null;
  /** When the first fills were read of orders that no list has shown and that may be an unknown create's. */
  readonly unmatchedSince: Map<OrderId, EpochMs>;
  /** When the last page that reached to the present left; null before the first, and after our clock was set. */
  presentSentAt: EpochMs | null;
  /** A page was full, or the list is read to the end: the next page is due at once. */
  morePages: boolean;
  /** When the first in the current row of pages that proved nothing left; null after a good one. */
  incompleteSince: EpochMs | null;
  /**
   * The largest id shown in this session; null before the first row, and after the last known trade has left the list.
   */
  newestShown: TradeId | null;
  /**
   * The newest row of a full page with nothing left to book: reading goes on from there if the cursor is further back,
   * as a trade that explained a difference does not move the cursor. Null while no such page leads on.
   */
  bookedTo: { readonly tradeId: TradeId; readonly venueTime: EpochMs } | null;
  /**
   * When the first in the current row of complete pages that lack the last known trade left; null while it is shown.
   */
  lastMissedSince: EpochMs | null;
  /** Rows of the longest page in this session: no page is known to hold more. */
  longestPage: number;
  /** The last request for newer trades was refused for its content: asking again brings nothing. */
  isRefused: boolean;
}

export interface WalletSurface extends Surface {
  totals: ReadonlyMap<Asset, Decimal>;
  /**
   * Locked by anything but our orders, as of the last wallet that matched the ledger when it came: by the time a wallet
   * matches only after trades are read, our own orders may have changed.
   */
  lockedByOthers: ReadonlyMap<Asset, Decimal>;
}

export const startSurface = (): Surface => ({
  sentAt: null,
  attemptedAt: null,
  neededAfter: null,
  neededLater: null,
  failures: 0,
});

export const startBook = (): BookSurface => ({
  ...startSurface(),
  book: null,
  receivedAt: null,
  unchangedSince: null,
  frozen: null,
});

export const startOpenOrders = (): OpenOrdersSurface => ({
  ...startSurface(),
  beforeSentAt: null,
  readSince: null,
  massCloseSentAt: null,
  unmatchedRows: [],
  unmatched: new Map(),
});

/** `knownAtStart`: venue time of the last known trade; null if there is none. */
export const startTrades = (knownAtStart: EpochMs | null): TradesSurface => ({
  ...startSurface(),
  lateScanAttemptedAt: null,
  lateScanSentAt: null,
  wholeScan: null,
  confirmedTo: null,
  knownAtStart,
  unmatchedSince: new Map(),
  lateScanFrom: null,
  presentSentAt: null,
  morePages: false,
  incompleteSince: null,
  newestShown: null,
  bookedTo: null,
  lastMissedSince: null,
  longestPage: 0,
  isRefused: false,
});

export const startWallet = (): WalletSurface => ({
  ...startSurface(),
  totals: new Map(),
  lockedByOthers: new Map(),
});

/**
 * Asks for a read that leaves at or after `from`. Neither of two requested times delays the other: one may lie minutes
 * ahead.
 */
export function need(surface: Surface, from: EpochMs): void {
  const soonest = Math.min(surface.neededAfter ?? from, from);
  const latest = Math.max(surface.neededLater ?? from, surface.neededAfter ?? from, from);
  surface.neededAfter = soonest;
  surface.neededLater = latest > soonest ? latest : null;
}

/** Whether a read is needed that may leave now. */
export function isNeeded(surface: Surface, now: EpochMs): boolean {
  return surface.neededAfter !== null && surface.neededAfter <= now;
}

/** The earliest time for another request after failures. */
export function retryAt(surface: Surface, longestMs: DurationMs = RETRY_LONGEST_MS): EpochMs {
  if (surface.failures === 0 || surface.attemptedAt === null) return 0;
  return surface.attemptedAt + Math.min(longestMs, RETRY_FIRST_MS * 2 ** (surface.failures - 1));
}

/** When the surface should be read next: when it is needed, and at the latest one interval after the last read. */
export function dueAt(surface: Surface, intervalMs: number, longestRetryMs?: DurationMs): EpochMs {
  const periodic = surface.sentAt === null ? 0 : surface.sentAt + intervalMs;
  return Math.max(Math.min(periodic, surface.neededAfter ?? periodic), retryAt(surface, longestRetryMs));
}

export function recordGoodRead(surface: Surface, sentAt: EpochMs): void {
  surface.sentAt = surface.sentAt === null ? sentAt : Math.max(surface.sentAt, sentAt);
  surface.failures = 0;
  if (surface.neededAfter === null || sentAt < surface.neededAfter) return;
  const later = surface.neededLater;
  surface.neededAfter = later !== null && later > sentAt ? later : null;
  surface.neededLater = null;
}

export function countFailedRead(surface: Surface): void {
  surface.failures += 1;
}

export function ageOf(surface: Surface, now: EpochMs): number {
  return surface.sentAt === null ? Number.POSITIVE_INFINITY : now - surface.sentAt;
}
