// What a strategy is: a function from a view of the market to wanted quotes, with its reasons.
import type { ZodType } from 'zod';
import type { Decimal } from '../domain/decimal.ts';
import type { Asset, Instrument, InstrumentSymbol } from '../domain/instrument.ts';
import type { Quote, Side, Slot } from '../domain/order.ts';
import type { OrderBook } from '../domain/order-book.ts';
import type { EpochMs } from '../domain/time.ts';
import type { BookSeen, Knowledge, Needs, OwnFill, TradesSeen } from './knowledge.ts';

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
  /** Why a side has none, as a sentence, where the strategy knows more than that it wants none. */
  readonly noQuote?: { readonly [S in Side]?: string };
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

/**
 * Everything a strategy may know. All of it is true as of the moments it names. What is handed over is a copy: nobody
 * else sees what a strategy does with it.
 */
export interface MarketView extends Knowledge {
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

/** What happened in the market of a strategy that has a memory. */
export type MarketEvent =
  /** Its book was read; own orders are taken out of it. */
  | ({ readonly kind: 'book' } & BookSeen)
  /** A page of public trades was read, of which `trades` are new. */
  | ({ readonly kind: 'trades' } & TradesSeen)
  | { readonly kind: 'own-fill'; readonly fill: OwnFill };

/**
 * What a strategy keeps between decisions. It begins anew with each process, with the own fills of `view.ownFills`:
 * what must outlast a restart belongs into parameters.
 */
export interface StrategyMemory<Params, Memory> {
  start(params: Params): Memory;
  /** The memory after the event. It must not change the one that it was given. */
  reduce(memory: Memory, event: MarketEvent, params: Params): Memory;
}

export interface Strategy<Params = unknown, Memory = unknown> {
  readonly name: string;
  /** Shape, defaults and descriptions of the parameters; the configuration is checked with it. */
  readonly params: ZodType<Params>;
  /** True when the strategy leans its own sizes with inventory: the pipeline then leaves them alone. */
  readonly ownsInventory?: boolean;
  /**
   * Why it can't quote this market with these parameters at all, as a sentence that names the parameter; null where it
   * can. Asked before anything is sent. Left out: it can.
   */
  whyUnfit?(params: Params, instrument: Instrument): string | null;
  /** What is read for it beyond its own book. Left out: nothing. */
  needs?(params: Params): Needs;
  /** Left out: `quote` gets `undefined`. */
  readonly memory?: StrategyMemory<Params, Memory>;
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
  quote(view: MarketView, params: Params, memory: Memory): QuoteSet;
}

/** Keeps the type of the parameters while a strategy is written down. */
export function defineStrategy<Params, Memory = undefined>(
  strategy: Strategy<Params, Memory>,
): Strategy<Params, Memory> {
  return strategy;
}
