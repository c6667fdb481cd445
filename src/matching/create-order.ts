// Takes a new order in: refuses it, or reserves, matches and rests it.
import type { EpochMs } from '../domain/time.ts';
import { bookOrder } from './book.ts';
import { type Charge, type FillTerms, fillTerms } from './charges.ts';
import { adjustReservation, type EngineState, liveOrder, releaseReservation } from './engine-state.ts';
import { type Account, describeOrder, distanceOf, holdingOf, type LiveOrder, orderIdOf } from './market.ts';
import { type Candidate, refusalOf, refused } from './refusals.ts';
import type { CreateCommand, EngineEvent, EngineTrade, Lots, Ticks } from './types.ts';

interface Creation extends Omit<Candidate, 'market'> {
  readonly now: EpochMs;
}

/**
 * `accepted` comes first, then trades (and own orders canceled on the way) in the order of matching, then `canceled` if
 * an immediate-or-cancel order has a rest. A refused order changes nothing and uses no number: an unknown symbol is
 * refused first, then an invalid id, then the reasons of `refusalOf`.
 */
export function createOrder(state: EngineState, { command, account, now }: Creation): EngineEvent[] {
  const market = state.markets.get(command.symbol);
  if (market === undefined) return [refused('unknown-symbol', `There is no instrument ${command.symbol}.`)];
  const candidate = { command, account, market };
  const refusal = refusalOfId(state, command) ?? refusalOf(state, candidate);
  if (refusal !== undefined) return [refusal];
  const order = acceptedOrder(state, candidate, now);
  const accepted: EngineEvent = { kind: 'accepted', order: describeOrder(order) };
  const matched = matchOrder(state, order, now);
  return [accepted, ...matched, ...(order.remaining > 0 ? restOrDrop(state, order, command) : [])];
}

function refusalOfId(state: EngineState, { orderId }: CreateCommand): EngineEvent | undefined {
  if (orderId === undefined) return undefined;
  const distance = distanceOf(state.settings.firstOrderNumber, orderId);
  const wasGiven = distance !== null && distance >= 0 && distance < state.nextOrder;
  if (!wasGiven) return refused('unknown-order', `The number of ${orderId} was never given out.`);
  return liveOrder(state, orderId) ? refused('unknown-order', `An order ${orderId} rests already.`) : undefined;
}

/** Gives the order its rank, uses the same number as its id if it has none, and locks its reservation. */
function acceptedOrder(state: EngineState, { command, account, market }: Candidate, createdAt: EpochMs): LiveOrder {
  const { side, price, quantity } = command;
  const id = state.nextOrder;
  state.nextOrder += 1;
  const orderId = command.orderId ?? orderIdOf(state.settings.firstOrderNumber, id);
  const info = { orderId, account, market, quantity, createdAt, locked: 0n, described: null };
  const order = bookOrder({ id, side, price, quantity, info });
  adjustReservation(state, order);
  return order;
}

function matchOrder(state: EngineState, taker: LiveOrder, at: EpochMs): EngineEvent[] {
  const events: EngineEvent[] = [];
  const { account, market } = taker.info;
  const { book } = market;
  const cancelsOwn = state.settings.selfTrade === 'cancel-resting';
  for (let maker = book.opposing(taker); maker !== undefined && taker.remaining > 0; maker = book.opposing(taker)) {
    if (cancelsOwn && maker.info.account === account) {
      events.push(cancelOrder(maker));
      continue;
    }
    const quantity = Math.min(taker.remaining, maker.remaining) as Lots;
    taker.remaining -= quantity;
    book.reduce(maker, quantity);
    if (maker.remaining === 0) maker.info.account.orders.delete(maker);
    events.push({ kind: 'trade', trade: settle(state, { taker, maker, quantity, at }) });
  }
  return events;
}

function restOrDrop(state: EngineState, order: LiveOrder, command: CreateCommand): EngineEvent[] {
  const { account, market, orderId } = order.info;
  if (command.immediateOrCancel !== true) {
    market.book.rest(order);
    account.orders.add(order);
    if (command.orderId !== undefined) rank(state, order);
    return [];
  }
  releaseReservation(order);
  return [{ kind: 'canceled', orderId, remaining: order.remaining as Lots }];
}

/** Makes an order findable by its earlier id. */
function rank({ settings, ranks }: EngineState, { id, info }: LiveOrder): void {
  const distance = distanceOf(settings.firstOrderNumber, info.orderId);
  if (distance !== null) ranks.set(distance, id);
}

// One fill: the payments between its parties.

/** A fill at the maker's price; both orders are already reduced by `quantity`. */
interface Match {
  readonly taker: LiveOrder;
  readonly maker: LiveOrder;
  readonly quantity: Lots;
  readonly at: EpochMs;
}

/**
 * Moves the money of a fill, in this order: both reservations shrink to the needs of the orders' rests; the buyer pays
 * the notional and the fee; the seller delivers the base and receives notional − tax − fee.
 *
 * Fees are rounded per fill, so their sum may exceed the reservation by single units. Such a unit is taken from the
 * free balance, and if a limited account has none, the fee is reduced to the remainder: no balance goes below zero. The
 * notional itself is always covered, because the reservation was made at the order's own limit.
 */
function settle(state: EngineState, match: Match): EngineTrade {
  const { taker, maker, quantity, at } = match;
  const { market } = maker.info;
  adjustReservation(state, maker);
  adjustReservation(state, taker);
  const { price, side: makerSide } = maker;
  const terms = fillTerms(state.charges, market, { price, quantity, makerSide });
  const [buyer, seller] = makerSide === 'buy' ? [maker, taker] : [taker, maker];
  const buyerFee = settleBuyer(state, buyer, terms);
  const sellerFee = settleSeller(state, seller, terms);
  const trade: EngineTrade = {
    tradeId: state.nextTradeNumber.toString(),
    symbol: market.instrument.symbol,
    price: price as Ticks,
    quantity,
    notional: terms.notional,
    makerSide,
    makerOrderId: maker.info.orderId,
    makerAccount: maker.info.account.name,
    makerFee: buyer === maker ? buyerFee : sellerFee,
    takerOrderId: taker.info.orderId,
    takerAccount: taker.info.account.name,
    takerFee: buyer === taker ? buyerFee : sellerFee,
    tds: terms.tds,
    at,
  };
  state.nextTradeNumber += 1n;
  market.lastTrade = trade;
  return trade;
}

function settleBuyer(state: EngineState, { info }: LiveOrder, { notional, bought, buyerFee }: FillTerms): Charge {
  const { account, market } = info;
  const { base, quote } = market.instrument;
  const [paid, received] = [holdingOf(account, quote), holdingOf(account, base)];
  paid.free -= notional;
  received.free += bought;
  return collectFee(state, account, buyerFee);
}

function settleSeller(state: EngineState, { info }: LiveOrder, terms: FillTerms): Charge {
  const { account, market } = info;
  const { base, quote } = market.instrument;
  holdingOf(account, base).free -= terms.bought;
  holdingOf(account, quote).free += terms.notional - terms.tds;
  holdingOf(state.tax, quote).free += terms.tds;
  return collectFee(state, account, terms.sellerFee);
}

/** Takes the fee, or as much as the account has. */
function collectFee(state: EngineState, account: Account, { asset, amount }: Charge): Charge {
  const holding = holdingOf(account, asset);
  const collected = account.unlimited || holding.free >= amount ? amount : holding.free;
  holding.free -= collected;
  holdingOf(state.fees, asset).free += collected;
  return { asset, amount: collected };
}

// Ways in which resting orders leave, shrink or lose their place without trading.

/** Takes a resting order out of the market and frees its reservation. */
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

/** Takes lots off the back of a resting order, which keeps its place; taking all cancels it. */
export function reduceOrder(state: EngineState, order: LiveOrder, by: number): EngineEvent[] {
  if (by >= order.remaining) return [cancelOrder(order)];
  order.info.market.book.reduce(order, by);
  adjustReservation(state, order);
  return [];
}

/** Puts a resting order behind all others at its price: it takes the next number as its rank, and keeps its id. */
export function requeueOrder(state: EngineState, order: LiveOrder): void {
  const { side, price, remaining: quantity, info } = order;
  info.market.book.cancel(order);
  info.account.orders.delete(order);
  const later = bookOrder({ id: state.nextOrder, side, price, quantity, info });
  state.nextOrder += 1;
  info.market.book.rest(later);
  info.account.orders.add(later);
  rank(state, later);
}
