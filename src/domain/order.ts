// Orders as the venue lists them.
import type { Decimal } from './decimal.ts';
import type { OrderId } from './ids.ts';
import type { InstrumentSymbol } from './instrument.ts';
import type { EpochMs } from './time.ts';

export type Side = 'buy' | 'sell';

export const opposite = (side: Side): Side => (side === 'buy' ? 'sell' : 'buy');

/** One row of the open-orders list (specification 2.12). Quantities in base, price in quote per base. */
export interface OpenOrder {
  readonly symbol: InstrumentSymbol;
  readonly orderId: OrderId;
  readonly side: Side;
  readonly type: 'limit' | 'market' | 'stop-limit' | 'stop-market' | 'other';
  /** As submitted; zero for market orders. */
  readonly price: Decimal;
  readonly originalQuantity: Decimal;
  readonly executedQuantity: Decimal;
  readonly remainingQuantity: Decimal;
  /** The venue's word, as written. */
  readonly status: string;
  readonly venueTime: EpochMs;
}

/** The fields of a LIMIT order, the only type that the venue lets a client create. */
export interface OrderRequest {
  readonly symbol: InstrumentSymbol;
  readonly side: Side;
  readonly price: Decimal;
  readonly quantity: Decimal;
}

// A wanted price and quantity on one side: not yet an order.

export interface Quote {
  readonly side: Side;
  /** 0 is the innermost. Side and level identify the slot: at most one live order per slot. */
  readonly level: number;
  readonly price: Decimal;
  readonly quantity: Decimal;
}

/** `buy:0`, `sell:2` …: the place of one quote of one symbol. */
export type Slot = `${Side}:${number}`;

export const slotOf = (quote: Pick<Quote, 'side' | 'level'>): Slot => `${quote.side}:${quote.level}`;
