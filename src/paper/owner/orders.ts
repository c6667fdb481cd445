// Orders that the owner places by hand, of every type in the open-orders list, and their cancel.
import { type Decimal, plain } from '../../domain/decimal.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { allOf, fail, mapped, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { orderReservation, reader } from '../../matching/engine.ts';
import type { EngineCommand, EngineEvent, EngineOrderId, Lots, Ticks } from '../../matching/types.ts';
import { engineStep, freeOf, showOrder } from '../engine/engine-step.ts';
import { execute, executeAsOf, reachOf, runWaiting, setMoneyAside } from '../engine/execute.ts';
import { readSteps } from '../state/amounts.ts';
import { isCrossed, type WaitingOrder } from '../state/in-flight.ts';
import type { ActionOf, ManualTerms, OwnerActionAnswer } from '../state/owner-actions.ts';
import { accountRecord, type ExchangeState, ownTime } from '../state/state.ts';
import { DONE, knownAccount, knownInstrument, momentOf, shortSentence } from './money.ts';

type Place = ActionOf<'place-order'>;
type Cancel = ActionOf<'cancel-order'>;

/** An order in whole steps; prices are 0 and `null` if the type has none. */
type Wanted = Pick<WaitingOrder, 'account' | 'symbol' | 'side' | 'price' | 'stopPrice' | 'quantity'> & {
  readonly type: ManualTerms['type'];
  readonly instrument: Instrument;
  readonly at: EpochMs;
};

export function placeByOwner(state: ExchangeState, action: Place): Result<OwnerActionAnswer> {
  const wanted = readOrder(state, action);
  if (!wanted.ok) return wanted;
  const placed = place(state, wanted.value);
  if (!placed.ok) return placed;
  const orderId = placed.value;
  return ok({ kind: 'order', orderId, state: state.owners.has(orderId) ? 'open' : 'closed' });
}

export function cancelByOwner(state: ExchangeState, { account, orderId }: Cancel): Result<OwnerActionAnswer> {
  if (state.owners.get(orderId)?.account !== account) return fail(`There is no open order ${orderId} of ${account}.`);
  execute(state, { kind: 'cancel', account, orderId }, state.lastAt);
  return DONE;
}

function readOrder(state: ExchangeState, action: Place): Result<Wanted> {
  const { account, symbol, side, terms } = action;
  const market = allOf({ record: knownAccount(state, account), instrument: tradedInstrument(state, action) });
  if (!market.ok) return market;
  const { instrument } = market.value;
  const steps = allOf({
    quantity: wholeSteps(action.quantity, instrument.lotSize, `The quantity (${symbol})`),
    price: 'price' in terms ? wholeSteps(terms.price, instrument.tickSize, `The price (${symbol})`) : ok(0),
    stopPrice:
      'stopPrice' in terms ? wholeSteps(terms.stopPrice, instrument.tickSize, `The stop price (${symbol})`) : ok(null),
    at: momentOf(state, action.at),
  });
  return mapped(steps, ({ quantity, price, stopPrice, at }) => ({
    ...{ account, symbol, side, type: terms.type, instrument, at },
    price: price as Ticks,
    stopPrice: stopPrice as Ticks | null,
    quantity: quantity as Lots,
  }));
}

function tradedInstrument(state: ExchangeState, { account, symbol }: Place): Result<Instrument> {
  const { frozenAccounts, frozenSymbols } = state.controls;
  if (frozenAccounts.includes(account)) return fail(`${account} may not trade now.`);
  if (frozenSymbols.includes(symbol)) return fail(`${symbol} is not traded now.`);
  return knownInstrument(state, symbol);
}

function wholeSteps(value: Decimal, step: Decimal, what: string): Result<number> {
  const steps = readSteps(plain(value), step);
  return typeof steps === 'number'
    ? ok(steps)
    : fail(`${what} can't be ${plain(value)}: it must be above zero and a multiple of ${plain(step)}.`);
}

function place(state: ExchangeState, wanted: Wanted): Result<EngineOrderId> {
  switch (wanted.type) {
    case 'LIMIT':
      return idOf(executeAsOf(state, limitOrder(wanted), wanted.at));
    case 'MARKET':
      return placeMarket(state, wanted);
    case 'STOP_LIMIT':
    case 'STOP_MARKET':
      return placeStop(state, wanted);
  }
}

function limitOrder({ account, symbol, side, price, quantity }: Wanted): Extract<EngineCommand, { kind: 'create' }> {
  return { kind: 'create', account, symbol, side, price, quantity };
}

/** The id of an order that was just accepted, or why it was not. */
function idOf(events: readonly EngineEvent[]): Result<EngineOrderId> {
  for (const event of events) {
    if (event.kind === 'accepted') return ok(event.order.orderId);
    if (event.kind === 'numbered') return ok(event.orderId);
    if (event.kind === 'refused') return fail(event.detail);
  }
  return fail('The market said nothing to the order.');
}

/**
 * Takes what the book has, for which the money of the whole order must be available; the rest waits for the other side.
 */
function placeMarket(state: ExchangeState, wanted: Wanted): Result<EngineOrderId> {
  const { account, symbol, side, quantity, at } = wanted;
  const reach = reachOf(state, { ...wanted, remaining: quantity });
  const refusal = refusalOfMarket(state, wanted, reach?.price ?? reader(state.engine).lastTrade(symbol)?.price);
  if (refusal !== null) return fail(refusal);
  const take = { kind: 'create', account, symbol, side, immediateOrCancel: true } as const;
  const events = reach === null ? takeNumber(state, wanted) : executeAsOf(state, { ...take, ...reach }, at);
  const orderId = idOf(events);
  if (!orderId.ok) return orderId;
  const remaining = (quantity - filledOf(events, orderId.value)) as Lots;
  if (remaining > 0) waitFor(state, wanted, { orderId: orderId.value, remaining });
  return orderId;
}

/** On a symbol that never traded and has nothing to take, the cost of a buy is unknown. */
function refusalOfMarket(state: ExchangeState, wanted: Wanted, price: Ticks | undefined): string | null {
  if (price !== undefined) return shortOf(state, { ...wanted, price }) ?? belowMinimum({ ...wanted, price });
  return wanted.side === 'sell' ? shortOf(state, { ...wanted, price: 1 as Ticks }) : null;
}

/** Rests outside the book with its money until the last price reaches its stop price. */
function placeStop(state: ExchangeState, wanted: Wanted): Result<EngineOrderId> {
  const { symbol, stopPrice, instrument } = wanted;
  const last = reader(state.engine).lastTrade(symbol)?.price;
  if (last !== undefined && isCrossed(wanted, last)) {
    const text = plain(instrument.tickSize.mul(last));
    return fail(`The last price of ${symbol} is ${text}: the stop would be triggered at once.`);
  }
  const price = wanted.price > 0 ? wanted.price : (stopPrice ?? wanted.price);
  const refusal = shortOf(state, { ...wanted, price }) ?? belowMinimum({ ...wanted, price });
  if (refusal !== null) return fail(refusal);
  const orderId = idOf(takeNumber(state, wanted));
  if (orderId.ok) waitFor(state, wanted, { orderId: orderId.value, remaining: wanted.quantity });
  return orderId;
}

function takeNumber(state: ExchangeState, { account, at }: Wanted): readonly EngineEvent[] {
  return engineStep(state, { kind: 'take-number', account }, at);
}

function filledOf(events: readonly EngineEvent[], orderId: EngineOrderId): number {
  let filled = 0;
  for (const event of events) {
    if (event.kind === 'trade' && event.trade.takerOrderId === orderId) filled += event.trade.quantity;
  }
  return filled;
}

function waitFor(state: ExchangeState, wanted: Wanted, given: Pick<WaitingOrder, 'orderId' | 'remaining'>): void {
  const { account, symbol, side, type, price, stopPrice, quantity, at } = wanted;
  if (type === 'LIMIT') return;
  const order: WaitingOrder = {
    ...{ account, symbol, side, type, price, stopPrice, quantity },
    ...given,
    createdAt: ownTime(state, at),
    setAside: '0',
    isTriggered: type === 'MARKET',
  };
  state.backOffice.waiting.set(order.orderId, order);
  state.owners.set(order.orderId, { account, symbol });
  accountRecord(state, account).closed.delete(order.orderId);
  setMoneyAside(state, order);
  showOrder(state, order.orderId);
  // Its trades may have triggered a stop order of the other side.
  runWaiting(state, []);
}

function shortOf(state: ExchangeState, { account, symbol, side, price, quantity }: Wanted): string | null {
  const { asset, amount } = orderReservation(state.engine, { symbol, side, price, quantity });
  const free = freeOf(state, account, asset);
  return free < amount ? shortSentence(state, { account, asset, free, needed: amount }) : null;
}

function belowMinimum({ instrument, price, quantity }: Wanted): string | null {
  const { tickSize, lotSize, minNotional, symbol } = instrument;
  const notional = tickSize.mul(price).mul(lotSize.mul(quantity));
  return notional.lt(minNotional)
    ? `Price × quantity ${plain(notional)} is below ${plain(minNotional)} (${symbol}).`
    : null;
}
