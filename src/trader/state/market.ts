// One configured market: the session's reads, its derived knowledge, and its decision.
import type { Decimal } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import type { IntentId } from '../../domain/ids.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import type { OrderRequest, Quote, Slot } from '../../domain/order.ts';
import type { OrderBook } from '../../domain/order-book.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { Estimates } from '../../estimates/estimate.ts';
import { type MarketEstimates, NO_ESTIMATES } from '../../estimates/estimators.ts';
import type { Span } from '../../history/coverage.ts';
import type { SpotTradesQuestion } from '../../history/lists.ts';
import type { HistoryState } from '../../history/state.ts';
import type { Amount, Value } from '../../ledger/amount.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Pnl } from '../../ledger/pnl.ts';
import type { Coin } from '../../quoting/inventory.ts';
import type { Action } from '../../quoting/moves/diff.ts';
import type { QuotingResult } from '../../quoting/pipeline/pipeline.ts';
import type { Lock } from '../../quoting/protection-settings.ts';
import type { ReferenceSource } from '../../quoting/reference-price.ts';
import type { Approved } from '../../quoting/risk/risk.ts';
import type { DenyCode } from '../../quoting/risk/risk-context.ts';
import {
  type ExternalPrice,
  type Holding,
  type Knowledge,
  type MarketView,
  type Needs,
  NO_KNOWLEDGE,
  type TradesSeen,
} from '../../quoting/strategy.ts';
import { askNeeds, type KeptMemory, type NeedsAnswer, startMemory } from '../../quoting/strategy-call/ask-strategy.ts';
import type { StrategyFailure } from '../../quoting/strategy-call/read-answer.ts';
import type { ExternalReading } from '../../reference/combine.ts';
import type { StopProof } from '../durable/hold-events.ts';
import type { Intent } from '../durable/intent.ts';
import type { TradesCursor } from '../durable/market.ts';
import type { Fence } from './seen.ts';
import type { RunSettings } from './settings.ts';
import {
  type BookSurface,
  type OpenOrdersSurface,
  type Surface,
  startBook,
  startOpenOrders,
  startSurface,
  startTrades,
  type TradesSurface,
} from './surfaces.ts';
import { type SymbolTime, startTime } from './time-account.ts';

export interface WantedCreate {
  readonly slot: Slot;
  readonly quote: Quote;
  /** The slot's order that stays until the new one is on the book; null if the slot is free. */
  readonly replaces: IntentId | null;
}

/** Until pending cancels are proved closed. */
export interface WaitsForRoom {
  /** One sentence. */
  readonly why: string;
  /**
   * The other orders that share the room: those of its level, of its side of the symbol, those that spend the same
   * asset, or all of the account.
   */
  readonly sharedBy: 'level' | 'side' | 'asset' | 'all';
}

/** A create that the risk gate denied, or an invalid quote. */
export interface Denied {
  readonly code: DenyCode | 'strategy-quote';
  /** One sentence. */
  readonly message: string;
}

/** Never changed once it is made. */
export interface Decision {
  readonly version: number;
  readonly at: EpochMs;
  /** Afterward it must be renewed even if nothing was observed: ages count. */
  readonly validUntil: EpochMs;
  /** Why nothing new may be placed, one sentence; null when quoting. */
  readonly reason: string | null;
  readonly view: MarketView | null;
  /** Null when quoting was not allowed. */
  readonly result: QuotingResult | null;
  /** How the strategy failed; null if it did not. */
  readonly failure: StrategyFailure | null;
  /** The action for each live order and wanted quote; empty where quoting was not allowed. */
  readonly actions: readonly Action[];
  /** Creates that may begin now, in their order. */
  readonly creates: readonly WantedCreate[];
  readonly cancels: readonly { readonly intentId: IntentId; readonly why: string }[];
  /** Orders that the risk gate approved, by slot. */
  readonly approved: ReadonlyMap<Slot, Approved<OrderRequest>>;
  /** Slots whose create has no room because of pending cancels. */
  readonly waiting: ReadonlyMap<Slot, WaitsForRoom>;
  /** Slots whose create was denied: not asked again before a change. */
  readonly denied: ReadonlyMap<string, Denied>;
}

// Cached decision inputs of one symbol. A changed source invalidates them, not the passing of time.

/**
 * Everything that decision inputs are computed from, in addition to the settings. The same values (the objects
 * themselves) give the same inputs. Closed own orders are not needed: a closing order leaves `own`, and later bookings
 * change the ledger.
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
  /** What live orders reserve of base and quote. */
  readonly reserved: ReadonlyMap<Asset, Amount>;
  /** The exchange's clock minus ours: it shifts the times of own fills. */
  readonly offsetMs: DurationMs;
  /** `MarketKnowledge.version`. */
  readonly knowledgeVersion: number;
  /** Markets whose books the strategy needs and whose own price is not trusted. */
  readonly doubted: readonly InstrumentSymbol[];
  /** Coins of the portfolio: how much of them is held or bid for moves the symbol's target and bound. */
  readonly coins: readonly Coin[];
  /** Replaced as a whole. */
  readonly lockedByOthers: ReadonlyMap<Asset, Decimal>;
  /** How many orders are in question: own fills of such an order lose their slot. */
  readonly questioned: number;
  /** Replaced when the price changes; its age grows by itself. */
  readonly external: ExternalAt | null;
  /** Replaced when one is set or removed. */
  readonly locks: readonly Lock[];
}

export interface DecisionInputs {
  readonly source: DecisionSources;
  /** The book without quantities that may be ours; `null` before the first. */
  readonly book: OrderBook | null;
  /** In quote per base; `null` if the book has none. */
  readonly referencePrice: Decimal | null;
  readonly base: Holding;
  readonly quote: Holding;
  readonly knowledge: Knowledge;
  /** In base; `null` without a reference price. */
  readonly inventoryTarget: Decimal | null;
}

// A symbol's external price between two updates.

/** The combined price at `at`, with its age then. */
export interface ExternalAt {
  readonly price: ExternalPrice;
  readonly at: EpochMs;
}

export interface MarketKnowledge {
  readonly needs: Needs;
  /** Rises with every change of a strategy's data that ledger, orders and its own book don't show. */
  version: number;
  /** The read of public trades. */
  readonly tradesRead: Surface;
  /** Null before the first page. */
  trades: TradesSeen | null;
  /** Books and public trades as the estimators keep them, */
  noted: MarketEstimates;
  /** and the resulting estimates when the last of them was read. */
  estimates: Estimates;
  /** The strategy's memory, or how its update failed. */
  memory: KeptMemory;
}

const NO_NEEDS: Needs = {};

/** The reads that a run needs besides its book; none if the strategy fails to state them. */
export const needsOf = (run: RunSettings): Needs => readsFor(askNeeds(run.strategy, run.params), run);

const readsFor = (asked: NeedsAnswer, { referenceSource }: RunSettings): Needs =>
  withReference(asked.kind === 'strategy-failed' ? NO_NEEDS : asked.needs, referenceSource);

/** Asks the strategy for its needs, and begins its memory. If either fails, the first decision halts the symbol. */
function startKnowledge(run: RunSettings): MarketKnowledge {
  const asked = askNeeds(run.strategy, run.params);
  return {
    needs: readsFor(asked, run),
    version: 0,
    tradesRead: startSurface(),
    trades: null,
    noted: NO_ESTIMATES,
    estimates: NO_KNOWLEDGE.estimates,
    memory: asked.kind === 'strategy-failed' ? asked : startMemory(run.strategy, run.params),
  };
}

/** A reference price may need to be read as well. */
export const withReference = (needs: Needs, source: ReferenceSource): Needs =>
  source === 'lastTrade' ? { ...needs, trades: true } : needs;

/** Books that a strategy needs for symbols without a run, by symbol. */
export function startOtherBooks(
  markets: ReadonlyMap<InstrumentSymbol, { readonly knowledge: MarketKnowledge }>,
): ReadonlyMap<InstrumentSymbol, BookSurface> {
  const needed = [...markets.values()].flatMap(({ knowledge }) => knowledge.needs.books ?? []);
  return new Map(needed.filter((symbol) => !markets.has(symbol)).map((symbol) => [symbol, startBook()]));
}

// Progress of reading own trades to the end.

/** Owned by the trader's state and changed in place. */
export interface Backfill {
  /** The stretch behind the cursor that a late-trade scan reads; null: reading goes on from the cursor. */
  readonly lateScan: Span | null;
  reading: HistoryState<Fill, SpotTradesQuestion>;
  /** When its first page left, by our clock: a complete reading holds the exchange's state of that time. */
  firstSentAt: EpochMs | null;
  /** Released rows that are not booked yet: a create is in flight (F13). */
  waiting: readonly Fill[];
}

/** An unbroken row of books far from the last good price. */
interface PriceJump {
  /** The first and the last of them, by request time. */
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** The price of the last of them. */
  readonly price: Decimal;
  /** Whether people were notified of its beginning. */
  readonly isNotified: boolean;
}

/** `float`: the nearest float of the price, for statistics. */
interface ReferenceAt {
  readonly at: EpochMs;
  readonly price: Decimal;
  readonly float: number;
}

/** The root mean square of the changes of the reference price, and the mean time between the two prices of each. */
export interface PriceTravel {
  readonly bps: number;
  readonly overMs: DurationMs;
}

/** Owned linearly, like the state that holds it. */
export interface Market {
  readonly symbol: InstrumentSymbol;
  /** Replaced as a whole when its parameters are revised. */
  run: RunSettings;
  readonly book: BookSurface;
  readonly openOrders: OpenOrdersSurface;
  readonly trades: TradesSurface;
  /** Rises with every change that a decision depends on. */
  version: number;
  decision: Decision | null;
  /** Inputs of the last decision; `decisionInputsOf` checks whether they are still valid. */
  inputs: DecisionInputs | null;
  /** The last reading of other exchanges; null if there is none. */
  externalReading: ExternalReading | null;
  /** The price from that reading, renewed as it ages. */
  external: ExternalAt | null;
  /** Reference prices of the last minutes, oldest first, for the collar's second leg. */
  readonly references: ReferenceAt[];
  /** How far they travel while a move is on its way; null until computed for the last of them. */
  travel: PriceTravel | null;
  /** Creates that the exchange refused for one reason, ignoring unsent ones between them. */
  rejects: { kind: string; inARow: number; restUntil: EpochMs };
  /** Until then an unwinding order only rests: the exchange has refused one that would take. */
  takesFrom: EpochMs;
  /** Creates that did not leave this machine: they prove nothing about the exchange's answer. */
  unsent: { inARow: number; restUntil: EpochMs };
  /** The last reference price that was near the one before it. */
  lastGoodReference: Decimal | null;
  /** When its book was requested. */
  lastGoodAt: EpochMs | null;
  /** Stated by a person while no book had a price: the first one is compared with it, and nothing is valued at it. */
  statedReference: Decimal | null;
  /**
   * A reference price from an hour or days ago: too old to compare with, but good enough to reveal a slipped decimal.
   */
  oldReference: Decimal | null;
  /** Before the first good one: a reference that no second book has confirmed yet. */
  firstReference: { readonly price: Decimal; readonly bookSentAt: EpochMs } | null;
  /** Null while the market is near the last good price (F61, F62). */
  jump: PriceJump | null;
  /** Slots whose quote was invalid in the last decision: people are notified of each once, when it begins. */
  flawedSlots: ReadonlySet<string>;
  /** The last profit computed for the loss limits, and its inputs; null before the first. */
  profit: { readonly pnl: Pnl; readonly price: Decimal | null; readonly total: Value } | null;
  /** The last cancel of all its orders at once; null before the first. */
  fence: Fence | null;
  /** After this no create can be newly accepted, by our clock; 0 if none has left. */
  lastHorizon: EpochMs;
  /** While it is to be opened: the newest own trade seen, and all of them by id and side. */
  openingCursor: TradesCursor | null;
  readonly tradesBefore: Set<string>;
  /** Set while its own trades are read to the end, because a page does not reach back to the known ones. */
  backfill: Backfill | null;
  /** The stop's clean reads of own orders so far; null before it. */
  stopProof: StopProof | null;
  /** Why nothing is quoted here while the exchange's list of markets lacks it; null otherwise. */
  unavailable: string | null;
  /** Further market data for its strategy. */
  readonly knowledge: MarketKnowledge;
  /** Time in the market in this session, by the presence of each side. */
  readonly presence: SymbolTime;
  /** Counts of denials and halts in this session, by code. */
  readonly denialCounts: Map<string, number>;
  readonly haltCounts: Map<string, number>;
}

export const noRejects = (): Market['rejects'] => ({ kind: '', inARow: 0, restUntil: 0 });

/** `tradesKnownTo`: venue time of the last own trade in the journal; null if there is none. */
export function startMarket(
  run: RunSettings,
  { now, tradesKnownTo }: { readonly now: EpochMs; readonly tradesKnownTo: EpochMs | null },
): Market {
  return {
    symbol: run.instrument.symbol,
    run,
    book: startBook(),
    openOrders: startOpenOrders(),
    trades: startTrades(tradesKnownTo),
    version: 0,
    decision: null,
    inputs: null,
    externalReading: null,
    external: null,
    references: [],
    travel: null,
    rejects: noRejects(),
    takesFrom: 0,
    unsent: { inARow: 0, restUntil: 0 },
    lastGoodReference: null,
    statedReference: null,
    lastGoodAt: null,
    oldReference: null,
    firstReference: null,
    jump: null,
    flawedSlots: new Set(),
    profit: null,
    fence: null,
    lastHorizon: 0,
    openingCursor: null,
    tradesBefore: new Set(),
    backfill: null,
    stopProof: null,
    unavailable: null,
    knowledge: startKnowledge(run),
    presence: startTime(now),
    denialCounts: new Map(),
    haltCounts: new Map(),
  };
}
