// What really happened at the exchange to the bot's account: which intent or whom each order belongs to, and its true
// fills.
import { Decimal, ZERO } from '../../src/domain/decimal.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import { reader } from '../../src/matching/engine.ts';
import type { EngineOrder } from '../../src/matching/types.ts';
import type { ExchangeState } from '../../src/paper/exchange.ts';
import type { FillRow } from '../../src/paper/state/account-record.ts';
import { priceText, quantityText } from '../../src/paper/state/amounts.ts';
import { fillKey } from './claims.ts';

/** Who made an order: an intent of the bot (the label of its signed bytes), or the account's owner. */
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
   * The exchange does nothing between two messages: when it last did while the order was open. The end lies between
   * this and `endedAt`.
   */
  endedAfter: EpochMs;
  /** A trade of it was undone or changed. */
  rewritten: boolean;
  /** Somebody else than the bot ended it: the owner in his own program, or the exchange. */
  endedOutside: boolean;
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
  /** Those that are open now. */
  live(): readonly TrueOrder[];
  /** Orders that each intent came to be: one, none, or more where its bytes arrived more than once. */
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
  /** Takes in what changed since the last look; true where anything did. Sentences about orders that nobody sent. */
  look(exchange: ExchangeState, now: EpochMs): { readonly changed: boolean; readonly strange: readonly string[] };
  /** Somebody else than the bot is about to end it. */
  endedOutside(orderId: string): void;
  /** A trade of this order was undone or changed: all are read again from the first. */
  rewrote(orderId: string): void;
}

export function createOracle(account: string): Oracle {
  const orders = new Map<string, TrueOrder>();
  const fills = new Map<string, FillRow>();
  const byIntent = new Map<string, TrueOrder[]>();
  const deliveries = new Map<string, number>();
  /** Deliveries whose order has not been seen yet. */
  const open: Delivery[] = [];
  let revision = -1;
  let seenFills = 0;
  let live: TrueOrder[] = [];
  let lookedAt: EpochMs = 0;
  /** When the exchange last did something. */
  let changedAt: EpochMs = 0;

  function label(orderId: string, maker: Maker, symbol: string): TrueOrder {
    const known = orders.get(orderId);
    if (known) return known;
    const order: TrueOrder = {
      orderId,
      maker,
      symbol,
      filled: ZERO,
      live: false,
      endedAt: lookedAt,
      endedAfter: lookedAt,
      rewritten: false,
      endedOutside: false,
    };
    orders.set(orderId, order);
    if (maker.kind === 'bot') byIntent.set(maker.intentId, [...(byIntent.get(maker.intentId) ?? []), order]);
    for (const row of fills.values()) if (row.orderId === orderId) order.filled = order.filled.add(row.qty);
    return order;
  }

  function claimDelivery(intentId: string): Delivery | undefined {
    const at = open.findIndex((delivery) => delivery.intentId === intentId);
    return at < 0 ? undefined : open.splice(at, 1)[0];
  }

  function named(intentId: string, orderId: string): void {
    if (orders.has(orderId)) return;
    const delivery = claimDelivery(intentId);
    label(orderId, { kind: 'bot', intentId }, delivery?.symbol ?? '');
  }

  function resting(exchange: ExchangeState): string[] {
    const strange: string[] = [];
    const now: TrueOrder[] = [];
    for (const [orderId, owner] of exchange.owners) {
      if (owner.account !== account) continue;
      let order = orders.get(orderId);
      if (!order) {
        const row = reader(exchange.engine).order(orderId);
        const delivery = row === undefined ? undefined : deliveryOf(exchange, row);
        if (delivery) order = label(orderId, { kind: 'bot', intentId: delivery.intentId }, owner.symbol);
        else if (row !== undefined) {
          strange.push(`Order ${orderId} of ${owner.symbol} was made by nobody's message.`);
          order = label(orderId, { kind: 'owner' }, owner.symbol);
        }
      }
      if (order) now.push(order);
    }
    for (const order of live) Object.assign(order, { live: false, endedAt: lookedAt, endedAfter: changedAt });
    for (const order of now) Object.assign(order, { live: true, endedAt: null });
    live = now;
    return strange;
  }

  function deliveryOf(exchange: ExchangeState, row: EngineOrder): Delivery | undefined {
    const instrument = reader(exchange.engine).instrument(row.symbol);
    if (!instrument) return undefined;
    const price = new Decimal(priceText(row.price, instrument));
    const quantity = new Decimal(quantityText(row.quantity, instrument));
    const at = open.findIndex(
      (each) =>
        each.symbol === row.symbol && each.side === row.side && price.eq(each.price) && quantity.eq(each.quantity),
    );
    return at < 0 ? undefined : open.splice(at, 1)[0];
  }

  function takeFills(exchange: ExchangeState): void {
    const kept = exchange.accounts.get(account)?.fills ?? [];
    for (; seenFills < kept.length; seenFills += 1) {
      const row = kept[seenFills]?.row;
      if (row === undefined) continue;
      const key = fillKey(row.symbol, row.id, row.isBuyer ? 'buy' : 'sell');
      if (fills.has(key)) continue;
      fills.set(key, row);
      const order = orders.get(row.orderId);
      if (order) order.filled = order.filled.add(row.qty);
    }
  }

  return {
    orders,
    fills,
    live: () => live,
    ordersOf: (intentId) => byIntent.get(intentId) ?? [],
    deliveriesOf: (intentId) => deliveries.get(intentId) ?? 0,
    delivering(delivery) {
      deliveries.set(delivery.intentId, (deliveries.get(delivery.intentId) ?? 0) + 1);
      open.push(delivery);
    },
    named,
    refused: (intentId) => {
      claimDelivery(intentId);
    },
    owned: (orderId, symbol) => {
      label(orderId, { kind: 'owner' }, symbol);
    },
    look(exchange, now) {
      lookedAt = now;
      if (exchange.revision === revision) return { changed: false, strange: [] };
      revision = exchange.revision;
      const fillsBefore = seenFills;
      const liveBefore = live;
      const strange = resting(exchange);
      takeFills(exchange);
      changedAt = now;
      const changed =
        seenFills !== fillsBefore ||
        live.length !== liveBefore.length ||
        live.some((order, index) => order !== liveBefore[index]);
      return { changed, strange };
    },
    endedOutside(orderId) {
      const order = orders.get(orderId);
      if (order) order.endedOutside = true;
    },
    rewrote(orderId) {
      const rewritten = orders.get(orderId);
      if (rewritten) rewritten.rewritten = true;
      seenFills = 0;
      fills.clear();
      for (const order of orders.values()) order.filled = ZERO;
      revision = -1;
    },
  };
}
