// Takes a new order in: refuses it, or reserves, matches and rests it.
import type { EpochMs } from '../domain/time.ts';
import { bookOrder } from './book/price-level.ts';
import { type EngineState, liveOrder } from './engine-state.ts';
import { cancelOrder } from './leaving.ts';
import { type Account, describeOrder, type LiveOrder } from './market.ts';
import { distanceOf, orderIdOf } from './order-numbers.ts';
import { type Candidate, type CreateCommand, firstMet, refusalOf, refused } from './refusals.ts';
import { adjustReservation, releaseReservation } from './reservation.ts';
import { settle } from './settlement.ts';
import type { EngineEvent, Lots } from './types.ts';

export interface Creation {
  readonly command: CreateCommand;
  readonly account: Account;
  readonly now: EpochMs;
}

/**
 * `accepted` comes first, then trades (and own orders canceled on the way) in the order of matching, then `canceled`
 * where an immediate-or-cancel order has a rest. A refused order changes nothing and uses no number: an unknown symbol
 * is refused first, then an id that can't be given, then for the reasons of `refusalOf`.
 */
export function createOrder(state: EngineState, { command, account, now }: Creation): EngineEvent[] {
  const market = state.markets.get(command.symbol);
  if (market === undefined) return [refused('unknown-symbol', `There is no instrument ${command.symbol}.`)];
  const candidate = { command, account, market };
  const refusal = refusalOfId(state, command) ?? refusalOf(state, candidate);
  if (refusal !== undefined) return [refusal];
  const order = acceptedOrder(state, candidate, now);
  const events: EngineEvent[] = [{ kind: 'accepted', order: describeOrder(order) }];
  matchOrder(state, order, { command, events, at: now });
  if (order.remaining > 0) restOrDrop(state, order, { command, events });
  return events;
}

function refusalOfId(state: EngineState, { orderId }: CreateCommand): EngineEvent | undefined {
  if (orderId === undefined) return undefined;
  const distance = distanceOf(state.settings.firstOrderNumber, orderId);
  const wasGiven = distance !== null && distance >= 0 && distance < state.nextOrder;
  if (!wasGiven) return refused('unknown-order', `The number of ${orderId} was never given out.`);
  return liveOrder(state, orderId) ? refused('unknown-order', `An order ${orderId} rests already.`) : undefined;
}

/** What asked for it, where events go, and when they happen. */
interface Telling {
  readonly command: CreateCommand;
  readonly events: EngineEvent[];
  readonly at: EpochMs;
}

/** Ranks the order, names it by the same number where it has no name yet, and locks what it needs. */
function acceptedOrder(state: EngineState, { command, account, market }: Candidate, createdAt: EpochMs): LiveOrder {
  const { side, price, quantity } = command;
  const id = state.nextOrder;
  state.nextOrder += 1;
  const orderId = command.orderId ?? orderIdOf(state.settings.firstOrderNumber, id);
  const order = bookOrder({
    id,
    side,
    price,
    quantity,
    info: { orderId, account, market, quantity, createdAt, locked: 0n, described: null },
  });
  adjustReservation(state, order);
  return order;
}

function matchOrder(state: EngineState, taker: LiveOrder, { command, events, at }: Telling): void {
  const { account, market } = taker.info;
  const { book } = market;
  const cancelsOwn = state.settings.selfTrade === 'cancel-resting';
  const next = (): LiveOrder | undefined => firstMet(command, book, book.opposing(taker));
  for (let maker = next(); maker !== undefined && taker.remaining > 0; maker = next()) {
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
}

function restOrDrop(state: EngineState, order: LiveOrder, { command, events }: Omit<Telling, 'at'>): void {
  const { account, market, orderId } = order.info;
  if (command.immediateOrCancel !== true) {
    market.book.rest(order);
    account.orders.add(order);
    if (command.orderId !== undefined) rank(state, order);
    return;
  }
  releaseReservation(order);
  events.push({ kind: 'canceled', orderId, remaining: order.remaining as Lots });
}

/** Makes an order of an earlier name findable by it. */
function rank({ settings, ranks }: EngineState, { id, info }: LiveOrder): void {
  const distance = distanceOf(settings.firstOrderNumber, info.orderId);
  if (distance !== null) ranks.set(distance, id);
}
