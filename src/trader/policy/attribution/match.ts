// Whose an order or a fill is: what decides whether it may be of an intent, on any account.
import type { Decimal } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import type { OrderId } from '../../../domain/ids.ts';
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import type { OpenOrder } from '../../../domain/order.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../../../domain/time.ts';
import { liveIntents } from '../../durable/durable.ts';
import type { Intent } from '../../durable/intent.ts';
import { marketIn } from '../../durable/market.ts';
import { marketOf, type TraderState } from '../../state/state.ts';
import type { UnmatchedOrder } from '../../state/surfaces.ts';
import type { Turn } from '../../state/turn.ts';
import { isThirdParty } from './questions.ts';

/** Whether the intent waits for proof of whether it was ever placed. */
export function isUnresolved(intent: Intent): boolean {
  return intent.state === 'unknown' || intent.state === 'soft-rejected';
}

export function unresolvedOf(state: TraderState, symbol: InstrumentSymbol): Intent[] {
  return liveIntents(state.durable, symbol).filter(isUnresolved);
}

/** Whether a row has the values that were sent. */
export function isAlike(intent: Intent, row: OpenOrder): boolean {
  return (
    row.type === 'limit' &&
    row.side === intent.side &&
    row.price.eq(intent.price) &&
    row.originalQuantity.eq(intent.quantity)
  );
}

/** Whether the order was listed before the create left: then it is not the intent's, however alike they are (F39). */
export function wasThereBefore(state: TraderState, intent: Intent, orderId: OrderId): boolean {
  const seen = marketOf(state, intent.symbol).openOrders.unmatched.get(orderId);
  return seen !== undefined && seen.firstReceivedAt <= intent.sentAt;
}

/**
 * An order takes from the book when it comes: one that took after the create could no longer be taken came later, and
 * is the owner's or another one of ours.
 */
const tookLater = (state: TraderState, intent: Intent, fills: readonly Fill[]): boolean =>
  fills.some(({ liquidity, venueTime }) => liquidity === 'taker' && venueTime > latestOf(state, intent));

/** No order of the intent's can have come later, by the exchange's clock. */
export const latestOf = (state: TraderState, { timestamp, horizon, sentAt }: Intent): EpochMs =>
  timestamp + (horizon - sentAt) + clockSlack(state);

/** Whether the fills of one order could be of the intent's: price, time, and not more than it was of. */
export function couldBeOf(state: TraderState, intent: Intent, fills: readonly Fill[]): boolean {
  const earliest = earliestOf(state)(intent);
  return (
    couldHaveFilled(intent, fills) &&
    fills.every(({ venueTime }) => venueTime >= earliest) &&
    !fills.some(({ orderId }) => wasThereBefore(state, intent, orderId)) &&
    !tookLater(state, intent, fills) &&
    filledBy(intent, fills).lte(intent.quantity)
  );
}

/** What the intent would have filled with them. */
export const filledBy = (intent: Intent, fills: readonly Fill[]): Decimal =>
  fills.reduce((total, { quantity }) => total.add(quantity), intent.filled);

/**
 * Whether the fills of one order could be of the intent's, by side and price: a taker trades at no worse price than its
 * own, a maker at just that. An order has one price: where its trades as a maker name several, the exchange has
 * corrected some (F50), and any may be the price that it was of.
 */
export function couldHaveFilled({ side, price }: Intent, fills: readonly Fill[]): boolean {
  const isNoWorse = (each: Fill): boolean => (side === 'buy' ? each.price.lte(price) : each.price.gte(price));
  const asMaker = fills.filter(({ liquidity }) => liquidity === 'maker');
  return (
    fills.every((each) => each.side === side && (each.liquidity === 'maker' || isNoWorse(each))) &&
    (asMaker.length === 0 || asMaker.some((each) => each.price.eq(price)))
  );
}

/** T − ε − LsBound: no row of the intent's order can claim an earlier time. */
export function earliestOf(state: TraderState): (intent: Intent) => EpochMs {
  const slack = clockSlack(state) + state.settings.assumptions.readLagBoundMs;
  return (intent) => intent.timestamp - slack;
}

/** Whether the intent's create had left when they took place, as far as stamps of the exchange can be compared. */
export const hadLeft = (state: TraderState, { timestamp }: Intent, fills: readonly Fill[]): boolean =>
  fills.every(({ venueTime }) => venueTime >= timestamp - clockSlack(state));

/** So far our idea of the exchange's clock may be off: now, and when the create was stamped. */
const clockSlack = ({ clock, settings }: TraderState): DurationMs =>
  (clock?.uncertaintyMs ?? 0) + settings.assumptions.maxClockUncertaintyMs;

/** Whether the fills of one order, all that are known, may be of the intent's. */
export function mayBeOf(state: TraderState, intent: Intent, fills: readonly Fill[]): boolean {
  const { unmatched } = marketOf(state, intent.symbol).openOrders;
  return couldBeOf(state, intent, fills) && fills.every(({ orderId }) => mayShow(intent, unmatched.get(orderId)));
}

/**
 * Whether a whole list may yet show the order for the intent's: it was not listed at all, or in one that was not whole,
 * as it was sent.
 */
function mayShow(intent: Intent, listed: UnmatchedOrder | undefined): boolean {
  return listed === undefined || (!listed.mayBeOurs && isAlike(intent, listed.row));
}

/** Of the fills last booked for the symbol, those of an order that were not booked for an intent. */
export function bookedBefore(
  { durable }: Pick<TraderState, 'durable'>,
  { symbol }: Pick<Intent, 'symbol'>,
  orderId: OrderId,
): Fill[] {
  const { recent } = marketIn(durable, symbol).tally;
  return recent.filter(({ fill, ours }) => !ours && fill.orderId === orderId).map(({ fill }) => fill);
}

/**
 * Orders booked as the owner's that filled just as the intent's would have, but for those that are his by a list or by
 * a person's word: each may have been the intent's.
 */
export function filledAsOwners(state: TraderState, intent: Intent): OrderId[] {
  const { byOrderId } = state.durable.orders;
  const { recent } = marketIn(state.durable, intent.symbol).tally;
  const booked = new Set(recent.filter(({ ours }) => !ours).map(({ fill }) => fill.orderId));
  return [...booked].filter((id) => {
    const fills = bookedBefore(state, intent, id);
    return (
      !byOrderId.has(id) &&
      !isThirdParty(state.durable, id) &&
      filledBy(intent, fills).eq(intent.quantity) &&
      couldBeOf(state, intent, fills) &&
      isShownAlike(state, intent, id)
    );
  });
}

/** Whether no list has shown the order with other values than were sent. */
function isShownAlike(state: TraderState, intent: Intent, id: OrderId): boolean {
  const listed = marketOf(state, intent.symbol).openOrders.unmatched.get(id);
  return listed === undefined || isAlike(intent, listed.row);
}

/**
 * How many of the last closed intents can have a second order, and how long ago they closed at most: beyond it, chance
 * is likelier.
 */
const RECENTLY = 256;
const DUPLICATE_WITHIN_MS = 15 * MINUTE;

/**
 * Our order that something on the account may be the second one of: those that may be live, then the last closed ones.
 * The newest of several: a second order comes with its first (F11; seed 42011, tight).
 */
export function originalAmong(
  { state, now }: Pick<Turn, 'state' | 'now'>,
  symbol: InstrumentSymbol,
  couldBe: (intent: Intent) => boolean,
): Intent | null {
  const live = liveIntents(state.durable, symbol).findLast(couldBe);
  if (live) return live;
  const closed = [...state.durable.orders.closed.values()].slice(-RECENTLY).reverse();
  return (
    closed.find((intent) => intent.symbol === symbol && now - intent.since < DUPLICATE_WITHIN_MS && couldBe(intent)) ??
    null
  );
}
