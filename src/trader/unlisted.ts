// Fills at the price of a create without an answer, of an order that no list has shown yet. They may be the owner's, of a smaller order: a fill
// does not say how much its order was of; a list does, as long as the order rests.
import type { Fill } from '../domain/fill.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import { bookedBefore } from './booked-before.ts';
import { isDedicated } from './foreign.ts';
import type { Intent } from './intent.ts';
import { couldBeOf, filledBy, isAlike, unresolvedOf } from './resolve.ts';
import { surfaceOf, type TraderState } from './state.ts';
import { need, type Stranger } from './surfaces.ts';
import type { Turn } from './turn.ts';

/**
 * Whether the fills of one order wait for a list to show it, because they may be a part of what an unknown create was of. An order that
 * rests shows within the lag; what no list shows by then is booked as the owner's, and for ours once it turns out to be.
 */
export function waitForList(turn: Turn, symbol: InstrumentSymbol, found: readonly Fill[]): boolean {
  const { state, now } = turn;
  const [first] = found;
  if (first === undefined) return false;
  const fills = [...bookedBefore(state, first, first.orderId), ...found];
  const { unlistedSince } = surfaceOf(state.surfaces.trades, symbol);
  const since = unlistedSince.get(first.orderId) ?? now;
  const orders = surfaceOf(state.surfaces.openOrders, symbol);
  const shows = since + state.settings.assumptions.readLagBoundMs;
  if (!isUndecided(state, symbol, fills) || (orders.sentAt ?? 0) >= shows) {
    unlistedSince.delete(first.orderId);
    return false;
  }
  unlistedSince.set(first.orderId, since);
  need(orders, (orders.sentAt ?? 0) < since ? now : shows);
  return true;
}

function isUndecided(state: TraderState, symbol: InstrumentSymbol, fills: readonly Fill[]): boolean {
  const { strangers } = surfaceOf(state.surfaces.openOrders, symbol);
  return (
    !isDedicated(state) &&
    !fills.some(({ orderId }) => state.durable.orders.has(orderId)) &&
    unresolvedOf(state, symbol).some(
      (intent) =>
        couldBeOf(state, intent, fills) &&
        filledBy(intent, fills).lt(intent.quantity) &&
        fills.every(({ orderId }) => mayShow(intent, strangers.get(orderId))),
    )
  );
}

/** Whether a whole list may yet show the order for the intent's: it was not listed at all, or in one that was not whole, as it was sent. */
function mayShow(intent: Intent, listed: Stranger | undefined): boolean {
  return listed === undefined || (!listed.image && isAlike(intent, listed.row));
}

/** A list was read: fills that waited for it are looked at again. */
export function endWaiting({ state, now }: Turn, symbol: InstrumentSymbol): void {
  const trades = surfaceOf(state.surfaces.trades, symbol);
  if (trades.unlistedSince.size === 0) return;
  trades.failures = 0;
  need(trades, now);
}
