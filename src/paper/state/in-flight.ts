// Requests that passed the gate but have not reached the book: creates whose answer waits (Q7), acknowledged cancels
// (F26).
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type {
  AccountName,
  CreateCommand,
  EngineCommand,
  EngineOrder,
  EngineOrderId,
  Lots,
  Ticks,
} from '../../matching/types.ts';
import type { PaperResponse, Reply } from '../wire/messages.ts';
import type { RequestStamp } from '../wire/query.ts';
import type { RateReading } from '../wire/rate-limit.ts';

export type CancelCommand = Extract<EngineCommand, { kind: 'cancel' | 'cancel-symbol' | 'cancel-all' }>;

/** A create between gate and book. */
export interface CreateInFlight {
  readonly kind: 'create';
  readonly dueAt: EpochMs;
  readonly command: CreateCommand;
  /** The sender's stamp; checked again at the book where Q7 says so. */
  readonly stamp: RequestStamp;
  /** The caller's rate limit reading at its arrival, for the answer's headers. */
  readonly rate: RateReading | null;
  /** A cancel reached the book before it (Q21): it never lands. */
  canceled: boolean;
  /** Set when it reaches the book. */
  reply: Reply | null;
}

/**
 * `later`: the request is on its way to the book (Q7); `collect` has the answer from `dueAt` on, by the caller's clock.
 * Only creates wait, and only with a `matchingLagMs`.
 */
export type Answer =
  | { readonly kind: 'now'; readonly response: PaperResponse }
  | { readonly kind: 'later'; readonly create: CreateInFlight; readonly dueAt: EpochMs };

/** An acknowledged cancel that has not happened. */
interface CancelInFlight {
  readonly kind: 'cancel';
  readonly dueAt: EpochMs;
  readonly command: CancelCommand;
}

export interface InFlight {
  /** In order of `dueAt`; at the same moment in order of arrival. */
  readonly waiting: (CreateInFlight | CancelInFlight)[];
}

/** Most requests in flight; one more create gets -5013, one more cancel -5014. */
export const WAITING_MAX = 10_000;
/** Puts a request in flight; `false` when there is no room. */
export function depart(inFlight: InFlight, item: CreateInFlight | CancelInFlight): boolean {
  const { waiting } = inFlight;
  if (waiting.length >= WAITING_MAX) return false;
  waiting.splice(waiting.findLastIndex(({ dueAt }) => dueAt <= item.dueAt) + 1, 0, item);
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

// Stop orders of the owner, which no client can create: they wait outside the book, with their money set aside.

/** Plain JSON. */
export interface WaitingOrder {
  readonly orderId: EngineOrderId;
  readonly account: AccountName;
  readonly symbol: InstrumentSymbol;
  readonly side: Side;
  readonly type: 'STOP_LIMIT' | 'STOP_MARKET';
  /** The price of a STOP_LIMIT order; 0 for a STOP_MARKET order. */
  readonly price: Ticks;
  readonly stopPrice: Ticks;
  readonly quantity: Lots;
  /** Stamped by the exchange's own clock. */
  readonly createdAt: EpochMs;
}

/** A row of the open-orders list: LIMIT where it names no type (specification 2.12). */
export type ListedOrder = EngineOrder & { readonly type?: WaitingOrder['type'] };

/** A buy at or above its stop price, a sell at or below it. */
export function isCrossed({ side, stopPrice }: Pick<WaitingOrder, 'side' | 'stopPrice'>, price: Ticks): boolean {
  return side === 'buy' ? price >= stopPrice : price <= stopPrice;
}
