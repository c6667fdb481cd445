// What the risk gate knows when it is asked about an order: plain data, delivered whole by whoever sends.
import type { Decimal } from '../../domain/decimal.ts';
import type { IntentId } from '../../domain/ids.ts';
import type { Instrument, InstrumentSymbol } from '../../domain/instrument.ts';
import type { OrderRequest, Slot } from '../../domain/order.ts';
import type { OrderBook } from '../../domain/order-book.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { InventoryRange } from '../inventory.ts';
import type { LiveOrder } from '../live-order.ts';
import type { QuotingSettings } from '../quoting-settings.ts';
import type { Costs, Holding } from '../strategy.ts';
import type { Limits, MessageRateLimits } from './risk-limits.ts';

/** ACTIVE: all orders. REDUCING: only sales of base that is held. HALTED: none. Cancels are always allowed. */
type TradingMode = 'ACTIVE' | 'REDUCING' | 'HALTED';

/** Over all symbols, this one included, in the quote asset of this symbol. */
export interface Totals {
  /** Σ price × remaining of orders that are or may be live. */
  readonly openNotional: Decimal;
  readonly openOrders: number;
}

/** What orders may yet do to an asset, as their base or as their quote. In units of the asset. */
export interface AssetMoves {
  readonly more: Decimal;
  readonly less: Decimal;
}

/** The quote of a symbol that is the base of others: their bounds hold for what is bought and sold with it, too. */
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
 * Orders count from the moment they are chosen: `orders`, `totals` and the holdings must hold what was chosen before in
 * the same breath, what is in flight and what is unknown. Where a value is `null`, missing, zero or not finite the gate
 * denies: it has no fallback.
 */
export interface RiskContext {
  readonly now: EpochMs;
  readonly mode: TradingMode;
  /** The durable kill latch, read for this order. */
  readonly killLatched: boolean;
  /** What halted the symbol until a person resumes it; `null` while nothing did. */
  readonly halt: Halt | null;
  readonly configuredSymbols: readonly InstrumentSymbol[];
  /** Those of the symbol; of inventory bounds and reserves the tightest that any symbol has for the asset. */
  readonly limits: Limits;
  readonly instrument: Instrument;
  /** The freshest book of the symbol as it was read, our own orders in it. */
  readonly book: OrderBook | null;
  /** When the request for that book left. */
  readonly bookSentAt: EpochMs | null;
  /** No order is sent on an older one. */
  readonly bookMaxAgeMs: DurationMs;
  readonly referencePrice: Decimal | null;
  /**
   * The reference of the last decision that passed every check of the market's data; `null` until a second book bears
   * out the first.
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
  /** `null` where the quote is the base of no symbol. */
  readonly quoteAsBase: QuoteAsBase | null;
  /** `quoting.budget` of the symbol: for its own orders, beside the limits. */
  readonly budget: QuotingSettings['budget'];
  /** The same of `quoting.inventory` and the portfolio, for whatever moves the base. */
  readonly inventoryRange: InventoryRange;
  readonly base: Holding;
  readonly quote: Holding;
  readonly costs: Costs;
  /** Over all symbols, cancels included. */
  readonly messages: MessageCounts;
  readonly messageLimits: MessageRateLimits;
}

/** What halts a symbol until a person resumes it. Limits of order-truth §10 have their numbers behind them. */
export const HALT_CODES = [
  'order-in-question', // an order may be the bot's, or is not what the exchange named it for
  'create-unproved', // what became of a create could not be proved in time
  'create-refused', // the exchange refused an order for a reason that repeating it can't change
  'answers-untrue', // the exchange did what its answers denied, or its lists trail by more than is assumed
  'price-jump', // the price jumped and stayed
  'trade-changed', // a booked trade was changed or taken back, fills more than was asked for, or can't be booked
  'trades-gap', // own trades may be missing
  'not-alone', // somebody else's order or trade on an account that is the bot's alone
  'journal-stale', // the account shows orders or trades that an old journal does not know
  'message-rate', // 7
  'repeated-fills', // 8
  'loss-session', // 14
  'loss-day', // 14
  'loss-drawdown', // 14
  'strategy-error', // the strategy threw, or returned what is no list of quotes
] as const;

export type HaltCode = (typeof HALT_CODES)[number];

export interface Halt {
  readonly code: HaltCode;
  /** A sentence that carries the values. */
  readonly reason: string;
  /** With the code it tells one halt from another. */
  readonly since: EpochMs;
}

/** One code per check of order-truth §10; its number stands behind it. */
export const DENY_CODES = [
  'kill-latch',
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

/** The order under judgement. */
export interface Proposal {
  readonly request: OrderRequest;
  readonly slot: Slot;
  /** The order in the slot that is canceled once this one is on the book; left out where the slot is to be free. */
  readonly replaces?: IntentId | null;
}

/** `null`: nothing against the order. */
export type Check = (proposal: Proposal, context: RiskContext) => Denial | null;

export const deny = (code: DenyCode, message: string): Denial => ({ kind: 'denied', code, message });
