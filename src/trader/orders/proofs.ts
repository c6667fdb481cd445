// How the fate of an own order is proved (decision 0014). One table lists the needs of each conclusion; evidence is
// always the time when a request left, since an answer may show the state of that moment.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type LackedRule, lackedAgainFrom, lackedAlso, SHOWN } from '../../venue/lacked-twice.ts';
import type { Differences } from '../durable/books.ts';
import type { Reads } from '../durable/hold-events.ts';
import type { Intent } from '../durable/intent.ts';
import { confirmedSentAt } from '../money/confirmed-wallet.ts';
import { readWholeSince } from '../money/known-trades.ts';
import { isUnresolved } from '../policy/attribution/match.ts';
import type { Market } from '../state/market.ts';
import { type OrdersSeen, seenOf, seenToChange } from '../state/seen.ts';
import { lagBoundMs, type With } from '../state/state.ts';
import { need } from '../state/surfaces.ts';

/** The possible fates of an order whose end no list or answer states. */
export type Fate = 'canceled' | 'not-placed' | 'refused-for-rate';

/**
 * - `lackedOnce`: a complete list that left from `countsFrom` on lacks it.
 * - `lackedTwice`: two complete lists lack it, both from `countsFrom` on, and a lag bound apart: a hole in a list lasts
 *   no longer. An acknowledged cancel is a witness as well: for a named order one list is then enough, and after a
 *   cancel of the whole symbol the two may follow each other.
 * - `tradesRead`: own trades were read to their end, from `countsFrom` on and not before the last of these lists.
 * - `walletEqual`: a wallet from then on matches the ledger, or differs by an amount that can't be a fill of the order.
 */
export type Need = 'lackedOnce' | 'lackedTwice' | 'tradesRead' | 'walletEqual';

/** An order with all of its fills is `filled`, and one named by an answer, a list or a fill is `open`. */
export const PROOFS: Readonly<Record<Fate, readonly Need[]>> = {
  canceled: ['lackedTwice', 'tradesRead', 'walletEqual'],
  'not-placed': ['lackedTwice', 'tradesRead', 'walletEqual'],
  // Refused before it was processed, and watched until no copy of the request can be accepted.
  'refused-for-rate': ['lackedOnce', 'tradesRead'],
};

/** The fate to prove; null for an open order, or while an answer is awaited. */
export function fateOf(orders: OrdersSeen, intent: Intent): Fate | null {
  if (intent.state === 'closing') return 'canceled';
  if (!isUnresolved(intent)) return null;
  const { forRate } = seenOf(orders, intent.intentId);
  return forRate && intent.state === 'soft-rejected' ? 'refused-for-rate' : 'not-placed';
}

/** By when an acknowledged cancel has reached the book; 0 if none was acknowledged. */
export function takesEffectBy({ settings, orders }: With<'settings' | 'orders'>, { intentId }: Intent): EpochMs {
  const { cancel } = seenOf(orders, intentId);
  if (cancel === null || !cancel.acknowledged) return 0;
  return (cancel.answeredAt ?? cancel.sentAt) + settings.assumptions.venueInternalLagMs;
}

/**
 * Reads that left from then on show how the order ended: no copy of its create can be accepted any more, its cancel has
 * reached the book, and all of that is listed.
 */
export function countsFrom(state: With<'settings' | 'orders'>, intent: Intent): EpochMs {
  const boundMs = lagBoundMs(state.settings);
  if (intent.orderId !== null) return takesEffectBy(state, intent) + boundMs;
  // Reads that left before the create was given up did not search for it.
  if (fateOf(state.orders, intent) === 'refused-for-rate') return Math.max(intent.horizon, intent.since);
  const { fence } = seenOf(state.orders, intent.intentId);
  return Math.max(Math.max(intent.horizon, fence?.answeredAt ?? 0) + boundMs, intent.since);
}

/** Whether a cancel that must have ended the order was acknowledged: its own, or a fence if it has no id. */
const isCanceled = (orders: OrdersSeen, { intentId, orderId }: Intent): boolean => {
  const { cancel, fence } = seenOf(orders, intentId);
  return cancel?.acknowledged === true || (orderId === null && fence !== null);
};

/** How far apart the lists must leave that prove it gone: a canceled order has another witness, too. */
function lackedRule(state: With<'settings' | 'orders'>, intent: Intent): LackedRule {
  const canceledApartMs = intent.orderId === null ? 1 : 0;
  return {
    countsFrom: countsFrom(state, intent),
    apartMs: isCanceled(state.orders, intent) ? canceledApartMs : lagBoundMs(state.settings),
  };
}

/** From when on own trades and the wallet include all of its fills; null before that is known. */
function filledBy(state: With<'settings' | 'orders'>, intent: Intent): EpochMs | null {
  if (isCanceled(state.orders, intent) || fateOf(state.orders, intent) === 'refused-for-rate')
    return countsFrom(state, intent);
  // The first list may have had a hole, and the order may have filled until the second one left.
  return seenOf(state.orders, intent.intentId).lacked.againAt;
}

/**
 * Records what the last complete list proves: the first that lacks the order, and the one that proves it gone.
 * `mayBeShown`: a list shows an order that may be it, which only a person can tell.
 */
export function rememberLacking(
  state: With<'settings' | 'orders'>,
  { openOrders: { sentAt, readSince } }: Market,
  intent: Intent,
  mayBeShown: boolean,
): void {
  const order = seenToChange(state.orders, intent.intentId);
  if (sentAt === null) return;
  const { firstAt, againAt } = order.lacked;
  const shownAt = order.listedAt ?? 0;
  // A list counts only after the last one that showed it; a single one that lacks it only since the lists were last
  // read without a gap. Two that prove it gone stay the proof over any gap.
  const counts = firstAt !== null && firstAt > shownAt;
  const since = againAt === null ? (readSince ?? 0) : 0;
  const before = counts ? { firstAt: Math.max(firstAt, since), againAt } : SHOWN;
  const isShown = mayBeShown || sentAt <= shownAt;
  order.lacked = isShown ? SHOWN : lackedAlso(before, sentAt, lackedRule(state, intent));
}

/** The reads that fulfill a need; null while it is not fulfilled. */
type Evidence = With<'settings' | 'durable' | 'orders' | 'reconciliation' | 'missing'>;
type Witness = (state: Evidence, market: Market, intent: Intent) => Reads | null;

const WITNESSES: Readonly<Record<Need, Witness>> = {
  lackedOnce: (state, { openOrders: { sentAt } }, intent) => {
    return sentAt !== null && sentAt >= countsFrom(state, intent) ? { orders: [sentAt] } : null;
  },
  lackedTwice: (state, _market, intent) => {
    const { lacked, fence } = seenOf(state.orders, intent.intentId);
    if (lacked.firstAt === null || lacked.againAt === null) return null;
    const orders = [...new Set([lacked.firstAt, lacked.againAt])];
    return { orders, ...(fence === null || intent.orderId !== null ? {} : { fence: fence.sentAt }) };
  },
  tradesRead: (state, market, intent) => {
    const { trades } = market;
    const from = filledBy(state, intent);
    if (from === null || trades.sentAt === null || trades.sentAt < from || trades.morePages) return null;
    const scan = isReadWhole(state, market, intent) ? (trades.wholeScan?.sentAt ?? trades.sentAt) : trades.sentAt;
    return { trades: [...new Set([scan, trades.sentAt])] };
  },
  walletEqual: (state, market, intent) => {
    const wallet = confirmedSentAt(state, market, mayHaveFilledFrom(state, market, intent));
    const from = filledBy(state, intent);
    return wallet !== null && from !== null && wallet >= from ? { wallet } : null;
  },
};

/** The reads that prove the fate of the order; null while one of its needs is not fulfilled. */
export function proofOf(state: Evidence, market: Market, intent: Intent): Reads | null {
  const fate = fateOf(state.orders, intent);
  if (fate === null) return null;
  let reads: Reads = {};
  for (const each of PROOFS[fate]) {
    const found = WITNESSES[each](state, market, intent);
    if (found === null) return null;
    reads = { ...reads, ...found };
  }
  return reads;
}

/**
 * The order is gone, and reads that count have come; the confirmed difference may be a fill of it that no list shows. A
 * late row settles it, or a person who accepts the difference.
 */
export function waitsForDifference(state: Evidence, market: Market, intent: Intent): boolean {
  if (intent.state !== 'closing' || WITNESSES.lackedTwice(state, market, intent) === null) return false;
  if (!isOnlyWalletMissing(state, market, intent)) return false;
  return (state.reconciliation.steadySentAt ?? 0) >= (filledBy(state, intent) ?? Number.POSITIVE_INFINITY);
}

/** Asks for the missing reads of its proof, at the times from which they count. */
export function askForProof(state: Evidence & With<'wallet'>, market: Market, intent: Intent, now: EpochMs): void {
  const { openOrders, trades } = market;
  const rule = lackedRule(state, intent);
  const { lacked } = seenOf(state.orders, intent.intentId);
  const lists = lackedAgainFrom(lacked, rule) ?? rule.countsFrom;
  if (lacked.againAt === null && (openOrders.sentAt ?? 0) < lists) need(openOrders, lists);
  const filled = filledBy(state, intent);
  for (const surface of filled === null ? [] : [trades, state.wallet])
    if ((surface.sentAt ?? 0) < (filled ?? 0)) need(surface, filled ?? 0);
  // A scan for late rows is due only if the wallet alone keeps the order from being closed.
  const isDue = isOnlyWalletMissing(state, market, intent) && mayReadWhole(state.durable.differences, intent);
  if (isDue && (trades.lateScanAttemptedAt ?? 0) < (filled ?? 0)) trades.lateScanFrom ??= now;
}

const isOnlyWalletMissing = (state: Evidence, market: Market, intent: Intent): boolean =>
  WITNESSES.tradesRead(state, market, intent) !== null && WITNESSES.walletEqual(state, market, intent) === null;

/**
 * Since when the bookings may lack a fill of it: since lists lack it, as earlier fills show in trades within the lag.
 * If no list ever showed it, or one has shown more of it as filled than is booked: since it was placed. Never, if own
 * trades were read completely.
 */
function mayHaveFilledFrom(state: Evidence, market: Market, intent: Intent): EpochMs {
  if (intent.orderId === null || seenOf(state.orders, intent.intentId).shownFilled.gt(intent.filled))
    return intent.sentAt;
  return isReadWhole(state, market, intent) ? Number.POSITIVE_INFINITY : intent.since;
}

/**
 * Whether the trades since before it was placed were read completely. With an acknowledged cancel they prove how much
 * of it filled, whatever the wallet differs by.
 */
function isReadWhole(state: Evidence, market: Market, intent: Intent): boolean {
  const from = filledBy(state, intent);
  if (from === null || !mayReadWhole(state.durable.differences, intent)) return false;
  const placedFrom = intent.timestamp - state.settings.assumptions.maxClockUncertaintyMs;
  return (readWholeSince(state, market, placedFrom) ?? 0) >= from;
}

const mayReadWhole = (differences: Differences, { orderId, cancel }: Intent): boolean =>
  orderId !== null && cancel === 'acknowledged' && differences.unexplainedSince !== null;

/** The evidence of the stop, by symbol. */
export function readsOfStop({ markets }: With<'markets'>): Readonly<Record<InstrumentSymbol, Reads>> {
  const proved = [...markets].flatMap(([symbol, { stopProof, fence }]) => {
    const { firstAt, againAt } = stopProof?.lacked ?? SHOWN;
    if (firstAt === null || againAt === null) return [];
    const reads = { orders: [firstAt, againAt], ...(fence?.taken ? { fence: fence.taken.sentAt } : {}) };
    return [[symbol, reads] as const];
  });
  return Object.fromEntries(proved);
}
