// What the exchange of a desk shows: rows of its lists, what a fill does to them, and the answers to writes.
import { Decimal } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { type OrderId, orderId, tradeId } from '../../../src/domain/ids.ts';
import type { OpenOrder, Side } from '../../../src/domain/order.ts';
import type { CancelOutcome, CreateOutcome, Fault } from '../../../src/venue/outcomes.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';

/** What the exchange would show if it were asked now. A test changes it at will. */
export interface Shown {
  orders: OpenOrder[];
  fills: Fill[];
  /** Totals. */
  balances: Record<string, Decimal>;
  /** Best bid and ask by symbol; null is an empty book. */
  books: Record<string, readonly [number, number] | null>;
  /** Set: open orders come as an incomplete page. */
  ordersCut: boolean;
}

/** A page of own trades, oldest first. */
export function tradesPage(
  fills: readonly Fill[],
  { symbol, filter, limit }: Extract<VenueRequest, { kind: 'spot-trades' }>,
): Fill[] {
  const from = filter.by === 'from-id' ? BigInt(filter.fromId) : 0n;
  const rows = fills.filter((fill) => fill.symbol === symbol && BigInt(fill.tradeId) >= from);
  if (filter.by !== 'window') return rows.slice(0, limit);
  const { startTime, endTime } = filter.window;
  return rows.filter(({ venueTime }) => venueTime >= startTime && venueTime <= endTime).slice(0, limit);
}

/** A row of the wallet with everything free. */
export const walletRow = (asset: string, total: Decimal) => {
  const none = new Decimal(0);
  return { asset, free: total, locked: none, lockedFd: none, lockedStaking: none, lockedOtc: none };
};

export interface OrderShape {
  readonly symbol: string;
  readonly side: Side;
  readonly price: Decimal;
  readonly quantity: Decimal;
}

/** A row of the open-orders list. */
export function rowOf(order: OrderShape, id: string, at: number): OpenOrder {
  const { symbol, side, price, quantity } = order;
  return {
    symbol,
    orderId: orderId(id),
    side,
    type: 'limit',
    price,
    originalQuantity: quantity,
    executedQuantity: new Decimal(0),
    remainingQuantity: quantity,
    status: 'NEW',
    venueTime: at,
  };
}

let trades = 1_000;

/** One execution of an order, with a commission of 1 % of the notional in quote. */
export function fillOf(order: OrderShape, id: OrderId, given: Partial<Fill> & { readonly at: number }): Fill {
  const { at, ...rest } = given;
  const quantity = rest.quantity ?? order.quantity;
  const price = rest.price ?? order.price;
  trades += 1;
  const quoteQuantity = price.mul(quantity);
  return {
    symbol: order.symbol,
    tradeId: tradeId(String(trades)),
    orderId: id,
    side: order.side,
    price,
    quantity,
    quoteQuantity,
    commission: quoteQuantity.div(100),
    commissionAsset: 'INR',
    tds: new Decimal(0),
    liquidity: 'maker',
    venueTime: at,
    ...rest,
  };
}

/** What a fill does to the wallet. */
export function moveWallet(shows: Shown, fill: Fill): void {
  const base = fill.symbol.split('/')[0] ?? '';
  const by = fill.side === 'buy' ? 1 : -1;
  const have = (asset: string): Decimal => shows.balances[asset] ?? new Decimal(0);
  shows.balances[base] = have(base).add(fill.quantity.mul(by));
  shows.balances.INR = have('INR').sub(fill.quoteQuantity.mul(by)).sub(fill.commission).sub(fill.tds);
}

/** What a fill does to the list of open orders. */
export function moveOrders(shows: Shown, fill: Fill): void {
  shows.orders = shows.orders.flatMap((row) => {
    if (row.orderId !== fill.orderId) return [row];
    const executedQuantity = row.executedQuantity.add(fill.quantity);
    const remainingQuantity = row.originalQuantity.sub(executedQuantity);
    return remainingQuantity.gt(0) ? [{ ...row, executedQuantity, remainingQuantity, status: 'PARTIALLY_FILLED' }] : [];
  });
}

const LOST: Fault = { sent: true, reason: 'timeout', detail: 'No complete answer within 10000 ms.' };

export const accepted = (id: string): CreateOutcome => ({ kind: 'accepted', orderId: orderId(id) });
export const unknown: CreateOutcome = { kind: 'unknown', fault: LOST };
export const notSent: CreateOutcome = { kind: 'not-sent', fault: { ...LOST, sent: false, reason: 'refused' } };
export const softRejected: CreateOutcome = { kind: 'soft-rejected', msg: 'The order was rejected by risk checks.' };
export const rejected = (code: number, status = 400) => ({ kind: 'rejected', status, code, msg: 'No.' }) as const;
export const acknowledged: CancelOutcome = { kind: 'acknowledged', msg: 'The order is being canceled.' };
