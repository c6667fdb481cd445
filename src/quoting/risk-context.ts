// What the risk gate knows when it is asked about an order: plain data, delivered whole by whoever sends.
import type { Decimal } from '../domain/decimal.ts';
import type { Instrument, InstrumentSymbol } from '../domain/instrument.ts';
import type { OrderRequest } from '../domain/order.ts';
import type { OrderBook } from '../domain/order-book.ts';
import type { Slot } from '../domain/quote.ts';
import type { EpochMs } from '../domain/time.ts';
import type { LiveOrder } from './live-order.ts';
import type { Limits } from './risk-limits.ts';
import type { Costs, Holding } from './strategy.ts';

/** ACTIVE: all orders. REDUCING: only sales of base that is held. HALTED: none. Cancels are always allowed. */
export type TradingMode = 'ACTIVE' | 'REDUCING' | 'HALTED';

/** Over all symbols, this one included, in the quote asset of this symbol. */
export interface Totals {
  /** Σ price × remaining of orders that are or may be live. */
  readonly openNotional: Decimal;
  readonly openOrders: number;
}

/**
 * Orders count from the moment they are chosen: `orders`, `totals` and the holdings must hold what was chosen before in
 * the same breath, what is in flight and what is unknown. Where a value is `null`, missing, zero or not finite the gate
 * denies: it has no fallback.
 */
export interface RiskContext {
  readonly now: EpochMs;
  readonly mode: TradingMode;
  /** The durable kill latch, read for this order. */
  readonly killLatched: boolean;
  readonly configuredSymbols: readonly InstrumentSymbol[];
  readonly limits: Limits;
  readonly instrument: Instrument;
  /** The freshest book of the symbol, with or without our own orders. */
  readonly book: OrderBook | null;
  /** When the request for that book left. */
  readonly bookSentAt: EpochMs | null;
  readonly referencePrice: Decimal | null;
  /** The reference of the last decision that passed every check of the market's data; `null` until a second book bears out the first. */
  readonly lastGoodReference: Decimal | null;
  /** The reference some minutes ago; right after the start the first good one. */
  readonly recentReference: Decimal | null;
  /** Own orders of the symbol that are or may be live. */
  readonly orders: readonly LiveOrder[];
  /** Orders of others on the same account in this symbol (the owner's own). */
  readonly foreignOpenOrders: number;
  readonly totals: Totals;
  readonly base: Holding;
  readonly quote: Holding;
  readonly costs: Costs;
}

/** One code per check of order-truth §10; its number stands behind it. */
export type DenyCode =
  | 'kill-latch'
  | 'state' // 15
  | 'symbol' // 16
  | 'limits' // a limit that is missing, zero or not finite
  | 'steps' // 11
  | 'order-quantity' // 1
  | 'order-notional' // 2
  | 'reference' // 4
  | 'collar' // 3
  | 'marketable' // 13
  | 'slot' // at most one order that may be live per slot
  | 'duplicate' // 9
  | 'self-cross' // 12
  | 'inventory' // 5
  | 'open-orders' // 6
  | 'funds'; // 10

export interface Denial {
  readonly kind: 'denied';
  readonly code: DenyCode;
  /** A sentence that carries the values. */
  readonly message: string;
}

/** The order under judgement. */
export interface Proposal {
  readonly request: OrderRequest;
  readonly slot: Slot;
}

/** `null`: nothing against the order. */
export type Check = (proposal: Proposal, context: RiskContext) => Denial | null;

export const deny = (code: DenyCode, message: string): Denial => ({ kind: 'denied', code, message });
