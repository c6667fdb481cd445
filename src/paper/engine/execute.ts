// Executes one command and the waiting orders that it sets off.
import { invariant } from '../../domain/invariant.ts';
import { opposite } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import { orderReservation, reader } from '../../matching/engine.ts';
import type { EngineCommand, EngineEvent, Lots, Ticks } from '../../matching/types.ts';
import { isCrossed, type WaitingOrder } from '../state/in-flight.ts';
import type { ExchangeState } from '../state/state.ts';
import { engineStep, freeOf, giveBack, setAside, showOrder } from './engine-step.ts';

/** Applies a command at the venue's time `at` (at the latest moment known, if that is later) and records its events. */
export function execute(state: ExchangeState, command: EngineCommand, at: EpochMs): readonly EngineEvent[] {
  state.lastAt = Math.max(state.lastAt, at);
  return executeAsOf(state, command, state.lastAt);
}

/** The same for something that happened at `at` and becomes known only now. */
export function executeAsOf(state: ExchangeState, command: EngineCommand, at: EpochMs): readonly EngineEvent[] {
  if (state.backOffice.waiting.size === 0) return engineStep(state, command, at);
  const canceled = cancelWaiting(state, command);
  const isDone = command.kind === 'cancel' && canceled.length > 0;
  const events = isDone ? [] : engineStep(state, command, at);
  runWaiting(state, events);
  return [...canceled, ...events];
}

// Orders that wait outside the book: triggered by a price, filled when the other side comes, or canceled.

/** Closes the waiting orders that a command of their account cancels. */
function cancelWaiting(state: ExchangeState, command: EngineCommand): readonly EngineEvent[] {
  if (command.kind !== 'cancel' && command.kind !== 'cancel-symbol' && command.kind !== 'cancel-all') return [];
  const isMeant = (order: WaitingOrder): boolean =>
    order.account === command.account &&
    (command.kind !== 'cancel' || command.orderId === order.orderId) &&
    (command.kind !== 'cancel-symbol' || command.symbol === order.symbol);
  const canceled = [...state.backOffice.waiting.values()].filter(isMeant);
  for (const order of canceled) close(state, order);
  return canceled.map(({ orderId, remaining }) => ({ kind: 'canceled', orderId, remaining }));
}

/** Lets every waiting order do what it can, and those that its trades trigger, until nothing moves. */
export function runWaiting(state: ExchangeState, events: readonly EngineEvent[]): void {
  trigger(state, events);
  for (let order = nextReady(state); order !== null; order = nextReady(state)) {
    trigger(state, order.type === 'STOP_LIMIT' ? enterBook(state, order) : takeFromBook(state, order));
  }
}

/** Every traded price counts, not only the last one: one command may trade at many. */
function trigger({ backOffice }: ExchangeState, events: readonly EngineEvent[]): void {
  for (const event of events) {
    if (event.kind !== 'trade') continue;
    const { symbol, price } = event.trade;
    for (const order of backOffice.waiting.values()) {
      if (order.symbol === symbol && isCrossed(order, price)) order.isTriggered = true;
    }
  }
}

/** The oldest triggered order with something to take; between two commands there is none. */
export function nextReady(state: ExchangeState): WaitingOrder | null {
  const market = reader(state.engine);
  for (const order of state.backOffice.waiting.values()) {
    if (!order.isTriggered) continue;
    const canAct = order.type === 'STOP_LIMIT' || market.best(order.symbol, opposite(order.side)) !== undefined;
    if (canAct) return order;
  }
  return null;
}

/** A STOP_LIMIT order becomes a limit order with the same id; if the market refuses it, it is closed. */
function enterBook(state: ExchangeState, order: WaitingOrder): readonly EngineEvent[] {
  const { orderId, account, symbol, side, type, price, remaining, createdAt } = order;
  freeMoney(state, order);
  state.backOffice.waiting.delete(orderId);
  state.backOffice.origins.set(orderId, { type, createdAt });
  const command = { kind: 'create', account, symbol, side, price, quantity: remaining, orderId } as const;
  const events = engineStep(state, command, state.lastAt);
  if (isRefused(events)) showOrder(state, orderId);
  return events;
}

/** Takes what the book has; if the market refuses, as for a lack of funds, the rest of the order is closed. */
function takeFromBook(state: ExchangeState, order: WaitingOrder): readonly EngineEvent[] {
  const { orderId, account, symbol, side } = order;
  const reach = reachOf(state, order);
  invariant(reach !== null, `Order ${orderId} has nothing to take in ${symbol}.`);
  freeMoney(state, order);
  const command = { kind: 'create', account, symbol, side, ...reach, immediateOrCancel: true, orderId } as const;
  const events = engineStep(state, command, state.lastAt);
  if (order.remaining === 0) state.backOffice.waiting.delete(orderId);
  else if (isRefused(events)) close(state, order);
  else setMoneyAside(state, order);
  return events;
}

/** How far into the book an order at any price must go; `null` where the other side is empty. */
export function reachOf(
  { engine }: ExchangeState,
  { symbol, side, remaining }: Pick<WaitingOrder, 'symbol' | 'side' | 'remaining'>,
): { readonly price: Ticks; readonly quantity: Lots } | null {
  let reach: { price: Ticks; quantity: Lots } | null = null;
  for (const level of reader(engine).levels(symbol, opposite(side), Number.MAX_SAFE_INTEGER)) {
    const quantity = Math.min(remaining, (reach?.quantity ?? 0) + level.quantity) as Lots;
    reach = { price: level.price, quantity };
    if (quantity === remaining) break;
  }
  return reach;
}

/**
 * Sets aside what the order may need, as far as it is free: for a sell its base, for a buy its cost at its limit, its
 * stop price, or the last price. A MARKET buy on a symbol that never traded sets nothing aside.
 */
export function setMoneyAside(state: ExchangeState, order: WaitingOrder): void {
  const { account, symbol, side, remaining: quantity } = order;
  const price = priceToReserveBy(state, order);
  if (price === null) return;
  const { asset, amount: needed } = orderReservation(state.engine, { symbol, side, price, quantity });
  const free = freeOf(state, account, asset);
  const amount = free < needed ? free : needed;
  if (setAside(state, { account, purpose: 'order', asset, amount })) order.setAside = amount.toString();
}

/** In ticks; `null` without a price to use. */
function priceToReserveBy({ engine }: ExchangeState, order: WaitingOrder): Ticks | null {
  if (order.price > 0) return order.price;
  const last = reader(engine).lastTrade(order.symbol)?.price;
  return order.stopPrice ?? last ?? (order.side === 'sell' ? (1 as Ticks) : null);
}

function freeMoney(state: ExchangeState, order: WaitingOrder): void {
  const { account, symbol, side, orderId } = order;
  const instrument = reader(state.engine).instrument(symbol);
  invariant(instrument !== undefined, `Order ${orderId} waits for ${symbol}, which is not traded here.`);
  const asset = side === 'buy' ? instrument.quote : instrument.base;
  const isFreed = giveBack(state, { account, purpose: 'order', asset, amount: BigInt(order.setAside) });
  invariant(isFreed, `What order ${orderId} has set aside, ${order.setAside} units of ${asset}, is not there.`);
  order.setAside = '0';
}

function close(state: ExchangeState, order: WaitingOrder): void {
  freeMoney(state, order);
  state.backOffice.waiting.delete(order.orderId);
  showOrder(state, order.orderId);
}

function isRefused(events: readonly EngineEvent[]): boolean {
  return events.some((event) => event.kind === 'refused');
}
