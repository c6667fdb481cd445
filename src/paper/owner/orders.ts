// Orders that the owner places by hand, of every type in the open-orders list, and their cancel.
import { type Decimal, plain } from '../../domain/decimal.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { allOf, fail, mapped, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { reader } from '../../matching/engine.ts';
import type { EngineEvent, EngineOrderId, Lots, Ticks } from '../../matching/types.ts';
import { engineStep, freeOf, setAside, showOrder } from '../engine/engine-step.ts';
import { execute, executeAsOf, setAsideFor, worstPrice } from '../engine/execute.ts';
import { readSteps } from '../state/amounts.ts';
import { isCrossed, type WaitingOrder } from '../state/in-flight.ts';
import type { ActionOf, ManualTerms, OwnerActionAnswer } from '../state/owner-actions.ts';
import { type ExchangeState, ownTime } from '../state/state.ts';
import { DONE, knownAccount, knownInstrument, momentOf, shortSentence } from './money.ts';

type Place = ActionOf<'place-order'>;
type Cancel = ActionOf<'cancel-order'>;

/** An order in whole steps; prices are 0 if the type has none. */
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
      'stopPrice' in terms ? wholeSteps(terms.stopPrice, instrument.tickSize, `The stop price (${symbol})`) : ok(0),
    at: momentOf(state, action.at),
  });
  return mapped(steps, ({ quantity, price, stopPrice, at }) => ({
    ...{ account, symbol, side, type: terms.type, instrument, at },
    price: price as Ticks,
    stopPrice: stopPrice as Ticks,
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
  const { account, symbol, side, type, price, quantity, at } = wanted;
  const create = { kind: 'create', account, symbol, side, quantity } as const;
  switch (type) {
    case 'LIMIT':
      return idOf(executeAsOf(state, { ...create, price }, at));
    case 'MARKET': {
      const worst = worstPrice(state, wanted);
      if (worst === null) return fail(`Nobody ${side === 'buy' ? 'sells' : 'buys'} ${symbol} now.`);
      return idOf(executeAsOf(state, { ...create, price: worst, immediateOrCancel: true }, at));
    }
    case 'STOP_LIMIT':
    case 'STOP_MARKET':
      return placeStop(state, { ...wanted, type });
  }
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

/** Rests outside the book with its money until the last price reaches its stop price. */
function placeStop(state: ExchangeState, wanted: Wanted & Pick<WaitingOrder, 'type'>): Result<EngineOrderId> {
  const { account, symbol, side, type, price, stopPrice, quantity, instrument, at } = wanted;
  const last = reader(state.engine).lastTrade(symbol)?.price;
  if (last !== undefined && isCrossed(wanted, last)) {
    const text = plain(instrument.tickSize.mul(last));
    return fail(`The last price of ${symbol} is ${text}: the stop would be triggered at once.`);
  }
  const money = setAsideFor(state, wanted);
  const free = freeOf(state, account, money.asset);
  if (free < money.amount) return fail(shortSentence(state, { ...money, free, needed: money.amount }));
  const orderId = idOf(engineStep(state, { kind: 'take-number', account }, at));
  if (!orderId.ok) return orderId;
  setAside(state, money);
  const terms = { account, symbol, side, type, price, stopPrice, quantity };
  state.backOffice.waiting.set(orderId.value, { orderId: orderId.value, ...terms, createdAt: ownTime(state, at) });
  state.owners.set(orderId.value, { account, symbol });
  showOrder(state, orderId.value);
  return orderId;
}
