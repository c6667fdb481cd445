// A wanted price and quantity on one side: not yet an order.
import type { Decimal } from './decimal.ts';
import type { Side } from './order.ts';

export interface Quote {
  readonly side: Side;
  /** 0 is the innermost. With the side it names the slot: at most one live order per slot. */
  readonly level: number;
  readonly price: Decimal;
  readonly quantity: Decimal;
}

/** `buy:0`, `sell:2` …: the place of one quote of one symbol. */
export type Slot = `${Side}:${number}`;

export const slotOf = (quote: Pick<Quote, 'side' | 'level'>): Slot => `${quote.side}:${quote.level}`;
