// Our own orders as quoting sees them: what is, or may be, on the book.
import type { Decimal } from '../domain/decimal.ts';
import type { IntentId } from '../domain/ids.ts';
import type { Side, Slot } from '../domain/order.ts';
import type { EpochMs } from '../domain/time.ts';

export interface LiveOrder {
  readonly intentId: IntentId;
  readonly slot: Slot;
  readonly side: Side;
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** Quantity less booked fills, in base. */
  readonly remaining: Decimal;
  /**
   * What of `remaining` counts as exposure; all where it is left out. Less only for an order that is gone and not yet
   * counted.
   */
  readonly exposed?: Decimal;
  readonly sentAt: EpochMs;
  /**
   * `open`: the venue named it and nothing says that it is gone. `pending`: sent, unknown, being canceled or gone by
   * itself: it may be live, its slot is taken, and nothing but resolution may be done with it. `leaving`: its cancel
   * was acknowledged, or a complete list that was sent after the cancel lacks it. It does not take its slot any more,
   * and counts as live everywhere else until it is proved closed. `doubtful`: the same of one whose create has no
   * answer and that a first look did not find.
   */
  readonly status: 'open' | 'pending' | 'leaving' | 'doubtful';
}

export const isDoubtful = ({ status }: LiveOrder): boolean => status === 'doubtful';

/** Whether another order may be placed in its slot. */
export const leavesSlotFree = ({ status }: LiveOrder): boolean => status === 'leaving' || status === 'doubtful';
