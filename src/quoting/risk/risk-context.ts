// The risk gate's knowledge about an order: plain data, complete from the sender.
import type { Decimal } from '../../domain/decimal.ts';
import type { IntentId } from '../../domain/ids.ts';
import type { Instrument, InstrumentSymbol } from '../../domain/instrument.ts';
import type { OrderRequest, Slot } from '../../domain/order.ts';
import type { OrderBook } from '../../domain/order-book.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import { HALT_CODES, type Halt, type Unwinding } from '../block.ts';
import type { InventoryRange } from '../inventory.ts';
import type { LiveOrder } from '../live-order.ts';
import type { QuotingSettings } from '../quoting-settings.ts';
import type { Costs, Holding } from '../strategy.ts';
import type { Limits, MessageRateLimits } from './risk-limits.ts';

/** Over all symbols, this one included, in the quote asset of this symbol. */
export interface Totals {
  /** Σ price × remaining of live or possibly live orders. */
  readonly openNotional: Decimal;
  readonly openOrders: number;
}

/** How far open orders may yet move an asset, as their base or as their quote. In units of the asset. */
export interface AssetMoves {
  readonly more: Decimal;
  readonly less: Decimal;
}

/** The quote of a symbol that is the base of others: their bounds apply to buys and sells paid with it, too. */
export interface QuoteAsBase {
  readonly most: Decimal;
  readonly least: Decimal;
  /** By orders of all symbols, this one included. */
  readonly moves: AssetMoves;
}

/** Creates and cancels that have left within the last second, the last minute, and since midnight UTC. */
export interface MessageCounts {
  readonly inSecond: number;
  readonly inMinute: number;
  readonly today: number;
}

/**
 * Orders count from the moment they are chosen: `orders`, `totals` and the holdings must include orders chosen earlier
 * in the same turn, in flight, or unknown. Where a value is `null`, missing, zero or not finite the gate denies: it has
 * no fallback.
 */
export interface RiskContext {
  readonly now: EpochMs;
  /** False while the bot starts, is paused or stops. Cancels are always allowed. */
  readonly isRunning: boolean;
  /** The durable kill latch, read for this order. */
  readonly killLatched: boolean;
  /** The halt of the symbol until a person resumes it; `null` without one. */
  readonly halt: Halt | null;
  /** The way back to the target that a halted market still has; `null` if it holds. */
  readonly unwinding: Unwinding | null;
  readonly configuredSymbols: readonly InstrumentSymbol[];
  /** The symbol's limits; for inventory bounds and reserves the tightest that any symbol has for the asset. */
  readonly limits: Limits;
  readonly instrument: Instrument;
  /** The freshest book of the symbol as read, including our own orders. */
  readonly book: OrderBook | null;
  /** When the request for that book left. */
  readonly bookSentAt: EpochMs | null;
  /** No order is sent on an older book. */
  readonly bookMaxAgeMs: DurationMs;
  readonly referencePrice: Decimal | null;
  /**
   * The reference of the last decision that passed every check of market data; `null` until a second book confirms the
   * first.
   */
  readonly lastGoodReference: Decimal | null;
  /** The reference some minutes ago; right after the start the first good one. */
  readonly recentReference: Decimal | null;
  /** Own orders of the symbol that are or may be live. */
  readonly orders: readonly LiveOrder[];
  /** Orders of others on the same account in this symbol (the owner's own). */
  readonly foreignOpenOrders: number;
  readonly totals: Totals;
  /** By orders of other symbols. */
  readonly baseInOtherMarkets: AssetMoves;
  /** `null` if the quote is the base of no symbol. */
  readonly quoteAsBase: QuoteAsBase | null;
  /** `quoting.budget` of the symbol: for its own orders, in addition to the limits. */
  readonly budget: QuotingSettings['budget'];
  /** The same for `quoting.inventory` and the portfolio, for anything that moves the base. */
  readonly inventoryRange: InventoryRange;
  readonly base: Holding;
  readonly quote: Holding;
  readonly costs: Costs;
  /** Over all symbols, cancels included. */
  readonly messages: MessageCounts;
  readonly messageLimits: MessageRateLimits;
}

/** One code per check of the gate; the comment gives the number of its rule in docs/risk.md. */
export const DENY_CODES = [
  'latched',
  ...HALT_CODES, // 7, 8, 14
  'state', // 15
  'symbol', // 16
  'limits', // a limit that is missing, zero or not finite
  'steps', // 11
  'order-quantity', // 1
  'order-notional', // 2
  'reference', // 4
  'collar', // 3
  'marketable', // 13
  'slot', // at most one order that may be live per slot
  'duplicate', // 9
  'self-cross', // 12
  'inventory', // 5
  'open-orders', // 6
  'budget', // what the bids, or the asks, of the symbol may lock
  'funds', // 10
] as const;

export type DenyCode = (typeof DENY_CODES)[number];

export interface Denial {
  readonly kind: 'denied';
  readonly code: DenyCode;
  /** A sentence that carries the values. */
  readonly message: string;
}

/** The order to judge. */
export interface Proposal {
  readonly request: OrderRequest;
  readonly slot: Slot;
  /** The order in the slot to cancel once this one is on the book; absent where the slot must be free. */
  readonly replaces?: IntentId | null;
}

/** `null`: no objection to the order. */
export type Check = (proposal: Proposal, context: RiskContext) => Denial | null;

export const deny = (code: DenyCode, message: string): Denial => ({ kind: 'denied', code, message });
