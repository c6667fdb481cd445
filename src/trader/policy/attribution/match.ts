// Attributes orders and fills. An order is the intent's by its name: side, price and quantity (`quoting/name.ts`). A
// fill only has side and price of it.
import { type Decimal, ZERO } from '../../../domain/decimal.ts';
import type { Fill } from '../../../domain/fill.ts';
import type { OrderId } from '../../../domain/ids.ts';
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import type { OpenOrder } from '../../../domain/order.ts';
import { type DurationMs, type EpochMs, MINUTE } from '../../../domain/time.ts';
import { type Durable, liveIntents } from '../../durable/durable.ts';
import type { Intent } from '../../durable/intent.ts';
import { marketIn } from '../../durable/market.ts';
import type { Market } from '../../state/market.ts';
import type { With } from '../../state/state.ts';

/** Whether the intent awaits proof that it was ever placed. */
export function isUnresolved(intent: Intent): boolean {
  return intent.state === 'unknown' || intent.state === 'soft-rejected';
}

export function unresolvedOf(durable: Durable, symbol: InstrumentSymbol): Intent[] {
  return liveIntents(durable, symbol).filter(isUnresolved);
}

/** Whether a row has the sent values. */
export function isAlike(intent: Intent, row: OpenOrder): boolean {
  return (
    row.type === 'limit' &&
    row.side === intent.side &&
    row.price.eq(intent.price) &&
    row.originalQuantity.eq(intent.quantity)
  );
}

/** Whether the order was listed before the create left: then it is not the intent's, however alike they are (F39). */
export function wasThereBefore(market: Market, intent: Intent, orderId: OrderId): boolean {
  const seen = market.openOrders.unmatched.get(orderId);
  return seen !== undefined && seen.firstReceivedAt <= intent.sentAt;
}

/** Whether the row was created while the create could be accepted, by the exchange's clock. */
export const isInTime = (state: With<'settings' | 'clock'>, intent: Intent, { venueTime }: OpenOrder): boolean =>
  venueTime >= earliestOf(state, intent) && venueTime <= latestOf(state, intent);

/**
 * The same, allowing for doubt: a session that has placed nothing yet does not know how the times of lists are shifted.
 */
export const mayBeInTime = (state: With<'settings' | 'session' | 'clock'>, intent: Intent, row: OpenOrder): boolean =>
  isInTime(state, intent, row) ||
  (intent.sentAt < state.session.startedAt && row.venueTime >= earliestOf(state, intent));

/** The latest possible time of an order of the intent, by the exchange's clock. */
const latestOf = (state: With<'settings' | 'clock'>, { timestamp, horizon, sentAt }: Intent): EpochMs =>
  timestamp + (horizon - sentAt) + clockSlack(state);

/** T − ε − LsBound: no row of the intent's order can claim an earlier time. */
const earliestOf = (state: With<'settings' | 'clock'>, { timestamp }: Intent): EpochMs =>
  timestamp - clockSlack(state) - state.settings.assumptions.readLagBoundMs;

/** Whether the intent's create had left when the fills happened, as far as the exchange's times allow a comparison. */
export const hadLeft = (state: With<'settings' | 'clock'>, { timestamp }: Intent, fills: readonly Fill[]): boolean =>
  fills.every(({ venueTime }) => venueTime >= timestamp - clockSlack(state));

/** Our estimate of the exchange's clock may be off by this much: now, and when the create was stamped. */
const clockSlack = ({ clock, settings }: With<'settings' | 'clock'>): DurationMs =>
  (clock?.uncertaintyMs ?? 0) + settings.assumptions.maxClockUncertaintyMs;

/**
 * Whether the fills of one order could be the intent's: side, price, time, and not more than its quantity. An order
 * takes from the book when it arrives: one that took after the create could no longer be accepted arrived later.
 */
export function couldBeOf(
  state: With<'settings' | 'clock'>,
  market: Market,
  intent: Intent,
  fills: readonly Fill[],
): boolean {
  const [earliest, latest] = [earliestOf(state, intent), latestOf(state, intent)];
  return (
    couldHaveFilled(intent, fills) &&
    fills.every(
      ({ venueTime, liquidity }) => venueTime >= earliest && (liquidity === 'maker' || venueTime <= latest),
    ) &&
    !fills.some(({ orderId }) => wasThereBefore(market, intent, orderId)) &&
    filledBy(fills).lte(intent.quantity)
  );
}

export const filledBy = (fills: readonly Fill[]): Decimal =>
  fills.reduce((total, { quantity }) => total.add(quantity), ZERO);

/**
 * Whether the fills of one order could be the intent's, by side and price: a taker trades at no worse price than its
 * own, a maker at exactly that. An order has one price: if its maker trades name several, the exchange has corrected
 * some (F50), and any may be its price.
 */
export function couldHaveFilled({ side, price }: Intent, fills: readonly Fill[]): boolean {
  const isNoWorse = (each: Fill): boolean => (side === 'buy' ? each.price.lte(price) : each.price.gte(price));
  const asMaker = fills.filter(({ liquidity }) => liquidity === 'maker');
  return (
    fills.every((each) => each.side === side && (each.liquidity === 'maker' || isNoWorse(each))) &&
    (asMaker.length === 0 || asMaker.some((each) => each.price.eq(price)))
  );
}

/** Whether all known fills of one order may be the intent's, whose name a list may still show. */
export function mayBeOf(
  state: With<'settings' | 'clock'>,
  market: Market,
  intent: Intent,
  fills: readonly Fill[],
): boolean {
  const { unmatched } = market.openOrders;
  const hasItsName = ({ orderId }: Fill): boolean => {
    const listed = unmatched.get(orderId);
    return listed === undefined || isAlike(intent, listed.row);
  };
  return couldBeOf(state, market, intent, fills) && fills.every(hasItsName);
}

/** Recently booked fills of the symbol that belong to this order and were not booked for an intent. */
export function bookedBefore(durable: Durable, { symbol }: Pick<Intent, 'symbol'>, orderId: OrderId): Fill[] {
  const { recent } = marketIn(durable, symbol);
  return recent.filter(({ fill, ours }) => !ours && fill.orderId === orderId).map(({ fill }) => fill);
}

/**
 * How many of the last closed intents may have a second order, and how long ago they closed at most: beyond that,
 * chance is likelier.
 */
const RECENTLY = 256;
const DUPLICATE_WITHIN_MS = 15 * MINUTE;

/**
 * Our order that something on the account may be the second order of: those that may be live, then the last closed
 * ones. The newest of several: a second order comes with its first (F11; seed 42011, tight).
 */
export function originalAmong(
  { orders }: Pick<Durable, 'orders'>,
  { symbol, now }: { readonly symbol: InstrumentSymbol; readonly now: EpochMs },
  couldBe: (intent: Intent) => boolean,
): Intent | null {
  const live = liveIntents({ orders }, symbol).findLast(couldBe);
  if (live) return live;
  const closed = [...orders.closed.values()].slice(-RECENTLY).reverse();
  return (
    closed.find((intent) => intent.symbol === symbol && now - intent.since < DUPLICATE_WITHIN_MS && couldBe(intent)) ??
    null
  );
}
