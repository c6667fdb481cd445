// An order reaches the book: the market's result and its answer.
import { assertNever, invariant } from '../../domain/invariant.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { CreateCommand, Refusal } from '../../matching/types.ts';
import { type CancelCommand, type CreateInFlight, cancelWaiting, nextArrival } from '../state/in-flight.ts';
import { type ExchangeState, ownTime } from '../state/state.ts';
import { ok, okMsg, type Reply, refuse } from '../wire/messages.ts';
import { outsideRecvWindow } from '../wire/query.ts';
import type { CreateRejection, Quirks } from '../wire/quirks.ts';
import { execute } from './execute.ts';

/**
 * 200 with the order's id; 200 `{msg}` if symbol or account are frozen; one of the forms of Q23 if the market refuses.
 */
export function placeOrder(state: ExchangeState, command: CreateCommand, at: EpochMs): Reply {
  const { frozenSymbols, frozenAccounts, quirks } = state.controls;
  if (frozenSymbols.includes(command.symbol)) return okMsg(`Trading in ${command.symbol} is suspended.`);
  if (frozenAccounts.includes(command.account)) return okMsg('Trading is suspended for this account.');
  for (const event of execute(state, command, at)) {
    if (event.kind === 'accepted') return ok({ data: { order_id: event.order.orderId } });
    if (event.kind === 'refused') return refusedByEngine(event, quirks);
  }
  invariant(false, 'The engine neither accepted nor refused an order.');
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
      return okMsg(refused.detail);
    case 'self-trade':
      // The engine's text names the account by the exchange's internal name, which the caller doesn't know.
      return okMsg('The order would trade with an open order of the same account.');
    case 'unknown-account':
    case 'unknown-symbol':
    case 'unknown-order':
      invariant(false, `The engine refused an order that was checked before: ${refused.detail}`);
      break;
    default:
      return assertNever(refused.reason);
  }
}

/** The refusal of a create, in one of the forms of Q23. */
export function rejection(form: CreateRejection, code: number, msg: string): Reply {
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

// Requests in flight reach the book: a create's answer is made, a cancel is carried out.

/** Lets everything due by `until` arrive, each at its own moment. */
export function arriveUntil(state: ExchangeState, until: EpochMs): void {
  for (;;) {
    const item = nextArrival(state.inFlight, until);
    if (item === null) return;
    if (item.kind === 'cancel') carryOut(state, item.command, item.dueAt);
    else item.reply = replyAtBook(state, item);
  }
}

function replyAtBook(state: ExchangeState, { command, dueAt, stamp, canceled }: CreateInFlight): Reply {
  if (canceled) return okMsg('The order was canceled before it reached the book.');
  const isChecked = state.controls.quirks.recvWindowChecked === 'both';
  const late = isChecked ? outsideRecvWindow(stamp, ownTime(state, dueAt)) : null;
  return late ?? placeOrder(state, command, dueAt);
}

/** Carries out a cancel: on the orders in the book, and by Q21 on those in flight. */
export function carryOut(state: ExchangeState, command: CancelCommand, at: EpochMs): void {
  if (state.controls.quirks.creationsDuringCancel === 'canceled') cancelWaiting(state.inFlight, command);
  execute(state, command, at);
}
