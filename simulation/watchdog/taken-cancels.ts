// Orders that a cancel is sure to have reached, from any sender: by the answers on the wire alone.
import type { Answered, CheckContext } from '../checks/context.ts';
import type { TrueOrder } from '../checks/oracle.ts';

export interface TakenCancels {
  answered(context: CheckContext, message: Answered): void;
  /** A cancel of it was acknowledged, or refused because it is closed. */
  has(order: TrueOrder): boolean;
}

const OK = 200;
const TOO_MANY_REQUESTS = 429;
const isRefused = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && status !== TOO_MANY_REQUESTS;

export function createTakenCancels(): TakenCancels {
  const named = new Set<string>();
  /** Orders of a market, or of the account, that rested when its cancel was acknowledged. */
  const together = new Set<string>();
  return {
    answered(context, { endpoint, status, body, query }) {
      if (endpoint === 'cancel' && (status === OK || isRefused(status)) && body.order_id !== undefined)
        named.add(body.order_id);
      if ((endpoint !== 'cancel-symbol' && endpoint !== 'cancel-all') || status !== OK) return;
      const symbol = body.symbol ?? query.get('symbol');
      for (const order of context.oracle.orders.values())
        if (endpoint === 'cancel-all' || order.symbol === symbol) together.add(order.orderId);
    },
    has: ({ orderId }) => named.has(orderId) || together.has(orderId),
  };
}
