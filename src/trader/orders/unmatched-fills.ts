// Unmatched fills: at the price of a create without an answer, of an order that no list has shown yet. They may be the
// owner's, of a smaller order, or of either of two such creates: a fill does not say how much its order was of; a list
// does, as long as the order rests.
import type { Fill } from '../../domain/fill.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { bookedBefore, mayBeOf, unresolvedOf } from '../policy/attribution/match.ts';
import { policyOf } from '../policy/policy-of.ts';
import { marketOf, type TraderState } from '../state/state.ts';
import { need } from '../state/surfaces.ts';
import type { Turn } from '../state/turn.ts';

/**
 * Whether the fills of one order wait for a list to show it, because they may be a part of what an unknown create was
 * of, or of more than one. An order that rests shows within the lag; what no list shows by then is booked as the
 * owner's, and for ours once it turns out to be.
 */
export function waitForList(turn: Turn, symbol: InstrumentSymbol, found: readonly Fill[]): boolean {
  const { state, now } = turn;
  const [first] = found;
  if (first === undefined) return false;
  const fills = [...bookedBefore(state, first, first.orderId), ...found];
  const { openOrders: orders, trades } = marketOf(state, symbol);
  const { unmatchedSince } = trades;
  const since = unmatchedSince.get(first.orderId) ?? now;
  const shows = since + state.settings.assumptions.readLagBoundMs;
  if (!isUndecided(state, symbol, fills) || (orders.sentAt ?? 0) >= shows) {
    unmatchedSince.delete(first.orderId);
    return false;
  }
  unmatchedSince.set(first.orderId, since);
  need(orders, (orders.sentAt ?? 0) < since ? now : shows);
  return true;
}

function isUndecided(state: TraderState, symbol: InstrumentSymbol, fills: readonly Fill[]): boolean {
  if (fills.some(({ orderId }) => state.durable.orders.byOrderId.has(orderId))) return false;
  const couldBe = unresolvedOf(state, symbol).filter((intent) => mayBeOf(state, intent, fills));
  return policyOf(state).isListAwaited(couldBe, fills);
}

/** A list was read: fills that waited for it are looked at again. */
export function endWaiting({ state, now }: Turn, symbol: InstrumentSymbol): void {
  const trades = marketOf(state, symbol).trades;
  if (trades.unmatchedSince.size === 0) return;
  trades.failures = 0;
  need(trades, now);
}
