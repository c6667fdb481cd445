// Executes one command and the stop orders that it triggers.
import { invariant } from '../../domain/invariant.ts';
import { opposite } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import { orderReservation, reader } from '../../matching/engine.ts';
import type { EngineCommand, EngineEvent, EngineOrder, Ticks } from '../../matching/types.ts';
import type { Portion } from '../state/amounts.ts';
import { isCrossed, type WaitingOrder } from '../state/in-flight.ts';
import type { ExchangeState } from '../state/state.ts';
import { engineStep, giveBack, showOrder } from './engine-step.ts';

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
  sendTriggered(state, events);
  return [...canceled, ...events];
}

/** Closes the stop orders that a command of their account cancels. */
function cancelWaiting(state: ExchangeState, command: EngineCommand): readonly EngineEvent[] {
  if (command.kind !== 'cancel' && command.kind !== 'cancel-symbol' && command.kind !== 'cancel-all') return [];
  const isMeant = (order: WaitingOrder): boolean =>
    order.account === command.account &&
    (command.kind !== 'cancel' || command.orderId === order.orderId) &&
    (command.kind !== 'cancel-symbol' || command.symbol === order.symbol);
  const canceled = [...state.backOffice.waiting.values()].filter(isMeant);
  for (const order of canceled) {
    release(state, order);
    showOrder(state, order.orderId);
  }
  return canceled.map(({ orderId, quantity }) => ({ kind: 'canceled', orderId, remaining: quantity }));
}

/**
 * Sends the stop orders that these trades trigger, and those that their own trades trigger. Every traded price counts,
 * not only the last one: one command may trade at many.
 */
function sendTriggered(state: ExchangeState, events: readonly EngineEvent[]): void {
  const all = [...events];
  // Grows while it is read.
  for (const event of all) {
    if (event.kind !== 'trade') continue;
    const { symbol, price } = event.trade;
    for (const order of state.backOffice.waiting.values()) {
      if (order.symbol === symbol && isCrossed(order, price)) all.push(...send(state, order));
    }
  }
}

/**
 * A STOP_LIMIT order becomes a limit order with the same id, a STOP_MARKET order takes what the book has; if the market
 * refuses it, it is closed.
 */
function send(state: ExchangeState, order: WaitingOrder): readonly EngineEvent[] {
  const { orderId, account, symbol, side, type, quantity } = order;
  release(state, order);
  const immediateOrCancel = type === 'STOP_MARKET';
  const price = immediateOrCancel ? worstPrice(state, order) : order.price;
  const command = { kind: 'create', account, symbol, side, quantity, orderId, immediateOrCancel } as const;
  const events = price === null ? [] : engineStep(state, { ...command, price }, state.lastAt);
  if (!events.some(({ kind }) => kind === 'accepted')) showOrder(state, orderId);
  return events;
}

/** The price of an order that takes as much of its quantity as the book has; `null` where the other side is empty. */
export function worstPrice(
  { engine }: ExchangeState,
  { symbol, side, quantity }: Pick<EngineOrder, 'symbol' | 'side' | 'quantity'>,
): Ticks | null {
  let worst: Ticks | null = null;
  let lots = 0;
  for (const level of reader(engine).levels(symbol, opposite(side), Number.MAX_SAFE_INTEGER)) {
    if (lots >= quantity) break;
    worst = level.price;
    lots += level.quantity;
  }
  return worst;
}

/** The money set aside for a stop order: for a sell its base, for a buy its cost at its limit or stop price. */
export function setAsideFor(
  { engine }: Pick<ExchangeState, 'engine'>,
  { account, symbol, side, price, stopPrice, quantity }: Omit<WaitingOrder, 'orderId' | 'createdAt'>,
): Portion {
  const priced = { symbol, side, price: price > 0 ? price : stopPrice, quantity };
  return { account, purpose: 'order', ...orderReservation(engine, priced) };
}

/** Takes a stop order out of those that wait, and frees its money. */
function release(state: ExchangeState, order: WaitingOrder): void {
  const isFreed = giveBack(state, setAsideFor(state, order));
  invariant(isFreed, () => `The money of order ${order.orderId} is not there.`);
  state.backOffice.waiting.delete(order.orderId);
}
