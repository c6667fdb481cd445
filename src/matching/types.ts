// The terms of the matching engine. Prices are whole ticks, quantities whole lots, balances whole units of
// 10^-decimals.
import type { Decimal } from '../domain/decimal.ts';
import type { Asset, Instrument, InstrumentSymbol } from '../domain/instrument.ts';
import type { Side } from '../domain/order.ts';
import type { EpochMs } from '../domain/time.ts';

declare const unit: unique symbol;
/** A price as a whole number of tick sizes. */
export type Ticks = number & { readonly [unit]: 'ticks' };
/** A quantity as a whole number of lot sizes. */
export type Lots = number & { readonly [unit]: 'lots' };
/** An amount of an asset in its smallest unit, 10^-decimals. */
export type Units = bigint;

/** The owner of an order. */
export type AccountName = string;
/** `1-<n>-1`. */
export type EngineOrderId = string;

export interface EngineSettings {
  readonly instruments: readonly Instrument[];
  /** Decimals of the smallest unit of every asset, at least those of tick × lot of each instrument. */
  readonly assetDecimals: number;
  /** Fee as a ratio of the notional, tax on the fee included. */
  readonly makerFeeRatio: Decimal;
  readonly takerFeeRatio: Decimal;
  /** Tax withheld from the seller's proceeds, as a ratio of the notional, in quote. */
  readonly tdsRatio: Decimal;
  /** Rounding of fee and tax to the smallest unit (Q11). */
  readonly rounding: 'half-up' | 'floor';
  /** The asset in which the buyer pays the fee; the seller always pays in quote. */
  readonly buyerFeeAsset: 'quote' | 'base';
  /** How an account's trade with itself is handled (Q10). */
  readonly selfTrade: 'allow' | 'reject' | 'cancel-resting';
  /** Whether an order that would cross takes liquidity or is refused (Q9). */
  readonly crossing: 'takes' | 'rejected';
  /** First number of an order id and of a trade id; may exceed 2^53 (Q20). */
  readonly firstOrderNumber: bigint;
  readonly firstTradeNumber: bigint;
}

export type CreateCommand = Extract<EngineCommand, { kind: 'create' }>;

export type EngineCommand =
  /**
   * `unlimited` accounts (the crowd) may go below zero, without a minimum notional. Their balances still count in the
   * conservation of each asset.
   */
  | { readonly kind: 'open-account'; readonly account: AccountName; readonly unlimited: boolean }
  /**
   * Moves free balances of several accounts at once, the internal ones included: all postings, or none where a limited
   * account would go below zero. A sum other than zero comes from outside or goes there.
   */
  | { readonly kind: 'post'; readonly postings: readonly Posting[] }
  /** Takes the next order number for an order that waits outside the book, for a later `create`. */
  | { readonly kind: 'take-number'; readonly account: AccountName }
  | {
      readonly kind: 'create';
      readonly account: AccountName;
      readonly symbol: InstrumentSymbol;
      readonly side: Side;
      readonly price: Ticks;
      readonly quantity: Lots;
      /**
       * The part that does not match at once is dropped instead of resting. The HTTP interface never sets it; the crowd
       * may, and orders of the owner.
       */
      readonly immediateOrCancel?: boolean;
      /** The order's id, with a number given out before; refused while an order of this id rests. */
      readonly orderId?: EngineOrderId;
    }
  | { readonly kind: 'cancel'; readonly account: AccountName; readonly orderId: EngineOrderId }
  | { readonly kind: 'cancel-symbol'; readonly account: AccountName; readonly symbol: InstrumentSymbol }
  | { readonly kind: 'cancel-all'; readonly account: AccountName }
  /** Removes quantity from the back of a resting order without losing its place. Only the crowd does this. */
  | { readonly kind: 'reduce'; readonly account: AccountName; readonly orderId: EngineOrderId; readonly by: Lots }
  /** Puts a resting order behind all others at its price. Only the crowd does this, to orders of others. */
  | { readonly kind: 'requeue'; readonly account: AccountName; readonly orderId: EngineOrderId };

/** One change of a free balance; negative amounts reduce it. */
export interface Posting {
  readonly account: AccountName;
  readonly asset: Asset;
  readonly amount: Units;
}

export type Refusal =
  | 'unknown-account'
  | 'unknown-symbol'
  | 'unknown-order'
  | 'insufficient-funds'
  | 'below-min-notional'
  | 'invalid-price'
  | 'invalid-quantity'
  | 'would-cross'
  | 'self-trade';

export interface EngineOrder {
  readonly orderId: EngineOrderId;
  readonly account: AccountName;
  readonly symbol: InstrumentSymbol;
  readonly side: Side;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly remaining: Lots;
  readonly createdAt: EpochMs;
}

export interface EngineTrade {
  /** Decimal digits, rising. */
  readonly tradeId: string;
  readonly symbol: InstrumentSymbol;
  readonly price: Ticks;
  readonly quantity: Lots;
  /** price × quantity in units of the quote asset, exact. */
  readonly notional: Units;
  readonly makerSide: Side;
  readonly makerOrderId: EngineOrderId;
  readonly makerAccount: AccountName;
  readonly makerFee: { readonly asset: Asset; readonly amount: Units };
  readonly takerOrderId: EngineOrderId;
  readonly takerAccount: AccountName;
  readonly takerFee: { readonly asset: Asset; readonly amount: Units };
  /** Tax withheld from the seller, in units of the quote asset. */
  readonly tds: Units;
  readonly at: EpochMs;
}

export type EngineEvent =
  | { readonly kind: 'accepted'; readonly order: EngineOrder }
  | { readonly kind: 'refused'; readonly reason: Refusal; readonly detail: string }
  | { readonly kind: 'numbered'; readonly orderId: EngineOrderId }
  | { readonly kind: 'trade'; readonly trade: EngineTrade }
  /** An order left the book with `remaining` unfilled (cancel, immediate-or-cancel, self-trade). */
  | { readonly kind: 'canceled'; readonly orderId: EngineOrderId; readonly remaining: Lots };

export interface AccountBalance {
  readonly free: Units;
  /** Reserved by resting orders. */
  readonly locked: Units;
}

// The engine's readable state: the paper exchange answers from it, the crowd acts on it.

export interface BookLevel {
  readonly price: Ticks;
  readonly quantity: Lots;
}

export interface MarketReader {
  instrument(symbol: InstrumentSymbol): Instrument | undefined;
  /** At most `depth` levels from the best outward. */
  levels(symbol: InstrumentSymbol, side: Side, depth: number): readonly BookLevel[];
  /** Best price of a side, or `undefined` when it is empty. */
  best(symbol: InstrumentSymbol, side: Side): BookLevel | undefined;
  /** The resting orders at one price in order of priority. */
  queue(symbol: InstrumentSymbol, side: Side, price: Ticks): readonly EngineOrder[];
  order(orderId: EngineOrderId): EngineOrder | undefined;
  /** Resting orders of an account, oldest first. */
  ordersOf(account: AccountName, symbol?: InstrumentSymbol): readonly EngineOrder[];
  balance(account: AccountName, asset: Asset): AccountBalance;
  lastTrade(symbol: InstrumentSymbol): EngineTrade | undefined;
}
