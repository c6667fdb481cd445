// The three cancels. Each acknowledges; none says how many orders it hit, nor how much of them had filled.
import { invariant } from '../../domain/invariant.ts';
import type { AccountName } from '../../matching/types.ts';
import { carryOut } from '../engine/in-flight-arrival.ts';
import type { Visit } from '../gate/gate.ts';
import { orderIdText, requiredSymbol } from '../gate/parameters.ts';
import { type CancelCommand, depart } from '../state/in-flight.ts';
import { accountRecord } from '../state/state.ts';
import { okMsg, type Reply, refuse } from '../wire/reply.ts';

/** An open order of the account is canceled; one that closed is answered by Q5; any other is -5014. */
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

function accountOf({ caller }: Visit): AccountName {
  invariant(caller !== null, 'A cancel was answered without a caller.');
  return caller.account;
}

function unable(): Reply {
  return refuse(-5014, 'Unable to cancel spot order.');
}
