// What should be on the book for one symbol, as decided at one moment.
import type { IntentId } from '../../domain/ids.ts';
import type { Quote, Slot } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Action } from '../../quoting/moves/diff.ts';
import type { QuotingResult } from '../../quoting/pipeline/pipeline.ts';
import type { DenyCode } from '../../quoting/risk/risk-context.ts';
import type { MarketView } from '../../quoting/strategy.ts';
import type { StrategyFailure } from '../../quoting/strategy-call/read-answer.ts';

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

/** Made once and only read afterwards. */
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
  /** Slots whose create has no room beside orders that leave. */
  readonly waiting: ReadonlyMap<Slot, WaitsForRoom>;
  /** Slots whose create was denied: not asked again before something changes. */
  readonly denied: ReadonlyMap<string, Denied>;
}
