// Fills at the price of a create without an answer, of an order that no list has shown yet. They may be the owner's,
// of a smaller order, or of either of two such creates: a fill does not say how much its order was of; a list does,
// as long as the order rests.
import { plain, ZERO } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Intent } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import type { Turn } from '../fold/turn.ts';
import { bookedBefore } from '../money/booked-before.ts';
import { isDedicated } from '../policy/foreign.ts';
import { surfaceOf, type TraderState } from '../state/state.ts';
import { need, type Stranger } from '../state/surfaces.ts';
import { askAbout } from './questions.ts';
import { couldBeOf, filledBy, isAlike, unresolvedOf } from './resolve.ts';

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
  if (fills.some(({ orderId }) => state.durable.orders.byOrderId.has(orderId))) return false;
  const lost = unresolvedOf(state, symbol);
  // Where the account is the bot's alone only which of its own it is can be in question: a list may show the other
  // one (seed 7157).
  if (isDedicated(state)) return lost.filter((intent) => mayBeOf(state, intent, fills)).length > 1;
  return lost.some((intent) => mayBePartOf(state, intent, fills));
}

const mayBePartOf = (state: TraderState, intent: Intent, fills: readonly Fill[]): boolean =>
  filledBy(intent, fills).lt(intent.quantity) && mayBeOf(state, intent, fills);

function mayBeOf(state: TraderState, intent: Intent, fills: readonly Fill[]): boolean {
  const { strangers } = surfaceOf(state.surfaces.openOrders, intent.symbol);
  return couldBeOf(state, intent, fills) && fills.every(({ orderId }) => mayShow(intent, strangers.get(orderId)));
}

/**
 * Orders booked as the owner's that may be the intent's, filled in part: one that ended before a list could show it
 * (canceled by hand, by the exchange, or by the watchdog while nothing was answered) never shows. That nothing of the
 * intent rests is proved without them; that it was never placed is not.
 */
export function doubtfulParts(state: TraderState, intent: Intent): OrderId[] {
  if (isDedicated(state)) return [];
  const { thirdParty } = state.durable.orders;
  const booked = marketIn(state.durable, intent.symbol).tally.recent.filter(({ ours }) => !ours);
  return [...new Set(booked.map(({ fill }) => fill.orderId))].filter(
    (id) => !thirdParty.has(id) && mayBePartOf(state, intent, bookedBefore(state, intent, id)),
  );
}

/** Whether a person was asked about such a part: nothing of the intent rests, and no read settles what filled of it. */
export const isAskedAbout = (state: TraderState, intent: Intent): boolean =>
  doubtfulParts(state, intent).some((id) => state.durable.orders.questioned.get(id)?.as === 'part');

/** No read tells any more whose they are: a person can look up of what quantity they were. */
export function askAboutParts(turn: Turn, intent: Intent, orders: readonly OrderId[]): void {
  const words = orders.map((id) => {
    const filled = bookedBefore(turn.state, intent, id).reduce((sum, { quantity }) => sum.add(quantity), ZERO);
    return `${id} (${plain(filled)} filled)`;
  });
  const sent = `${intent.side} ${plain(intent.quantity)} @ ${plain(intent.price)}`;
  const what = orders.length === 1 ? 'Order' : 'One of the orders';
  const message =
    `${what} ${words.join(', ')} could be intent ${intent.intentId} (${sent}): no list shows of what quantity it ` +
    "was, and its trades are booked as not the bot's. Look it up at the exchange, then resume the symbol: with " +
    "--adopt-orders where it is the bot's.";
  askAbout(turn, intent.symbol, { orders, as: 'part', rows: [], message, intents: [intent.intentId] });
}

/**
 * Whether a whole list may yet show the order for the intent's: it was not listed at all, or in one that was not whole,
 * as it was sent.
 */
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
