// Requests that passed the gate but have not reached the book: creates whose answer waits (Q7), acknowledged cancels
// (F26).
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { AccountName, EngineCommand, EngineOrder, EngineOrderId, Lots, Ticks } from '../../matching/types.ts';
import type { Reply, Ticket } from '../wire/messages.ts';
import type { RequestStamp } from '../wire/query.ts';
import type { RateReading } from '../wire/rate-limit.ts';

export type CreateCommand = Extract<EngineCommand, { kind: 'create' }>;
export type CancelCommand = Extract<EngineCommand, { kind: 'cancel' | 'cancel-symbol' | 'cancel-all' }>;

/** A create between gate and book. */
export interface CreateInFlight {
  readonly kind: 'create';
  readonly dueAt: EpochMs;
  readonly ticket: Ticket;
  readonly command: CreateCommand;
  /** The sender's stamp; checked again at the book where Q7 says so. */
  readonly stamp: RequestStamp;
  /** The caller's rate limit reading at its arrival, for the answer's headers. */
  readonly rate: RateReading | null;
  /** A cancel reached the book before it (Q21): it never lands. */
  canceled: boolean;
}

/** An acknowledged cancel that has not happened. */
interface CancelInFlight {
  readonly kind: 'cancel';
  readonly dueAt: EpochMs;
  readonly command: CancelCommand;
}

/** The answer to a create, until it is collected. */
interface WaitingAnswer {
  readonly reply: Reply;
  readonly rate: RateReading | null;
}

export interface InFlight {
  /** In order of `dueAt`; at the same moment in order of arrival. */
  readonly waiting: (CreateInFlight | CancelInFlight)[];
  /** By ticket, oldest first. */
  readonly answers: Map<Ticket, WaitingAnswer>;
  nextTicket: Ticket;
}

/** Most requests in flight; one more create gets -5013, one more cancel -5014. */
export const WAITING_MAX = 10_000;
/** Most answers that wait to be collected; beyond it the oldest is dropped, as its caller has gone. */
export const ANSWERS_MAX = 10_000;

export function createInFlight(): InFlight {
  return { waiting: [], answers: new Map(), nextTicket: 1 };
}

/** Puts a request in flight; `false` when there is no room. */
export function depart(inFlight: InFlight, item: CreateInFlight | CancelInFlight): boolean {
  const { waiting } = inFlight;
  if (waiting.length >= WAITING_MAX) return false;
  let at = waiting.length;
  while (at > 0 && (waiting[at - 1]?.dueAt ?? 0) > item.dueAt) at -= 1;
  waiting.splice(at, 0, item);
  return true;
}

/** Takes out the first one due by `until`, or `null`. */
export function nextArrival({ waiting }: InFlight, until: EpochMs): CreateInFlight | CancelInFlight | null {
  const first = waiting[0];
  if (first === undefined || first.dueAt > until) return null;
  waiting.shift();
  return first;
}

/** Q21: creates that this cancel would hit after landing will not land. */
export function cancelWaiting({ waiting }: InFlight, cancel: CancelCommand): void {
  if (cancel.kind === 'cancel') return;
  for (const item of waiting) {
    if (item.kind !== 'create' || item.command.account !== cancel.account) continue;
    if (cancel.kind === 'cancel-all' || item.command.symbol === cancel.symbol) item.canceled = true;
  }
}

/** Keeps an answer until it is collected. */
export function keepAnswer({ answers }: InFlight, ticket: Ticket, answer: WaitingAnswer): void {
  if (answers.size >= ANSWERS_MAX) for (const oldest of answers.keys()) if (answers.delete(oldest)) break;
  answers.set(ticket, answer);
}

/** The answer of a ticket, once; `null` when it is not there. */
export function takeAnswer({ answers }: InFlight, ticket: Ticket): WaitingAnswer | null {
  const answer = answers.get(ticket) ?? null;
  answers.delete(ticket);
  return answer;
}

/** When a ticket's create is due; `null` when it is not in flight. */
export function dueAtOf({ waiting }: InFlight, ticket: Ticket): EpochMs | null {
  return waiting.find((item) => item.kind === 'create' && item.ticket === ticket)?.dueAt ?? null;
}

// Orders of the owner that no client can create: they wait outside the book, with their money set aside.

/** As the open-orders list names them (specification 2.12). */
export type OrderType = 'LIMIT' | 'MARKET' | 'STOP_LIMIT' | 'STOP_MARKET';

/** A row of the open-orders list: LIMIT where it names no type. The price of a MARKET or STOP_MARKET order is 0. */
export type ListedOrder = EngineOrder & { readonly type?: OrderType };

/** Plain JSON. */
export interface WaitingOrder {
  readonly orderId: EngineOrderId;
  readonly account: AccountName;
  readonly symbol: InstrumentSymbol;
  readonly side: Side;
  readonly type: Exclude<OrderType, 'LIMIT'>;
  /** The price of a STOP_LIMIT order; 0 for the others. */
  readonly price: Ticks;
  /** `null` for a MARKET order. */
  readonly stopPrice: Ticks | null;
  readonly quantity: Lots;
  remaining: Lots;
  /** Stamped by the exchange's own clock. */
  readonly createdAt: EpochMs;
  /** Units set aside in the account's pocket for orders, as digits. */
  setAside: string;
  /** Whether a price has crossed `stopPrice`; a MARKET order waits only for the other side of the book. */
  isTriggered: boolean;
}

export function listedWaiting(order: WaitingOrder): ListedOrder {
  const { orderId, account, symbol, side, type, price, quantity, remaining, createdAt } = order;
  return { orderId, account, symbol, side, type, price, quantity, remaining, createdAt };
}

/** A buy at or above its stop price, a sell at or below it. */
export function isCrossed({ side, stopPrice }: Pick<WaitingOrder, 'side' | 'stopPrice'>, price: Ticks): boolean {
  if (stopPrice === null) return true;
  return side === 'buy' ? price >= stopPrice : price <= stopPrice;
}
