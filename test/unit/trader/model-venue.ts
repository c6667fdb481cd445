// A tiny exchange for the desk: orders, fills and balances that are true, and lists that trail them each by its own
// lag.
import { Decimal, decimal } from '../../../src/domain/decimal.ts';
import type { Fill } from '../../../src/domain/fill.ts';
import { type OrderId, orderId } from '../../../src/domain/ids.ts';
import type { OpenOrder, OrderRequest } from '../../../src/domain/order.ts';
import type { Completed } from '../../../src/venue/outcomes.ts';
import type { VenueRequest } from '../../../src/venue/requests.ts';
import { HORIZON_MS, LAG_MS } from './desk-settings.ts';
import {
  accepted,
  acknowledged,
  type Desk,
  fillOf,
  moveOrders,
  moveWallet,
  notSent,
  rejected,
  rowOf,
  type Shown,
  softRejected,
  unknown,
} from './trader-kit.ts';

/** What becomes of the next write. "Done" means that the exchange acted. */
export type Fate =
  | 'answered'
  | 'slow'
  | 'slow-lost'
  | 'lost-done'
  | 'lost'
  | 'late-done'
  | 'not-sent'
  | 'rejected'
  | 'denied';
export const FATES: readonly Fate[] = [
  'answered',
  'slow',
  'slow-lost',
  'lost-done',
  'lost',
  'late-done',
  'not-sent',
  'rejected',
  'denied',
];

export interface Lags {
  orders: number;
  trades: number;
  wallet: number;
}

export interface ModelVenue {
  readonly orders: () => readonly OpenOrder[];
  readonly fills: () => readonly Fill[];
  readonly balance: (asset: string) => Decimal;
  lags: Lags;
  fate: Fate;
  /** So many lists of open orders more will lack their first row. */
  holes: number;
  /** Pages of own trades hold every row twice. */
  repeats: boolean;
  /** Some own order trades, as the share says. */
  fill(pick: number, share: number): void;
  /** So much of an order trades. */
  fillOrder(orderId: string, quantity: string): void;
  /** The owner places an order by hand. */
  place(order: OrderRequest): void;
  /** The owner cancels an order by hand. */
  remove(orderId: OrderId): void;
  /** The exchange takes the next create twice (F11). */
  twice: boolean;
  /** Coins come in from a blockchain. */
  deposit(quantity: string): void;
  /** The owner buys by hand. */
  ownerBuys(quantity: string): void;
}

const LATE_MS = 3_000;
/** An answer that takes longer than the horizon and the lag. */
const SLOW_MS = HORIZON_MS + LAG_MS + 1_500;

/** Takes over the answers of the desk. */
export function modelVenue(desk: Desk, symbol: string): ModelVenue {
  const truth: Shown = { ...desk.shows, orders: [], fills: [], crypto: [], balances: { ...desk.shows.balances } };
  const history: { readonly at: number; readonly orders: OpenOrder[]; readonly balances: Record<string, Decimal> }[] =
    [];
  const slow: { readonly at: number; readonly request: VenueRequest; readonly outcome: Completed['outcome'] }[] = [];
  const late: { readonly at: number; act(): void }[] = [];
  let named = 100;

  const asOf = (lag: number) => history.findLast(({ at }) => at <= desk.now() - lag) ?? history[0];
  const remember = (): void => {
    history.push({ at: desk.now(), orders: [...truth.orders], balances: { ...truth.balances } });
  };
  remember();

  function place(order: OrderRequest): OrderId {
    const id = orderId(`1-${named}-1`);
    named += 1;
    truth.orders.push(rowOf(order, id, desk.now()));
    if (venue.twice) {
      venue.twice = false;
      truth.orders.push(rowOf(order, `1-${named}-1`, desk.now()));
      named += 1;
    }
    remember();
    return id;
  }

  function removeAll(): void {
    truth.orders = [];
    remember();
  }

  function remove(id: OrderId): void {
    truth.orders = truth.orders.filter((row) => row.orderId !== id);
    remember();
  }

  function happen(fill: Fill): void {
    truth.fills.push(fill);
    moveWallet(truth, fill);
    moveOrders(truth, fill);
    remember();
  }

  function write(act: () => Completed['outcome'], fate: Fate): Completed['outcome'] {
    switch (fate) {
      case 'answered':
        return act();
      case 'slow':
      case 'slow-lost':
      case 'lost-done':
        act();
        return unknown;
      case 'late-done':
        late.push({ at: desk.now() + LATE_MS, act });
        return unknown;
      case 'lost':
        return unknown;
      case 'not-sent':
        return notSent;
      case 'rejected':
        return rejected(-1112);
      case 'denied':
        return softRejected;
    }
  }

  /** Answers what was done long ago. */
  function answerSlow(): void {
    for (const [index, { at, request, outcome }] of [...slow.entries()].toReversed()) {
      if (at > desk.now()) continue;
      slow.splice(index, 1);
      const waiting = desk.held.find((chosen) => chosen.request === request);
      if (waiting) desk.answer(waiting, outcome);
    }
  }

  function reply(request: VenueRequest): Completed['outcome'] | null | undefined {
    answerSlow();
    for (const [index, { at, act }] of [...late.entries()].toReversed())
      if (at <= desk.now()) {
        late.splice(index, 1);
        act();
      }
    const { fate } = venue;
    venue.fate = 'answered';
    if (request.kind === 'create' && (fate === 'slow' || fate === 'slow-lost')) {
      const outcome = accepted(place(request.order));
      slow.push({ at: desk.now() + SLOW_MS, request, outcome: fate === 'slow' ? outcome : unknown });
      return null;
    }
    if (request.kind === 'create') return write(() => accepted(place(request.order)), fate);
    if (request.kind === 'cancel') {
      const cancelFate = fate === 'denied' ? 'rejected' : fate.startsWith('slow') ? 'lost-done' : fate;
      return write(() => {
        remove(request.orderId);
        return acknowledged;
      }, cancelFate);
    }
    if (request.kind === 'cancel-symbol') {
      const cancelFate = fate === 'denied' ? 'rejected' : fate.startsWith('slow') ? 'lost-done' : fate;
      return write(() => {
        removeAll();
        return acknowledged;
      }, cancelFate);
    }
    venue.fate = fate;
    desk.shows.orders = [...(asOf(venue.lags.orders)?.orders ?? [])];
    if (request.kind === 'open-orders' && venue.holes > 0) {
      venue.holes -= 1;
      desk.shows.orders.shift();
    }
    desk.shows.balances = { ...(asOf(venue.lags.wallet)?.balances ?? {}) };
    desk.shows.fills = truth.fills.filter(({ venueTime }) => venueTime <= desk.now() - venue.lags.trades);
    desk.shows.crypto = truth.crypto.filter(({ venueTime }) => venueTime <= desk.now() - venue.lags.trades);
    if (venue.repeats) desk.shows.fills = desk.shows.fills.flatMap((fill) => [fill, { ...fill }]);
    return undefined;
  }

  const venue: ModelVenue = {
    orders: () => truth.orders,
    fills: () => truth.fills,
    balance: (asset) => truth.balances[asset] ?? new Decimal(0),
    lags: { orders: 0, trades: 0, wallet: 0 },
    fate: 'answered',
    holes: 0,
    repeats: false,
    twice: false,
    fill: (pick, share) => {
      const row = truth.orders[pick % Math.max(1, truth.orders.length)];
      if (!row) return;
      const whole = share >= 1 ? row.remainingQuantity : row.remainingQuantity.mul(share).toDecimalPlaces(4);
      const quantity = Decimal.min(row.remainingQuantity, Decimal.max('0.0001', whole));
      happen(fillOf({ ...row, quantity }, row.orderId, { at: desk.now() }));
    },
    fillOrder: (id, quantity) => {
      const row = truth.orders.find((each) => each.orderId === id);
      if (!row) throw new Error(`Order ${id} is not on the exchange.`);
      happen(fillOf({ ...row, quantity: decimal(quantity) }, row.orderId, { at: desk.now() }));
    },
    place,
    remove,
    deposit: (quantity) => {
      truth.balances.BTC = venue.balance('BTC').add(quantity);
      truth.crypto.push({
        direction: 'deposit',
        status: 'success',
        statusText: 'SUCCESS',
        venueTime: desk.now(),
        fee: new Decimal(0),
        asset: 'BTC',
        amount: decimal(quantity),
        transactionHash: null,
        network: 'BTC',
        fromAddress: null,
        toAddress: null,
      });
      remember();
    },
    ownerBuys: (quantity) => {
      const order = { symbol, side: 'buy', price: decimal(97_531), quantity: decimal(quantity) } as const;
      happen(fillOf(order, orderId('1-5-1'), { at: desk.now(), liquidity: 'taker', price: decimal(101_000) }));
    },
  };
  desk.reply = reply;
  return venue;
}
