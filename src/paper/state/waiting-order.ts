// Orders of the owner that no client can create: they wait outside the book, with their money set aside.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { AccountName, EngineOrder, EngineOrderId, Lots, Ticks } from '../../matching/types.ts';

/** As the open-orders list names them (specification 2.12). */
export type OrderType = 'LIMIT' | 'MARKET' | 'STOP_LIMIT' | 'STOP_MARKET';

/** A row of the open-orders list: LIMIT where it names no type. The price of a MARKET or STOP_MARKET order is 0. */
export type ListedOrder = EngineOrder & { readonly type?: OrderType };

/** Plain JSON. */
export interface WaitingOrder {
  readonly orderId: EngineOrderId;
  readonly account: AccountName;
  readonly symbol: InstrumentSymbol;
  readonly side: Side;
  readonly type: Exclude<OrderType, 'LIMIT'>;
  /** Of a STOP_LIMIT order; 0 for the others. */
  readonly price: Ticks;
  /** `null` for a MARKET order. */
  readonly stopPrice: Ticks | null;
  readonly quantity: Lots;
  remaining: Lots;
  /** Stamped by the exchange's own clock. */
  readonly createdAt: EpochMs;
  /** Units that wait in the account's pocket for orders, as digits. */
  setAside: string;
  /** Whether a price has crossed `stopPrice`; a MARKET order waits for nothing but the other side of the book. */
  isTriggered: boolean;
}

export function listedWaiting(order: WaitingOrder): ListedOrder {
  const { orderId, account, symbol, side, type, price, quantity, remaining, createdAt } = order;
  return { orderId, account, symbol, side, type, price, quantity, remaining, createdAt };
}

/** A buy at or above its stop price, a sell at or below it. */
export function isCrossed({ side, stopPrice }: Pick<WaitingOrder, 'side' | 'stopPrice'>, price: Ticks): boolean {
  if (stopPrice === null) return true;
  return side === 'buy' ? price >= stopPrice : price <= stopPrice;
}
