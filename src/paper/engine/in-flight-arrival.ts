// What was in flight reaches the book: a create's answer is made and kept, a cancel happens.
import type { EpochMs } from '../../domain/time.ts';
import { type CancelCommand, type CreateInFlight, cancelWaiting, keepAnswer, nextArrival } from '../state/in-flight.ts';
import { type ExchangeState, ownTime } from '../state/state.ts';
import { type RateReading, rateOfFailure } from '../wire/rate-limit.ts';
import { outsideRecvWindow } from '../wire/recv-window.ts';
import { okMsg, type Reply, refuseByCode } from '../wire/reply.ts';
import { execute } from './execute.ts';
import { placeOrder } from './place-order.ts';

/** Lets everything arrive that is due at `until`, each at its own moment. */
export function arriveUntil(state: ExchangeState, until: EpochMs): void {
  for (;;) {
    const item = nextArrival(state.inFlight, until);
    if (item === null) return;
    if (item.kind === 'cancel') carryOut(state, item.command, item.dueAt);
    else keepAnswer(state.inFlight, item.ticket, { reply: arrive(state, item), rate: rateAtBook(item) });
  }
}

function arrive(state: ExchangeState, item: CreateInFlight): Reply {
  const reply = replyAtBook(state, item);
  return item.failure === null ? reply : refuseByCode(item.failure.code);
}

function rateAtBook({ failure, rate, dueAt }: CreateInFlight): RateReading | null {
  return failure === null ? rate : rateOfFailure(failure.code, rate, dueAt);
}

function replyAtBook(state: ExchangeState, { command, dueAt, stamp, canceled }: CreateInFlight): Reply {
  if (canceled) return okMsg('The order was canceled before it reached the book.');
  const late = recheck(state) ? outsideRecvWindow(stamp, ownTime(state, dueAt)) : null;
  return late ?? placeOrder(state, command, dueAt);
}

function recheck({ controls }: ExchangeState): boolean {
  return controls.quirks.recvWindowChecked === 'both';
}

/** A cancel happens at the book: to the orders there, and by Q21 to those on their way. */
export function carryOut(state: ExchangeState, command: CancelCommand, at: EpochMs): void {
  if (state.controls.quirks.creationsDuringCancel === 'canceled') cancelWaiting(state.inFlight, command);
  execute(state, command, at);
}
