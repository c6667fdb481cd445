// Answers to creates and cancels.
import type { Instrument } from '../../domain/instrument.ts';
import type { Result } from '../../domain/result.ts';
import type { CreateCommand, Lots, Ticks } from '../../matching/types.ts';
import { carryOut, placeOrder, rejection } from '../engine/place-order.ts';
import { accountOf, type Visit } from '../gate/gate.ts';
import { orderIdText, requiredSymbol } from '../gate/parameters.ts';
import { readSteps } from '../state/amounts.ts';
import { type CancelCommand, type CreateInFlight, depart } from '../state/in-flight.ts';
import { accountRecord } from '../state/state.ts';
import { okMsg, type Reply, refuse } from '../wire/messages.ts';
import { stampOf } from '../wire/query.ts';
import type { Quirks } from '../wire/quirks.ts';

/** A refusal for the parameters comes at once; the rest waits for the book, which with no lag is now (Q7). */
export function answerCreate(visit: Visit): Reply | CreateInFlight {
  const { state, now } = visit;
  const command = readOrder(visit);
  if (!command.ok) return command.error;
  const { matchingLagMs } = state.controls.quirks;
  return matchingLagMs === 0 ? placeOrder(state, command.value, now) : sendOff(visit, command.value);
}

function sendOff({ state, query, rate, now }: Visit, command: CreateCommand): Reply | CreateInFlight {
  const dueAt = now + state.controls.quirks.matchingLagMs;
  const item: CreateInFlight = {
    ...{ kind: 'create', dueAt, command, stamp: stampOf(query), rate },
    ...{ canceled: false, reply: null },
  };
  return depart(state.inFlight, item) ? item : refuse(-5013, 'Unable to create spot order.');
}

const PLAIN = 'must be a positive decimal without an exponent, given as text, of at most 2^53 − 1 steps.';

/** Checks symbol, action, type, price and quantity, in this order. */
function readOrder(visit: Visit): Result<CreateCommand, Reply> {
  const { state, fields } = visit;
  const wrong = (code: number, msg: string) => ({ ok: false, error: refuse(code, msg) }) as const;
  const instrument = requiredSymbol(state, fields.symbol);
  if (!instrument.ok) return instrument;
  if (fields.action !== 'BUY' && fields.action !== 'SELL') return wrong(-1112, 'The action must be BUY or SELL.');
  if (fields.type !== 'LIMIT') return wrong(-1113, 'The order type must be LIMIT.');
  const { tickSize, lotSize } = instrument.value;
  const price = readSteps(fields.price, tickSize);
  if (price === 'malformed') return wrong(-1114, `The price ${PLAIN}`);
  const quantity = readSteps(fields.quantity, lotSize);
  if (quantity === 'malformed') return wrong(-1115, `The quantity ${PLAIN}`);
  if (price === 'off-step' || quantity === 'off-step') {
    return { ok: false, error: offStep(instrument.value, price, state.controls.quirks) };
  }
  const side = fields.action === 'BUY' ? 'buy' : 'sell';
  const order = { symbol: instrument.value.symbol, side, price: price as Ticks, quantity: quantity as Lots } as const;
  return { ok: true, value: { kind: 'create', account: accountOf(visit), ...order } };
}

function offStep(instrument: Instrument, price: number | 'off-step', quirks: Quirks): Reply {
  const { symbol, tickSize, lotSize } = instrument;
  return price === 'off-step'
    ? rejection(quirks.offStep, -1114, `The price is not a multiple of tick size ${tickSize.toFixed()} (${symbol}).`)
    : rejection(quirks.offStep, -1115, `The quantity is not a multiple of lot size ${lotSize.toFixed()} (${symbol}).`);
}

/** Cancels an open order of the account; a closed one is answered as Q5 says; any other is -5014. */
export function answerCancel(visit: Visit): Reply {
  const { state, fields } = visit;
  if (fields.order_id === undefined || fields.order_id === null || fields.order_id === '') {
    return refuse(-1102, 'The order id is required.');
  }
  const orderId = orderIdText(fields.order_id);
  if (!orderId.ok) return orderId.error;
  const account = accountOf(visit);
  if (state.owners.get(orderId.value)?.account === account) {
    return acknowledge(visit, { kind: 'cancel', account, orderId: orderId.value }, 'The order is being canceled.');
  }
  const wasOurs = accountRecord(state, account).closed.has(orderId.value);
  return wasOurs && state.controls.quirks.cancelOfClosed === 'acknowledged'
    ? okMsg('The order is being canceled.')
    : unable();
}

/** Every open order of one symbol. */
export function answerCancelSymbol(visit: Visit): Reply {
  const instrument = requiredSymbol(visit.state, visit.fields.symbol);
  if (!instrument.ok) return instrument.error;
  const { symbol } = instrument.value;
  const command = { kind: 'cancel-symbol', account: accountOf(visit), symbol } as const;
  return acknowledge(visit, command, `The open orders of ${symbol} are being canceled.`);
}

/** Every open order of the account. */
export function answerCancelAll(visit: Visit): Reply {
  const command = { kind: 'cancel-all', account: accountOf(visit) } as const;
  return acknowledge(visit, command, 'All open orders are being canceled.');
}

/** Carried out at once, or acknowledged now and carried out later (F26). */
function acknowledge({ state, now }: Visit, command: CancelCommand, msg: string): Reply {
  const { cancelLagMs } = state.controls.quirks;
  if (cancelLagMs === 0) carryOut(state, command, now);
  else if (!depart(state.inFlight, { kind: 'cancel', dueAt: now + cancelLagMs, command })) return unable();
  return okMsg(msg);
}

function unable(): Reply {
  return refuse(-5014, 'Unable to cancel spot order.');
}
