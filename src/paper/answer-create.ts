// Placing a LIMIT order: what is wrong with the request, what the market says to it, and how either is answered.
import type { Instrument } from '../domain/instrument.ts';
import { assertNever, invariant } from '../domain/invariant.ts';
import type { Result } from '../domain/result.ts';
import type { EngineCommand, Lots, Refusal, Ticks } from '../matching/types.ts';
import { execute } from './execute.ts';
import type { Visit } from './gate.ts';
import { requiredSymbol } from './parameters.ts';
import type { CreateRejection, Quirks } from './quirks.ts';
import { ok, okMsg, type Reply, refuse } from './reply.ts';
import { readSteps } from './whole-steps.ts';

/** 200 with the order's id; or a documented code; or one of the forms of Q23 for what the market turns down. */
export function answerCreate(visit: Visit): Reply {
  const command = readOrder(visit);
  if (!command.ok) return command.error;
  for (const event of execute(visit.state, command.value, visit.now)) {
    if (event.kind === 'accepted') return ok({ data: { order_id: event.order.orderId } });
    if (event.kind === 'refused') return refusedByEngine(event, visit.state.controls.quirks);
  }
  invariant(false, 'The engine neither accepted nor refused an order.');
}

/** Looks at symbol, action, type, price and quantity, in this order. */
function readOrder({ state, fields, caller }: Visit): Result<EngineCommand, Reply> {
  invariant(caller !== null, 'A create was answered without a caller.');
  const wrong = (code: number, msg: string) => ({ ok: false, error: refuse(code, msg) }) as const;
  const instrument = requiredSymbol(state, fields.symbol);
  if (!instrument.ok) return instrument;
  if (fields.action !== 'BUY' && fields.action !== 'SELL') return wrong(-1112, 'The action must be BUY or SELL.');
  if (fields.type !== 'LIMIT') return wrong(-1113, 'The order type must be LIMIT.');
  const { tickSize, lotSize } = instrument.value;
  const price = readSteps(fields.price, tickSize);
  if (price === 'malformed') return wrong(-1114, 'The price must be a positive decimal, given as text.');
  const quantity = readSteps(fields.quantity, lotSize);
  if (quantity === 'malformed') return wrong(-1115, 'The quantity must be a positive decimal, given as text.');
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

function refusedByEngine(refused: { reason: Refusal; detail: string }, quirks: Quirks): Reply {
  switch (refused.reason) {
    case 'insufficient-funds':
      return rejection(quirks.insufficientFunds, -1115, 'Insufficient balance.');
    case 'below-min-notional':
    case 'invalid-quantity':
      return rejection(quirks.offStep, -1115, refused.detail);
    case 'invalid-price':
      return rejection(quirks.offStep, -1114, refused.detail);
    case 'would-cross':
    case 'self-trade':
      return okMsg(refused.detail);
    case 'unknown-account':
    case 'unknown-symbol':
    case 'unknown-order':
      invariant(false, `The engine refused an order that was checked before: ${refused.detail}`);
      break;
    default:
      return assertNever(refused.reason);
  }
}

function rejection(form: CreateRejection, code: number, msg: string): Reply {
  switch (form) {
    case 'code':
      return refuse(code, msg);
    case 'msg':
      return okMsg(msg);
    case 'failure':
      return refuse(-5013, 'Unable to create spot order.');
    default:
      return assertNever(form);
  }
}
