// What was last read of each side of the exchange, how old it is, and when it must be read again.
import type { Decimal } from '../../domain/decimal.ts';
import type { OrderId, TradeId } from '../../domain/ids.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { OrderBook } from '../../domain/order-book.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';

const RETRY_FIRST_MS = 500;
const RETRY_LONGEST_MS = 30_000;

/** When a surface was read. Ages count from the moment the request left: the answer may be that old. */
export interface Surface {
  /** When the last good read left; null before the first. */
  sentAt: EpochMs | null;
  /** When the last attempt left, good or not. */
  attemptedAt: EpochMs | null;
  /** A read must leave at or after this moment: something happened that only it can show. Null when nothing did. */
  neededAfter: EpochMs | null;
  /** The latest of the wishes that the read for `neededAfter` will leave open; those between are served on the way. */
  neededLater: EpochMs | null;
  /** Failures in a row; each doubles the wait before the next attempt. */
  failures: number;
}

export interface BookSurface extends Surface {
  book: OrderBook | null;
  /** When it came: what left later is not in it. */
  receivedAt: EpochMs | null;
  /** When the first of the books in a row left that were all the same. */
  unchangedSince: EpochMs | null;
  /** Set while it is not trusted; null else. */
  frozen: FrozenBook | null;
}

/** Why a book that stands still is not trusted. */
export interface FrozenBook {
  readonly foundAt: EpochMs;
  /** Our orders that it should show, in words. */
  readonly lacks: string;
}

export interface OpenOrdersSurface extends Surface {
  /**
   * When the complete list before the last one left: one list that lacks an order may be an outage (F38), two are a
   * proof.
   */
  beforeSentAt: EpochMs | null;
  /** When the first of the complete lists left that have come without a long gap since; null before the first. */
  readSince: EpochMs | null;
  /** When the first of the lists in a row left that lacked most of our orders; null while they are there. */
  massCloseSentAt: EpochMs | null;
  /** Rows of orders that no intent owns, as of the last complete read. */
  unmatchedRows: readonly OpenOrder[];
  /** Of each such order also when it was first seen: what was there before a create left can't be its order. */
  readonly unmatched: Map<OrderId, UnmatchedOrder>;
}

/** An order on the account that no intent owns. */
export interface UnmatchedOrder {
  /** As last listed. */
  readonly row: OpenOrder;
  readonly firstReceivedAt: EpochMs;
  readonly lastSentAt: EpochMs;
  /** A create that is not answered yet may be told its name: until that is known it is nobody else's. */
  readonly waits: boolean;
}

export interface TradesSurface extends Surface {
  /** When the last late-trade scan left, answered or not. */
  lateScanAttemptedAt: EpochMs | null;
  /** When the last of them left that was answered whole. */
  lateScanSentAt: EpochMs | null;
  /** The last of them that left out nothing: from when on, by the exchange's clock, and when it left. */
  wholeScan: { readonly from: EpochMs; readonly sentAt: EpochMs } | null;
  /** Venue time of the last trade known when a wallet last confirmed the ledger; null until one did in this session. */
  confirmedTo: EpochMs | null;
  /** Venue time of the last trade known when the session began; null where none was. */
  readonly knownAtStart: EpochMs | null;
  /** When the next of them is due, whatever the interval says; null when nothing asks for it. */
  lateScanFrom: EpochMs | null;
  /** When the first fills were read of orders that no list has shown and that may be an unknown create's. */
  readonly unmatchedSince: Map<OrderId, EpochMs>;
  /** When the last page left that reached to the present; null before the first, and after our clock was set. */
  presentSentAt: EpochMs | null;
  /** A page was full, or the list is read to the end: the next page is wanted at once. */
  morePages: boolean;
  /** When the first of the pages in a row left that proved nothing; null after a good one. */
  incompleteSince: EpochMs | null;
  /**
   * The largest id that this session was shown; null before the first row, and after the last trade known has left the
   * list.
   */
  newestShown: TradeId | null;
  /**
   * The newest row of a full page of which nothing was left to book: reading goes on from there where the cursor is
   * further back, as a trade that explained a difference moves none. Null while no such page leads on.
   */
  bookedTo: { readonly tradeId: TradeId; readonly venueTime: EpochMs } | null;
  /** When the first of the whole pages in a row left that lacked the last trade known; null while it is shown. */
  lastMissedSince: EpochMs | null;
  /** Rows of the longest page in this session: no page is known to hold more. */
  longestPage: number;
  /** The last request for newer trades was refused for what it asks for: asking again brings nothing. */
  isRefused: boolean;
}

export interface WalletSurface extends Surface {
  totals: ReadonlyMap<Asset, Decimal>;
  /**
   * Locked by something that is not one of our orders, as of the last wallet that equalled the ledger when it came: of
   * one that equals only once trades are read, our own orders may have changed since.
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

/** `knownAtStart`: venue time of the last trade known; null where none is. */
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
 * Asks for a read that leaves at or after `from`. Neither of two wishes puts off the other: one may lie minutes ahead.
 */
export function need(surface: Surface, from: EpochMs): void {
  const soonest = Math.min(surface.neededAfter ?? from, from);
  const latest = Math.max(surface.neededLater ?? from, surface.neededAfter ?? from, from);
  surface.neededAfter = soonest;
  surface.neededLater = latest > soonest ? latest : null;
}

/** Whether somebody waits for a read that may leave now. */
export function isNeeded(surface: Surface, now: EpochMs): boolean {
  return surface.neededAfter !== null && surface.neededAfter <= now;
}

/** The earliest moment at which the surface may be asked again after failures. */
export function retryAt(surface: Surface, longestMs: DurationMs = RETRY_LONGEST_MS): EpochMs {
  if (surface.failures === 0 || surface.attemptedAt === null) return 0;
  return surface.attemptedAt + Math.min(longestMs, RETRY_FIRST_MS * 2 ** (surface.failures - 1));
}

/** When the surface should be read next: when it is needed, and one interval after the last read at the latest. */
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
