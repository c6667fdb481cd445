// The true state of the bot's account at the exchange: the intent or owner of each order, and its true fills.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { DurationMs, EpochMs } from '../../src/domain/time.ts';
import { reader } from '../../src/matching/engine.ts';
import type { EngineOrder } from '../../src/matching/types.ts';
import type { FillRow } from '../../src/paper/state/account-record.ts';
import { priceText, quantityText } from '../../src/paper/state/amounts.ts';
import type { ExchangeState } from '../../src/paper/state/state.ts';
import { fillKey } from './journal-model.ts';

/** The maker of an order: an intent of the bot (the label of its signed bytes), or the account's owner. */
export type Maker = { readonly kind: 'bot'; readonly intentId: string } | { readonly kind: 'owner' };

/** The exchange's own view of one order of the account. */
export interface TrueOrder {
  readonly orderId: string;
  readonly maker: Maker;
  readonly symbol: string;
  filled: Decimal;
  live: boolean;
  /** When it was last seen to be gone; null while it is open. */
  endedAt: EpochMs | null;
  /**
   * The exchange does nothing between two messages: when it last acted while the order was open. The end lies between
   * this and `endedAt`.
   */
  endedAfter: EpochMs;
  /** A trade of it was undone or changed. */
  rewritten: boolean;
  /** Not ended by the bot, but by the owner in another program, or by the exchange. */
  endedOutside: boolean;
  /** Since when no list has shown it, though it is open; null while one does. */
  lackedSince: EpochMs | null;
  /** Lists lacked it for at least as long as the bot assumes that they may trail: the bot may hold it for closed. */
  lackedTooLong: boolean;
}

/** A list of open orders; `symbol`: null for the whole account. */
interface Listed {
  readonly symbol: string | null;
  readonly orderIds: ReadonlySet<string>;
}

interface Delivery {
  readonly intentId: string;
  readonly symbol: string;
  readonly side: string;
  readonly price: string;
  readonly quantity: string;
}

export interface Oracle {
  readonly orders: ReadonlyMap<string, TrueOrder>;
  readonly fills: ReadonlyMap<string, FillRow>;
  /** Orders open now. */
  live(): readonly TrueOrder[];
  /** Orders made from each intent: one, none, or more if its bytes arrived more than once. */
  ordersOf(intentId: string): readonly TrueOrder[];
  /** How often the bytes of an intent's create reached the exchange. */
  deliveriesOf(intentId: string): number;
  /** A create is about to be handed to the exchange. */
  delivering(delivery: Delivery): void;
  /** The exchange named the order of a create. */
  named(intentId: string, orderId: string): void;
  /** The exchange answered a create without naming an order. */
  refused(intentId: string): void;
  /** The owner's order. */
  owned(orderId: string, symbol: string): void;
  /**
   * Takes in changes since the last call; `changed` is true if there were any. `strange`: sentences about orders
   * without a sender.
   */
  look(exchange: ExchangeState, now: EpochMs): { readonly changed: boolean; readonly strange: readonly string[] };
  /** The bot was given a whole list of open orders. */
  listed(list: Listed, now: EpochMs, lagBoundMs: DurationMs): void;
  /** Another party than the bot is about to end it. */
  endedOutside(orderId: string): void;
  /** A trade of this order was undone or changed: read all again from the first. */
  rewrote(orderId: string): void;
}

interface Truth {
  readonly account: string;
  readonly orders: Map<string, TrueOrder>;
  readonly fills: Map<string, FillRow>;
  readonly byIntent: Map<string, TrueOrder[]>;
  readonly deliveries: Map<string, number>;
  /** Deliveries without a visible order so far. */
  readonly open: Delivery[];
  revision: number;
  seenFills: number;
  live: TrueOrder[];
  lookedAt: EpochMs;
  /** When the exchange last did something. */
  changedAt: EpochMs;
}

export function createOracle(account: string): Oracle {
  const truth: Truth = {
    account,
    orders: new Map(),
    fills: new Map(),
    byIntent: new Map(),
    deliveries: new Map(),
    open: [],
    revision: -1,
    seenFills: 0,
    live: [],
    lookedAt: 0,
    changedAt: 0,
  };
  return {
    orders: truth.orders,
    fills: truth.fills,
    live: () => truth.live,
    ordersOf: (intentId) => truth.byIntent.get(intentId) ?? [],
    deliveriesOf: (intentId) => truth.deliveries.get(intentId) ?? 0,
    delivering(delivery) {
      truth.deliveries.set(delivery.intentId, (truth.deliveries.get(delivery.intentId) ?? 0) + 1);
      truth.open.push(delivery);
    },
    named: (intentId, orderId) => named(truth, intentId, orderId),
    refused: (intentId) => {
      takeDelivery(truth, intentId);
    },
    owned: (orderId, symbol) => {
      label(truth, orderId, { kind: 'owner' }, symbol);
    },
    look(exchange, now) {
      truth.lookedAt = now;
      if (exchange.revision === truth.revision) return { changed: false, strange: [] };
      truth.revision = exchange.revision;
      const fillsBefore = truth.seenFills;
      const liveBefore = truth.live;
      const strange = resting(truth, exchange);
      takeFills(truth, exchange);
      truth.changedAt = now;
      const changed =
        truth.seenFills !== fillsBefore ||
        truth.live.length !== liveBefore.length ||
        truth.live.some((order, index) => order !== liveBefore[index]);
      return { changed, strange };
    },
    listed({ symbol, orderIds }, now, lagBoundMs) {
      for (const order of truth.live) {
        if (symbol !== null && order.symbol !== symbol) continue;
        order.lackedSince = orderIds.has(order.orderId) ? null : (order.lackedSince ?? now);
        if (order.lackedSince !== null && now - order.lackedSince >= lagBoundMs) order.lackedTooLong = true;
      }
    },
    endedOutside(orderId) {
      const order = truth.orders.get(orderId);
      if (order) order.endedOutside = true;
    },
    rewrote(orderId) {
      const rewritten = truth.orders.get(orderId);
      if (rewritten) rewritten.rewritten = true;
      truth.seenFills = 0;
      truth.fills.clear();
      for (const order of truth.orders.values()) order.filled = ZERO;
      truth.revision = -1;
    },
  };
}

function label(truth: Truth, orderId: string, maker: Maker, symbol: string): TrueOrder {
  const known = truth.orders.get(orderId);
  if (known) return known;
  const order: TrueOrder = {
    orderId,
    maker,
    symbol,
    filled: ZERO,
    live: false,
    endedAt: truth.lookedAt,
    endedAfter: truth.lookedAt,
    rewritten: false,
    endedOutside: false,
    lackedSince: null,
    lackedTooLong: false,
  };
  truth.orders.set(orderId, order);
  if (maker.kind === 'bot') truth.byIntent.set(maker.intentId, [...(truth.byIntent.get(maker.intentId) ?? []), order]);
  for (const row of truth.fills.values()) if (row.orderId === orderId) order.filled = order.filled.add(row.qty);
  return order;
}

function takeDelivery(truth: Truth, intentId: string): Delivery | undefined {
  const at = truth.open.findIndex((delivery) => delivery.intentId === intentId);
  return at < 0 ? undefined : truth.open.splice(at, 1)[0];
}

function named(truth: Truth, intentId: string, orderId: string): void {
  if (truth.orders.has(orderId)) return;
  const delivery = takeDelivery(truth, intentId);
  label(truth, orderId, { kind: 'bot', intentId }, delivery?.symbol ?? '');
}

function resting(truth: Truth, exchange: ExchangeState): string[] {
  const strange: string[] = [];
  const now: TrueOrder[] = [];
  for (const [orderId, owner] of exchange.owners) {
    if (owner.account !== truth.account) continue;
    let order = truth.orders.get(orderId);
    if (!order) {
      const row = reader(exchange.engine).order(orderId);
      const delivery = row === undefined ? undefined : deliveryOf(truth, exchange, row);
      if (delivery) order = label(truth, orderId, { kind: 'bot', intentId: delivery.intentId }, owner.symbol);
      else if (row !== undefined) {
        strange.push(`Order ${orderId} of ${owner.symbol} was made by nobody's message.`);
        order = label(truth, orderId, { kind: 'owner' }, owner.symbol);
      }
    }
    if (order) now.push(order);
  }
  for (const order of truth.live)
    Object.assign(order, { live: false, endedAt: truth.lookedAt, endedAfter: truth.changedAt });
  for (const order of now) Object.assign(order, { live: true, endedAt: null });
  truth.live = now;
  return strange;
}

function deliveryOf(truth: Truth, exchange: ExchangeState, row: EngineOrder): Delivery | undefined {
  const instrument = reader(exchange.engine).instrument(row.symbol);
  if (!instrument) return undefined;
  const price = new Decimal(priceText(row.price, instrument));
  const quantity = new Decimal(quantityText(row.quantity, instrument));
  const at = truth.open.findIndex(
    (each) =>
      each.symbol === row.symbol && each.side === row.side && price.eq(each.price) && quantity.eq(each.quantity),
  );
  return at < 0 ? undefined : truth.open.splice(at, 1)[0];
}

function takeFills(truth: Truth, exchange: ExchangeState): void {
  const kept = exchange.accounts.get(truth.account)?.fills ?? [];
  for (; truth.seenFills < kept.length; truth.seenFills += 1) {
    const row = kept[truth.seenFills]?.row;
    if (row === undefined) continue;
    const key = fillKey(row.symbol, row.id, row.isBuyer ? 'buy' : 'sell');
    if (truth.fills.has(key)) continue;
    truth.fills.set(key, row);
    const order = truth.orders.get(row.orderId);
    if (order) order.filled = order.filled.add(row.qty);
  }
}
