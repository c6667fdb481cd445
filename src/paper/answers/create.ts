// Placing a LIMIT order: what is wrong with the request, and whether it goes to the book at once or later.
import type { Instrument } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { Result } from '../../domain/result.ts';
import type { Lots, Ticks } from '../../matching/types.ts';
import { placeOrder, rejection } from '../engine/place-order.ts';
import type { Visit } from '../gate/gate.ts';
import { requiredSymbol } from '../gate/parameters.ts';
import { type CreateCommand, type CreateInFlight, depart } from '../state/in-flight.ts';
import { readSteps } from '../state/whole-steps.ts';
import type { Ticket } from '../wire/messages.ts';
import type { Quirks } from '../wire/quirks.ts';
import { stampOf } from '../wire/recv-window.ts';
import { type Reply, refuse } from '../wire/reply.ts';

/** A refusal by the parameters comes at once; the rest waits for the book, which with no lag is now (Q7). */
export function answerCreate(visit: Visit): Reply | CreateInFlight {
  const { state, now } = visit;
  const command = readOrder(visit);
  if (!command.ok) return command.error;
  const { matchingLagMs } = state.controls.quirks;
  return matchingLagMs === 0 ? placeOrder(state, command.value, now) : sendOff(visit, command.value);
}

function sendOff({ state, query, rate, now }: Visit, command: CreateCommand): Reply | CreateInFlight {
  const { inFlight, controls } = state;
  const ticket: Ticket = inFlight.nextTicket;
  const item: CreateInFlight = {
    kind: 'create',
    dueAt: now + controls.quirks.matchingLagMs,
    ticket,
    command,
    stamp: stampOf(query),
    rate,
    failure: null,
    canceled: false,
  };
  if (!depart(inFlight, item)) return refuse(-5013, 'Unable to create spot order.');
  inFlight.nextTicket += 1;
  return item;
}

const PLAIN = 'must be a positive decimal without an exponent, given as text.';

/** Looks at symbol, action, type, price and quantity, in this order. */
function readOrder({ state, fields, caller }: Visit): Result<CreateCommand, Reply> {
  invariant(caller !== null, 'A create was answered without a caller.');
  const wrong = (code: number, msg: string) => ({ ok: false, error: refuse(code, msg) }) as const;
  const instrument = requiredSymbol(state, fields.symbol);
  if (!instrument.ok) return instrument;
  if (fields.action !== 'BUY' && fields.action !== 'SELL') return wrong(-1112, 'The action must be BUY or SELL.');
  if (fields.type !== 'LIMIT') return wrong(-1113, 'The order type must be LIMIT.');
  const { tickSize, lotSize } = instrument.value;
  const price = readSteps(fields.price, tickSize);
  if (price === 'malformed') return wrong(-1114, `The price ${PLAIN}`);
  if (price === 'too-large') return wrong(-1114, 'The price is too large.');
  const quantity = readSteps(fields.quantity, lotSize);
  if (quantity === 'malformed') return wrong(-1115, `The quantity ${PLAIN}`);
  if (quantity === 'too-large') return wrong(-1115, 'The quantity is too large.');
  if (price === 'off-step' || quantity === 'off-step') {
    return { ok: false, error: offStep(instrument.value, price, state.controls.quirks) };
  }
  const side = fields.action === 'BUY' ? 'buy' : 'sell';
  const order = { symbol: instrument.value.symbol, side, price: price as Ticks, quantity: quantity as Lots } as const;
  return { ok: true, value: { kind: 'create', account: caller.account, ...order } };
}

function offStep(instrument: Instrument, price: number | 'off-step', quirks: Quirks): Reply {
  const { symbol, tickSize, lotSize } = instrument;
  return price === 'off-step'
    ? rejection(quirks.offStep, -1114, `The price is not a multiple of tick size ${tickSize.toFixed()} (${symbol}).`)
    : rejection(quirks.offStep, -1115, `The quantity is not a multiple of lot size ${lotSize.toFixed()} (${symbol}).`);
}
