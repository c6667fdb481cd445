// One order that we wanted, from before the venue knew of it until nothing about it is open.
import type { Decimal } from '../../domain/decimal.ts';
import type { IntentId, OrderId } from '../../domain/ids.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import type { Side, Slot } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';

/**
 * - `sent`: durable in the journal, the create is on its way or about to be.
 * - `unknown`: may have happened; it counts as exposure, and another order stands in only as `doubtful.ts` says.
 * - `soft-rejected`: said not to have happened (200 `{msg}` or 429); watched until that is proved.
 * - `open`: the venue named it. It may be filled already.
 * - `cancel-sent`: a cancel is on its way or was acknowledged; fills are still possible.
 * - `closing`: gone from a complete list; how much of it filled is not proved yet.
 * - `closed`: nothing about it is open. Terminal.
 */
export type IntentState = 'sent' | 'unknown' | 'soft-rejected' | 'open' | 'cancel-sent' | 'closing' | 'closed';

export type ClosedAs = 'filled' | 'canceled' | 'rejected' | 'not-placed';

export interface Intent {
  readonly intentId: IntentId;
  readonly symbol: InstrumentSymbol;
  readonly slot: Slot;
  readonly side: Side;
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly state: IntentState;
  readonly orderId: OrderId | null;
  /** The intent whose create the exchange took twice: this is its second order (F11). Null for all others. */
  readonly duplicateOf: IntentId | null;
  /** T: the stamp of the create, by the venue's clock as estimated. */
  readonly timestamp: EpochMs;
  /** T + W + ε + Lm by our own clock: after this no copy of the request can be newly accepted (order-truth §2). */
  readonly horizon: EpochMs;
  /** When the state last changed, by our clock. */
  readonly since: EpochMs;
  readonly sentAt: EpochMs;
  /** Σ booked fills, in base. */
  readonly filled: Decimal;
  readonly closedAs: ClosedAs | null;
  /** How far its last cancel has come; `none` again where the order was listed after one that was acknowledged. */
  readonly cancel: 'none' | 'sent' | 'acknowledged';
  /** What the whole order was given to spend when it was sent; amount as plain text. Fills shrink it in proportion. */
  readonly reserve: { readonly asset: Asset; readonly amount: string };
  /** That of the run's parameters by which it was placed; 0 where that is not known. */
  readonly revision: number;
}

/** Whether the order is on the book, may be, or may yet have filled more than we know. */
export function mayBeLive(intent: Intent): boolean {
  return intent.state !== 'closed';
}

/**
 * Whether the order leaves: its cancel was acknowledged, or it was canceled and a complete list sent after that lacks
 * it. It does not take its slot any more, and counts as live in every limit until it is proved closed. What is gone
 * without a cancel of ours has most likely filled: it keeps its slot until its fills are counted.
 */
export function isLeaving({ state, cancel }: Intent): boolean {
  if (state === 'closing') return cancel !== 'none';
  return state === 'cancel-sent' && cancel === 'acknowledged';
}

export function remainingOf(intent: Intent): Decimal {
  return intent.filled.isZero() ? intent.quantity : intent.quantity.sub(intent.filled);
}
