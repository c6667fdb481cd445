// Cached decision inputs of one symbol. They are invalidated when a source changes, not by time passing.
import type { Decimal } from '../../domain/decimal.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import type { OrderBook } from '../../domain/order-book.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { Amount } from '../../ledger/amount.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Coin } from '../../quoting/inventory.ts';
import type { Lock } from '../../quoting/protection-settings.ts';
import type { Holding, Knowledge } from '../../quoting/strategy.ts';
import type { Intent } from '../durable/intent.ts';
import type { ExternalAt } from './external.ts';

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
  /** What trades that wait to be booked moved. */
  readonly movedUnbooked: ReadonlyMap<Asset, Amount>;
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
