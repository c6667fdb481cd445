// The strategy interface: a function from a view of the market to wanted quotes, with its reasons.
import type { ZodType } from 'zod';
import type { Decimal } from '../domain/decimal.ts';
import type { Liquidity, PublicTrade } from '../domain/fill.ts';
import type { Asset, Instrument, InstrumentSymbol } from '../domain/instrument.ts';
import type { Quote, Side, Slot } from '../domain/order.ts';
import type { OrderBook } from '../domain/order-book.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import { type Estimates, nothingKnown } from '../estimates/estimate.ts';
import type { Lock } from './protection-settings.ts';

/** One step toward a quote. Values are for people: plain decimals, or a short word. */
export interface Step {
  readonly name: string;
  /** The quote that the line is about; absent if it is about all of them. */
  readonly slot?: Slot;
  readonly before: string;
  readonly after: string;
  readonly why: string;
}

/** Wanted quotes, not yet rounded or limited, and their reasons. If the list is empty, `explain` says why. */
export interface QuoteSet {
  readonly quotes: readonly Quote[];
  readonly explain: readonly Step[];
  /** Why a side has no quote, as a sentence, if the strategy has a more specific reason. */
  readonly noQuote?: { readonly [S in Side]?: string };
}

/** Costs of an order (quoting.md §3). Ratios of the notional. */
export interface Costs {
  readonly makerFeeRatio: Decimal;
  readonly takerFeeRatio: Decimal;
  /** Withheld from the proceeds of each sale. */
  readonly tdsRatio: Decimal;
  /** The part of it that is a cost: t_eff. */
  readonly effectiveTaxRatio: Decimal;
}

/** The bot's holdings of one asset by its ledger, in units of the asset. */
export interface Holding {
  readonly asset: Asset;
  /** Free and reserved together. */
  readonly total: Decimal;
  /** Not reserved by live or possibly live orders. */
  readonly free: Decimal;
}

/**
 * Everything a strategy may know, each part as of the moment it names. The view is frozen: a strategy that changes it
 * fails.
 */
export interface MarketView extends Knowledge {
  readonly symbol: InstrumentSymbol;
  readonly instrument: Instrument;
  readonly now: EpochMs;
  /** Without our own resting orders. Two-sided and uncrossed. */
  readonly book: OrderBook;
  /** When the request for the book left, by our clock: the book may be this old. */
  readonly bookSentAt: EpochMs;
  /** The price that quotes center on, in quote per base. */
  readonly referencePrice: Decimal;
  readonly base: Holding;
  readonly quote: Holding;
  /** Target base. */
  readonly inventoryTarget: Decimal;
  readonly costs: Costs;
}

/** Market events for a strategy with a memory. */
export type MarketEvent =
  /** Its book was read; own orders are removed. */
  | ({ readonly kind: 'book' } & BookSeen)
  /** A page of public trades was read; `trades` are the new ones. */
  | ({ readonly kind: 'trades' } & TradesSeen);

/**
 * A strategy's memory between decisions. It starts fresh with each process: anything that must survive a restart
 * belongs in parameters. Own fills are in `view.ownFills`.
 */
export interface StrategyMemory<Params, Memory> {
  start(params: Params): Memory;
  /** The memory after the event. It must not change the given one. */
  reduce(memory: Memory, event: MarketEvent, params: Params): Memory;
}

export interface Strategy<Params = unknown, Memory = unknown> {
  readonly name: string;
  /** Shape, defaults and descriptions of the parameters; used to check the configuration. */
  readonly params: ZodType<Params>;
  /** True if the strategy skews its own sizes by inventory: the pipeline then leaves them alone. */
  readonly ownsInventory?: boolean;
  /**
   * Why it can't quote this market with these parameters at all, as a sentence that names the parameter; null if it
   * can. Called before anything is sent. Absent: it can.
   */
  whyUnfit?(params: Params, instrument: Instrument): string | null;
  /** Data to read for it in addition to its own book. Absent: none. */
  needs?(params: Params): Needs;
  /** Absent: `quote` gets `undefined`. */
  readonly memory?: StrategyMemory<Params, Memory>;
  /**
   * True if the quotes depend on nothing but the view, and not on `view.now`: the strategy is then called again only
   * when a part of the view that it read, or an own order, has changed. Absent: it is called for every decision.
   */
  readonly ignoresNow?: boolean;
  /**
   * Its largest distance from the reference price, in basis points of it. An order that rests farther out is no fresh
   * quote where presence is counted. Absent: its outermost wanted quote is the measure.
   */
  widthBps?(params: Params): number;
  quote(view: MarketView, params: Params, memory: Memory): QuoteSet;
}

/** Preserves the type of the parameters in a strategy's definition. */
export function defineStrategy<Params, Memory = undefined>(
  strategy: Strategy<Params, Memory>,
): Strategy<Params, Memory> {
  return strategy;
}

// Data for a strategy in addition to its own book: it declares its needs, the trader reads and keeps the data, and the
// view carries it with its age.

/** Data read only on request. */
export interface Needs {
  /** Public trades of the symbol. The estimates of taker arrivals are made from them. */
  readonly trades?: boolean;
  /** Books of other symbols of the same exchange. */
  readonly books?: readonly InstrumentSymbol[];
  /** Other exchanges' price: the configuration's `reference`. */
  readonly externalPrice?: boolean;
}

/** The last book read. */
export interface BookSeen {
  readonly book: OrderBook;
  /** When the request for it left, by our clock. */
  readonly sentAt: EpochMs;
}

/** Public trades of the symbol, from pages of the last hundred. */
export interface TradesSeen {
  /** The newest of them, oldest first. Their times are by our clock, like `now`. */
  readonly trades: readonly PublicTrade[];
  /** When the request for the last page left, by our clock. */
  readonly sentAt: EpochMs;
  /** True if the last page did not join the previous one: some trades between them are missing. */
  readonly hasGap: boolean;
}

/** One execution of an order of the bot. */
export interface OwnFill {
  readonly side: Side;
  /** Null if the order is no longer known. */
  readonly slot: Slot | null;
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** By our clock, like `now`. */
  readonly at: EpochMs;
  readonly liquidity: Liquidity;
  /** It was the last part of its order, and no cancel had taken any of it. */
  readonly completesOrder: boolean;
}

/** A reference price from the last minutes. */
export interface PastReference {
  readonly at: EpochMs;
  readonly price: Decimal;
}

/** Other exchanges' price. */
export type ExternalPrice =
  | {
      readonly kind: 'known';
      /** In quote per base of this symbol. */
      readonly price: Decimal;
      /** Age of the oldest source included. */
      readonly ageMs: DurationMs;
      /** Number of sources included. */
      readonly sources: number;
      /** The largest distance between two of them, in basis points; 0 with one source. */
      readonly spreadBps: number;
      /** How much wider quotes must be for it: grows with age and disagreement. */
      readonly widenBps: number;
    }
  | { readonly kind: 'unknown'; readonly why: string };

/** The parts of a view apart from book and holdings. */
export interface Knowledge {
  /** The last own fills, oldest first; at most twenty. */
  readonly ownFills: readonly OwnFill[];
  /** Reference prices of the last ten minutes, about five seconds apart, oldest first. */
  readonly references: readonly PastReference[];
  /** The average cost of the base bought by own fills, in quote per base with fees; null where they hold none. */
  readonly averageCost: Decimal | null;
  /** The most base that the account as a whole has room for, with all bids filled; null without a bound. */
  readonly mostBase: Decimal | null;
  /** Null if not needed, or before the first page. */
  readonly trades: TradesSeen | null;
  /**
   * Books of other symbols that the strategy needs and that were read; none in a run whose own price is not trusted.
   */
  readonly books: ReadonlyMap<InstrumentSymbol, BookSeen>;
  readonly estimates: Estimates;
  readonly externalPrice: ExternalPrice;
  /** Locks that stop quoting on one side or both. */
  readonly locks: readonly Lock[];
  /** How much wider quotes must be because the reference price is external and in doubt; 0 for another source. */
  readonly referenceWidenBps: number;
}

const NOT_ASKED = 'Nothing was read yet.';

/** A market with only its book known. */
export const NO_KNOWLEDGE: Knowledge = {
  ownFills: [],
  references: [],
  averageCost: null,
  mostBase: null,
  trades: null,
  books: new Map(),
  estimates: {
    volatilityBpsPerSqrtSecond: nothingKnown(NOT_ASKED),
    intensity: { buy: nothingKnown(NOT_ASKED), sell: nothingKnown(NOT_ASKED) },
  },
  externalPrice: { kind: 'unknown', why: 'No reference is configured.' },
  locks: [],
  referenceWidenBps: 0,
};
