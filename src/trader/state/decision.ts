// What should be on the book for one symbol, as decided at one moment.
import type { IntentId } from '../../domain/ids.ts';
import type { Quote, Slot } from '../../domain/quote.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { QuotingResult } from '../../quoting/pipeline/pipeline.ts';
import type { DenyCode } from '../../quoting/risk/risk-context.ts';
import type { MarketView } from '../../quoting/strategy.ts';

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
  readonly creates: readonly WantedCreate[];
  readonly cancels: readonly { readonly intentId: IntentId; readonly why: string }[];
  /** Slots whose create has no room beside orders that leave. */
  readonly waiting: Map<Slot, WaitsForRoom>;
  /**
   * Slots whose create the risk gate denied, or whose quote was none, with its code: not asked again before something
   * changes.
   */
  readonly denied: Map<string, DenyCode | 'strategy-quote'>;
}
