// From "gone from the list" to "closed": how much had filled is proved first (order-truth §3.8).
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { liveIntents } from '../durable/durable.ts';
import { type ClosedAs, type Intent, remainingOf } from '../durable/intent.ts';
import type { Reads } from '../durable/reads.ts';
import { confirmedSentAt } from '../money/confirmed-wallet.ts';
import { readWholeSince } from '../money/late-trade-scan.ts';
import { liveOrderOf } from '../state/live-order.ts';
import { lagBoundMs, marketOf, type TraderState, touch } from '../state/state.ts';
import { need } from '../state/surfaces.ts';
import { emit, intentNotice, type Turn } from '../state/turn.ts';
import { readsOfFills } from './evidence.ts';
import { countsFrom, doubtSettledBy, type Missed, noteLacked } from './locked-funds.ts';

/** The order is not in a complete list that left late enough, at `sentAt`: its fills must now be counted. */
export function beginClosing(turn: Turn, intent: Intent, sentAt: EpochMs): void {
  const reads: Reads = { orders: [sentAt] };
  emit(turn, { type: 'closing', payload: { intentId: intent.intentId, reads, at: turn.now } });
  countFrom(turn.state, intent, turn.now);
  touch(turn.state, intent.symbol);
}

/** Asks for the reads that can say, one lag after `since`, that the order is gone and how much of it filled. */
export function countFrom(state: TraderState, intent: Intent, since: EpochMs): void {
  const { openOrders, trades } = marketOf(state, intent.symbol);
  const countable = Math.max(since, takesEffectBy(state, intent)) + lagBoundMs(state);
  for (const surface of [openOrders, trades, state.wallet]) need(surface, countable);
}

/**
 * One lag after the order was missed first, and after it was listed last: lists come and go while they trail. After its
 * cancel has taken effect as well: the first list may have had a hole while the order still rested.
 */
function countableAt(state: TraderState, intent: Intent): EpochMs {
  const missed = Math.max(intent.since, liveOrderOf(state, intent.intentId).listedAt ?? 0);
  return Math.max(missed, takesEffectBy(state, intent)) + lagBoundMs(state);
}

/** By when an acknowledged cancel has reached the book; 0 where none was acknowledged. */
export function takesEffectBy(state: TraderState, { intentId }: Intent): EpochMs {
  const { cancel } = liveOrderOf(state, intentId);
  if (cancel === null || !cancel.acknowledged) return 0;
  return (cancel.answeredAt ?? cancel.sentAt) + state.settings.assumptions.venueInternalLagMs;
}

/** Closes what is completely filled, whatever its state: there is nothing left that could happen to it. */
export function closeFilled(turn: Turn, symbol: InstrumentSymbol): void {
  for (const intent of liveIntents(turn.state.durable, symbol)) {
    if (intent.orderId !== null && !remainingOf(intent).gt(0))
      close(turn, intent, { as: 'filled', reads: readsOfFills(turn, symbol) });
  }
}

/**
 * Closes what is gone once a list after the lag still lacks it (a hole in one list proves nothing, F34; were it listed,
 * it would be open again), and trades and a wallet, all read after the lag, say how much filled. What no acknowledged
 * cancel explains, and whose funds may still be locked, must be gone for long (two empty lists in two
 * outages), and is counted after that.
 */
export function settleClosing(turn: Turn, symbol: InstrumentSymbol): void {
  const { state } = turn;
  const { openOrders: orders, trades } = marketOf(state, symbol);
  for (const intent of liveIntents(state.durable, symbol)) {
    if (intent.state !== 'closing') continue;
    const countable = countableAt(state, intent);
    const gone = orders.sentAt !== null && orders.sentAt >= countable;
    if (!gone) continue;
    const missed = { missedFrom: countable - lagBoundMs(state), from: countable };
    if (!isCancelTaken(state, intent)) noteLacked(state, intent, missed);
    const from = countedFrom(state, intent, missed);
    if (from === null) continue;
    const counted = trades.sentAt !== null && trades.sentAt >= from && !trades.morePages;
    if (!counted) continue;
    if (isConfirmed(state, intent, from))
      close(turn, intent, { as: 'canceled', reads: readsOf(state, intent, { countable, from }) });
    else wantWholeScan(turn, intent, from);
  }
}

/** What closing it as canceled rests on. */
function readsOf(
  state: TraderState,
  intent: Intent,
  { countable, from }: { readonly countable: EpochMs; readonly from: EpochMs },
): Reads {
  const market = marketOf(state, intent.symbol);
  const orders = market.openOrders.sentAt;
  const trades = market.trades.sentAt;
  const scan = isReadWhole(state, intent, from) ? market.trades.wholeScan : null;
  const wallet = confirmedSentAt(state, intent, mayHaveFilledFrom(state, intent, from));
  const { lacked = null, ...locks } = isCancelTaken(state, intent) ? {} : doubtSettledBy(state, intent, countable);
  return {
    orders: [lacked, orders].filter((sentAt) => sentAt !== null),
    ...(trades === null ? {} : { trades: [...new Set([...(scan === null ? [] : [scan.sentAt]), trades])] }),
    ...(wallet === null ? {} : { wallet }),
    ...locks,
  };
}

const isCancelTaken = (state: TraderState, { intentId }: Intent): boolean =>
  liveOrderOf(state, intentId).cancel?.acknowledged === true;

const countedFrom = (state: TraderState, intent: Intent, missed: Missed): EpochMs | null =>
  isCancelTaken(state, intent) ? missed.from : countsFrom(state, intent, missed);

/** Whether a wallet asked for after `from` confirms what is booked of the order. */
function isConfirmed(state: TraderState, intent: Intent, from: EpochMs): boolean {
  const sentAt = confirmedSentAt(state, intent, mayHaveFilledFrom(state, intent, from));
  return sentAt !== null && sentAt >= from;
}

/**
 * Since when a fill of it may be missing from what is booked: since lists lack it, as what filled before shows in
 * trades within the lag. Where a list has shown more of it as filled than is booked, some trade did not: since it was
 * placed. Never, where own trades were read whole.
 */
function mayHaveFilledFrom(state: TraderState, intent: Intent, from: EpochMs): EpochMs {
  if (isMoreShown(state, intent)) return intent.sentAt;
  return isReadWhole(state, intent, from) ? Number.POSITIVE_INFINITY : intent.since;
}

const isMoreShown = (state: TraderState, { intentId, filled }: Intent): boolean =>
  liveOrderOf(state, intentId).shownFilled.gt(filled);

/**
 * Whether the trades from before it was placed were read whole, after `from`. With an acknowledged cancel they say how
 * much of it filled, whatever the wallet differs by.
 */
function isReadWhole(state: TraderState, { symbol, cancel, timestamp }: Intent, from: EpochMs): boolean {
  const placedFrom = timestamp - state.settings.assumptions.maxClockUncertaintyMs;
  if (cancel !== 'acknowledged' || state.durable.differences.unexplainedSince === null) return false;
  return (readWholeSince(state, symbol, placedFrom) ?? 0) >= from;
}

/** Asks for them, once: no other scan is due where only what is in suspense keeps the order from being closed. */
function wantWholeScan({ state, now }: Turn, { symbol, cancel }: Intent, from: EpochMs): void {
  const { trades } = marketOf(state, symbol);
  if (cancel !== 'acknowledged' || state.durable.differences.unexplainedSince === null) return;
  if ((trades.lateScanAttemptedAt ?? 0) < from) trades.lateScanFrom ??= now;
}

function close(turn: Turn, intent: Intent, { as, reads }: { readonly as: ClosedAs; readonly reads: Reads }): void {
  emit(turn, { type: 'closed', payload: { intentId: intent.intentId, as, reads, at: turn.now } });
  turn.state.orders.live.delete(intent.intentId);
  const filled = intent.filled.gt(0) ? `, ${intent.filled.toFixed()} of ${intent.quantity.toFixed()} filled` : '';
  intentNotice(turn, intent, {
    level: 'info',
    op: 'closed',
    message: `Order ${intent.orderId ?? intent.intentId} is ${as}${filled}.`,
  });
  touch(turn.state, intent.symbol);
}
