// What a strategy is: a function from a view of the market to wanted quotes, with its reasons.
import type { ZodType } from 'zod';
import type { Decimal } from '../domain/decimal.ts';
import type { Asset, Instrument, InstrumentSymbol } from '../domain/instrument.ts';
import type { OrderBook } from '../domain/order-book.ts';
import type { Quote, Slot } from '../domain/quote.ts';
import type { EpochMs } from '../domain/time.ts';

/** One step of the way to a quote. Values are for people: plain decimals, or a short word. */
export interface Step {
  readonly name: string;
  /** The quote that the line is about; absent where it is about all of them. */
  readonly slot?: Slot;
  readonly before: string;
  readonly after: string;
  readonly why: string;
}

/** Wanted quotes, not yet rounded or limited, and how they came about. An empty list says why in `explain`. */
export interface QuoteSet {
  readonly quotes: readonly Quote[];
  readonly explain: readonly Step[];
}

/** What an order costs here (quoting.md §3). Ratios of the notional. */
export interface Costs {
  readonly makerFeeRatio: Decimal;
  readonly takerFeeRatio: Decimal;
  /** Withheld from the proceeds of each sale. */
  readonly tdsRatio: Decimal;
  /** The part of it that is a cost: t_eff. */
  readonly effectiveTaxRatio: Decimal;
}

/** The bot's holdings of one asset as its ledger knows them, in units of the asset. */
export interface Holding {
  readonly asset: Asset;
  /** Free and reserved together. */
  readonly total: Decimal;
  /** Not reserved by orders that are or may be live. */
  readonly free: Decimal;
}

/** Everything a strategy may know. All of it is true as of the moments it names. */
export interface MarketView {
  readonly symbol: InstrumentSymbol;
  readonly instrument: Instrument;
  readonly now: EpochMs;
  /** Without our own resting orders. Two-sided and uncrossed. */
  readonly book: OrderBook;
  /** When the request for the book left, by our clock: the book may be this old. */
  readonly bookSentAt: EpochMs;
  /** What quotes centre on, in quote per base. */
  readonly referencePrice: Decimal;
  readonly base: Holding;
  readonly quote: Holding;
  /** Base that we want to hold. */
  readonly inventoryTarget: Decimal;
  readonly costs: Costs;
}

export interface Strategy<Params = unknown> {
  readonly name: string;
  /** Shape, defaults and descriptions of the parameters; the configuration is checked with it. */
  readonly params: ZodType<Params>;
  /** True when the strategy leans its own sizes with inventory: the pipeline then leaves them alone. */
  readonly ownsInventory?: boolean;
  /**
   * True when the quotes do not depend on `view.now`: the strategy is then asked again only when something else in the
   * view has changed. Left out, it is asked at every decision.
   */
  readonly ignoresNow?: boolean;
  /**
   * How far from the reference price it quotes at the most, in basis points of it. An order that rests farther out is
   * no fresh quote where presence is counted. Left out, its outermost wanted quote is the measure.
   */
  widthBps?(params: Params): number;
  quote(view: MarketView, params: Params): QuoteSet;
}

/** Keeps the type of the parameters while a strategy is written down. */
export function defineStrategy<Params>(strategy: Strategy<Params>): Strategy<Params> {
  return strategy;
}
