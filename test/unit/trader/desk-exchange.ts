// What the exchange of a desk shows: rows of its lists, what a fill does to them, and the answers to writes.
import { Decimal } from '../../../src/domain/decimal.ts';
import type { Fill, PublicTrade, SbsTrade } from '../../../src/domain/fill.ts';
import { type OrderId, orderId, tradeId } from '../../../src/domain/ids.ts';
import type { OpenOrder, Side } from '../../../src/domain/order.ts';
import type { CryptoTransfer, FiatTransfer } from '../../../src/domain/transfer.ts';
import type { TimeRange } from '../../../src/venue/bounds.ts';
import type { CancelOutcome, CreateOutcome, Fault, ReadOutcome } from '../../../src/venue/outcomes.ts';
import type { SpotTradesFilter, TimeFilter, VenueRequest } from '../../../src/venue/requests.ts';
import { refused } from '../refused.ts';

/** What the exchange would show if it were asked now. A test changes it at will. */
export interface Shown {
  orders: OpenOrder[];
  fills: Fill[];
  /** Own trades that left the list. */
  archive: Fill[];
  crypto: CryptoTransfer[];
  fiat: FiatTransfer[];
  sbs: SbsTrade[];
  /** Totals. */
  balances: Record<string, Decimal>;
  /** Best bid and ask by symbol; null is an empty book. */
  books: Record<string, readonly [number, number] | null>;
  /** Trades of everybody, oldest first, by symbol. */
  publicTrades: Record<string, readonly PublicTrade[]>;
  /** Set: open orders come as an incomplete page. */
  ordersCut: boolean;
}

/** A page of own trades, oldest first. */
export function tradesPage(
  fills: readonly Fill[],
  { symbol, filter, limit }: Extract<VenueRequest, { kind: 'spot-trades' | 'spot-trades-historical' }>,
): Fill[] {
  return fills.filter((fill) => fill.symbol === symbol && letsThrough(filter, fill)).slice(0, limit);
}

function letsThrough(filter: SpotTradesFilter, { tradeId: id, venueTime, orderId: order }: Fill): boolean {
  switch (filter.by) {
    case 'symbol':
      return true;
    case 'order':
      return order === filter.orderId;
    case 'start':
      return venueTime >= filter.startTime;
    case 'end':
      return venueTime <= filter.endTime;
    case 'from-id':
      return BigInt(id) >= BigInt(filter.fromId);
    case 'window':
      return venueTime >= filter.window.startTime && venueTime <= filter.window.endTime;
  }
}

/** Rows of one list of transfers or conversions, by time. */
export function flowsPage<Row extends { readonly venueTime: number }>(
  rows: readonly Row[],
  { filter, limit = 20 }: { readonly filter: { readonly time: TimeFilter<TimeRange> }; readonly limit?: number },
): Row[] {
  const { time } = filter;
  const from = time.by === 'start' ? time.startTime : time.by === 'range' ? time.range.startTime : 0;
  const to = time.by === 'end' ? time.endTime : time.by === 'range' ? time.range.endTime : Number.POSITIVE_INFINITY;
  return rows.filter(({ venueTime }) => venueTime >= from && venueTime <= to).slice(0, limit);
}

/** A row of the wallet: what the orders that rest need is locked, the rest is free. */
export const walletRow = (asset: string, total: Decimal, orders: readonly OpenOrder[]) => {
  const none = new Decimal(0);
  const locked = orders.reduce((sum, row) => sum.add(lockOf(row, asset)), none);
  return { asset, free: total.sub(locked), locked, lockedFd: none, lockedStaking: none, lockedOtc: none };
};

function lockOf({ symbol, side, price, remainingQuantity }: OpenOrder, asset: string): Decimal {
  const [base, quote] = symbol.split('/');
  if (side === 'sell') return base === asset ? remainingQuantity : new Decimal(0);
  return quote === asset ? remainingQuantity.mul(price) : new Decimal(0);
}

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
  shows.balances.INR = have('INR').sub(fill.quoteQuantity.mul(by)).sub(fill.tds);
  shows.balances[fill.commissionAsset] = have(fill.commissionAsset).sub(fill.commission);
}

/** What a fill did to the wallet is undone. */
export function unmoveWallet(shows: Shown, fill: Fill): void {
  const [quantity, quoteQuantity] = [fill.quantity.neg(), fill.quoteQuantity.neg()];
  moveWallet(shows, { ...fill, quantity, quoteQuantity, commission: fill.commission.neg(), tds: fill.tds.neg() });
}

/** The exchange takes a trade back (F50): no list shows it, and the wallet is what it was. */
export function takeBack(shows: Shown, fill: Fill): void {
  shows.fills = shows.fills.filter(({ tradeId }) => tradeId !== fill.tradeId);
  unmoveWallet(shows, fill);
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

/** So much of an order trades now, all of it if nothing else is given, and every list shows it at once. */
export function tradeNow(
  desk: { readonly shows: Shown; readonly now: () => number },
  order: OrderShape,
  id: string,
  given: Partial<Fill> & { readonly at?: number } = {},
): Fill {
  const fill = fillOf(order, orderId(id), { at: desk.now(), ...given });
  desk.shows.fills.push(fill);
  moveWallet(desk.shows, fill);
  moveOrders(desk.shows, fill);
  return fill;
}

const LOST: Fault = { sent: true, reason: 'timeout', detail: 'No complete answer within 10000 ms.' };

export const accepted = (id: string): CreateOutcome => ({ kind: 'accepted', orderId: orderId(id) });
export const unknown: CreateOutcome = { kind: 'unknown', fault: LOST };
export const notSent: CreateOutcome = { kind: 'not-sent', fault: { ...LOST, sent: false, reason: 'refused' } };
export const softRejected: CreateOutcome = { kind: 'soft-rejected', msg: 'The order was rejected by risk checks.' };
/** 429 with the exchange's own words. */
export const refusedForRate: CreateOutcome = {
  kind: 'soft-rejected',
  msg: 'Too many requests.',
  throttledBy: 'exchange',
};
export const rejected = (code: number, status = 400) => refused(code, { status });
export const acknowledged: CancelOutcome = { kind: 'acknowledged', msg: 'The order is being canceled.' };

/** A read of the desk that is answered now with these rows. */
export const readNow = <T>(desk: { readonly now: () => number }, rows: T, complete = true): ReadOutcome<T> => ({
  kind: 'read',
  read: { rows, complete, sentAt: desk.now(), receivedAt: desk.now() },
});
