// How resting orders leave or shrink without trading.
import type { EngineState } from './engine-state.ts';
import type { LiveOrder } from './market.ts';
import { adjustReservation, releaseReservation } from './reservation.ts';
import type { EngineEvent, Lots } from './types.ts';

/** Takes a resting order out of the market and frees what it reserved. */
export function cancelOrder(order: LiveOrder): EngineEvent {
  const { info, remaining } = order;
  info.market.book.cancel(order);
  info.account.orders.delete(order);
  releaseReservation(order);
  return { kind: 'canceled', orderId: info.orderId, remaining: remaining as Lots };
}

/** Cancels in the order given; the argument may be a live collection. */
export function cancelOrders(orders: Iterable<LiveOrder>): EngineEvent[] {
  return [...orders].map(cancelOrder);
}

/** Takes lots off the back of a resting order, which keeps its place; taking all of them cancels it. */
export function reduceOrder(state: EngineState, order: LiveOrder, by: number): EngineEvent[] {
  if (by >= order.remaining) return [cancelOrder(order)];
  order.info.market.book.reduce(order, by);
  adjustReservation(state, order);
  return [];
}
