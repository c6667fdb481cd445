// What a strategy may know beyond its own book: it says what it needs, the trader reads and keeps it, and the view
// brings it with its age.
import type { Decimal } from '../domain/decimal.ts';
import type { Liquidity, PublicTrade } from '../domain/fill.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { Side, Slot } from '../domain/order.ts';
import type { OrderBook } from '../domain/order-book.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import { type Estimates, nothingKnown } from '../estimates/estimate.ts';
import type { Lock } from './lock.ts';

/** What is read only where somebody needs it. */
export interface Needs {
  /** Public trades of the symbol. The estimates of how takers arrive are made of them. */
  readonly trades?: boolean;
  /** Books of other symbols of the same exchange. */
  readonly books?: readonly InstrumentSymbol[];
  /** The price that other exchanges make: the configuration's `reference`. */
  readonly externalPrice?: boolean;
}

/** A book as it was last read. */
export interface BookSeen {
  readonly book: OrderBook;
  /** When the request for it left, by our clock. */
  readonly sentAt: EpochMs;
}

/** Public trades of the symbol, as pages of the last hundred showed them. */
export interface TradesSeen {
  /** The newest of them, oldest first. Their times are by our clock, as `now` is. */
  readonly trades: readonly PublicTrade[];
  /** When the request for the last page left, by our clock. */
  readonly sentAt: EpochMs;
  /** True where the last page did not join the one before it: some trades between them were never seen. */
  readonly hasGap: boolean;
}

/** One execution of an order of the bot's. */
export interface OwnFill {
  readonly side: Side;
  /** Null where the order is not known any more. */
  readonly slot: Slot | null;
  readonly price: Decimal;
  readonly quantity: Decimal;
  /** By our clock, as `now` is. */
  readonly at: EpochMs;
  readonly liquidity: Liquidity;
  /** It was the last part of its order, and no cancel had taken anything of that. */
  readonly completesOrder: boolean;
}

/** A reference price of the last minutes. */
export interface PastReference {
  readonly at: EpochMs;
  readonly price: Decimal;
}

/** The price that other exchanges make. */
export type ExternalPrice =
  | {
      readonly kind: 'known';
      /** In quote per base of this symbol. */
      readonly price: Decimal;
      /** Of the oldest source that is in it. */
      readonly ageMs: DurationMs;
      /** How many sources are in it. */
      readonly sources: number;
      /** The largest distance between two of them, in basis points; 0 with one source. */
      readonly spreadBps: number;
      /** By how much quotes must be wider for that: grows with age and disagreement. */
      readonly widenBps: number;
    }
  | { readonly kind: 'unknown'; readonly why: string };

/** Everything that a view brings beside book and holdings. */
export interface Knowledge {
  /** The last own fills, oldest first; at most twenty. */
  readonly ownFills: readonly OwnFill[];
  /** Reference prices of the last ten minutes, about five seconds apart, oldest first. */
  readonly references: readonly PastReference[];
  /**
   * What the base that own fills bought has cost on average, in quote per base with fees; null where they hold none.
   */
  readonly averageCost: Decimal | null;
  /** The most base that the account as a whole leaves room for, with all bids filled; null where it sets no bound. */
  readonly mostBase: Decimal | null;
  /** Null where nobody needs them, or before the first page. */
  readonly trades: TradesSeen | null;
  /**
   * Those of other symbols that the strategy needs and that were read; none of a run whose own price is not trusted.
   */
  readonly books: ReadonlyMap<InstrumentSymbol, BookSeen>;
  readonly estimates: Estimates;
  readonly externalPrice: ExternalPrice;
  /** What keeps a side, or both, from being quoted now. */
  readonly locks: readonly Lock[];
  /** By how much quotes must be wider because the reference price is external and in doubt; 0 for another source. */
  readonly referenceWidenBps: number;
}

const NOT_ASKED = 'Nothing was read yet.';

/** A market of which nothing but the book is known. */
export const NO_KNOWLEDGE: Knowledge = {
  ownFills: [],
  references: [],
  averageCost: null,
  mostBase: null,
  trades: null,
  books: new Map(),
  estimates: {
    volatilityBpsPerSqrtSecond: nothingKnown(NOT_ASKED),
    tradesPerSecond: nothingKnown(NOT_ASKED),
    intensity: { buy: nothingKnown(NOT_ASKED), sell: nothingKnown(NOT_ASKED) },
  },
  externalPrice: { kind: 'unknown', why: 'No reference is configured.' },
  locks: [],
  referenceWidenBps: 0,
};
