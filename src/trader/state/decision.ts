// What should be on the book for one symbol, as decided at one moment.
import type { Decimal } from '../../domain/decimal.ts';
import type { IntentId } from '../../domain/ids.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import type { OrderRequest, Quote, Slot } from '../../domain/order.ts';
import type { OrderBook } from '../../domain/order-book.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Coin } from '../../quoting/inventory.ts';
import type { Action } from '../../quoting/moves/diff.ts';
import type { QuotingResult } from '../../quoting/pipeline/pipeline.ts';
import type { Lock } from '../../quoting/protection-settings.ts';
import type { Approved } from '../../quoting/risk/risk.ts';
import type { DenyCode } from '../../quoting/risk/risk-context.ts';
import type { ExternalPrice, Holding, Knowledge, MarketView } from '../../quoting/strategy.ts';
import type { StrategyFailure } from '../../quoting/strategy-call/read-answer.ts';
import type { Intent } from '../durable/intent.ts';

export interface WantedCreate {
  readonly slot: Slot;
  readonly quote: Quote;
  /** The order in the slot that stays until the new one is on the book; null where the slot is free. */
  readonly replaces: IntentId | null;
}

/** Until orders that leave are proved closed. */
export interface WaitsForRoom {
  /** One sentence. */
  readonly why: string;
  /**
   * Which orders could take the room as well: those of its level, those of its side of the symbol, those that spend the
   * same asset, or all of the account.
   */
  readonly sharedBy: 'level' | 'side' | 'asset' | 'all';
}

/** A create that the risk gate does not let through, or a quote that is none. */
export interface Denied {
  readonly code: DenyCode | 'strategy-quote';
  /** One sentence. */
  readonly message: string;
}

/** Made once and only read afterward. */
export interface Decision {
  readonly version: number;
  readonly at: EpochMs;
  /** Afterwards it must be made again even if nothing was observed: ages count. */
  readonly validUntil: EpochMs;
  /** Why nothing new may be placed, one sentence; null when quoting. */
  readonly reason: string | null;
  readonly view: MarketView | null;
  /** Null when quoting was not allowed. */
  readonly result: QuotingResult | null;
  /** What the strategy failed with. */
  readonly failure: StrategyFailure | null;
  /** What is to be done about each live order and each wanted quote; empty where quoting was not allowed. */
  readonly actions: readonly Action[];
  /** Those that may begin now, in their order. */
  readonly creates: readonly WantedCreate[];
  readonly cancels: readonly { readonly intentId: IntentId; readonly why: string }[];
  /** What leaves for the creates that the risk gate lets through. */
  readonly approved: ReadonlyMap<Slot, Approved<OrderRequest>>;
  /** Slots whose create has no room beside orders that leave. */
  readonly waiting: ReadonlyMap<Slot, WaitsForRoom>;
  /** Slots whose create was denied: not asked again before something changes. */
  readonly denied: ReadonlyMap<string, Denied>;
}

// Cached decision inputs of one symbol. They are invalidated when a source changes, not by time passing.

/**
 * All that decision inputs are computed from, beside the settings. The same values (the objects themselves) give the
 * same inputs. Own orders that are closed are not needed: one that closes leaves `own`, and what is booked of it later
 * changes the ledger.
 */
export interface DecisionSources {
  /** As it was read. */
  readonly readBook: OrderBook | null;
  /** When the request for it left. */
  readonly bookSentAt: EpochMs | null;
  /** Intents of the symbol that are not closed. */
  readonly own: readonly Intent[];
  /** Immutable. */
  readonly ledger: Ledger;
  /** The exchange's clock less ours: times of own fills are moved by it. */
  readonly offsetMs: DurationMs;
  /** `MarketKnowledge.version`. */
  readonly knowledgeVersion: number;
  /** Of the books that the strategy needs, those of markets whose own price is not trusted. */
  readonly doubted: readonly InstrumentSymbol[];
  /** Of the portfolio: with more or less held or bid for of these, the symbol's target and bound are others. */
  readonly coins: readonly Coin[];
  /** Replaced as a whole. */
  readonly lockedByOthers: ReadonlyMap<Asset, Decimal>;
  /** Replaced when the price is another one; its age grows by itself. */
  readonly external: ExternalAt | null;
  /** Replaced when one is set or removed. */
  readonly locks: readonly Lock[];
}

export interface DecisionInputs {
  readonly source: DecisionSources;
  /** The book without what of it may be ours; `null` before the first. */
  readonly book: OrderBook | null;
  /** In quote per base; `null` where the book has none. */
  readonly referencePrice: Decimal | null;
  readonly base: Holding;
  readonly quote: Holding;
  readonly knowledge: Knowledge;
  /** In base; `null` without a reference price. */
  readonly inventoryTarget: Decimal | null;
}

// The external price of a symbol, as it is kept between two news of it.

/** What came out of the sources at `at`, with its age then. */
export interface ExternalAt {
  readonly price: ExternalPrice;
  readonly at: EpochMs;
}
