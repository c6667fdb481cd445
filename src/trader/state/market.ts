// A reading of own trades to the end, as far as it has come.
import type { Decimal } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import type { DurationMs, EpochMs } from '../../domain/time.ts';
import type { SpotTradesQuestion } from '../../history/lists.ts';
import type { HistoryState, TimesTarget } from '../../history/state.ts';
import type { Value } from '../../ledger/amount.ts';
import type { Pnl } from '../../ledger/pnl.ts';
import type { ExternalReading } from '../../reference/combine.ts';
import type { StopProof } from '../durable/hold-events.ts';
import type { TradesCursor } from '../durable/market.ts';
import type { Decision, DecisionInputs, ExternalAt } from './decision.ts';
import { type MarketKnowledge, startKnowledge } from './knowledge.ts';
import type { Fence } from './live-order.ts';
import type { RunSettings } from './settings.ts';
import {
  type BookSurface,
  type OpenOrdersSurface,
  startBook,
  startOpenOrders,
  startTrades,
  type TradesSurface,
} from './surfaces.ts';
import { type SymbolTime, startTime } from './time-account.ts';

/** Owned by the trader's state and changed in place. */
export interface Backfill {
  /**
   * The stretch behind the cursor that a late-trade scan reads to its end, as a page of it was cut; null: it is read on
   * from the cursor.
   */
  readonly lateScan: TimesTarget | null;
  reading: HistoryState<Fill, SpotTradesQuestion>;
  /** When its first page left, by our clock: what the exchange showed then is what a complete reading holds. */
  firstSentAt: EpochMs | null;
  /** Rows that were handed out and are not booked: a create is on its way (F13). */
  waiting: readonly Fill[];
}

// One configured market: what a session has read and learned of it, and what it has decided.

/** An unbroken row of books that are far from the last good price. */
interface PriceJump {
  /** The first and the last of them, by when they were asked for. */
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** That of the last of them. */
  readonly price: Decimal;
  /** Whether people were notified that it began. */
  readonly isNotified: boolean;
}

/** `float`: the price's nearest, for statistics. */
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
  /** Replaced as a whole where its parameters are revised. */
  run: RunSettings;
  readonly book: BookSurface;
  readonly openOrders: OpenOrdersSurface;
  readonly trades: TradesSurface;
  /** Rises with everything that a decision depends on. */
  version: number;
  decision: Decision | null;
  /** What the last decision started from; `decisionInputsOf` says whether it is still valid. */
  inputs: DecisionInputs | null;
  /** What other exchanges said last; null where nothing was told. */
  externalReading: ExternalReading | null;
  /** What that comes to; worked out anew as it ages. */
  external: ExternalAt | null;
  /** Reference prices of the last minutes, oldest first, for the collar's second leg. */
  readonly references: ReferenceAt[];
  /** How far they go while a move is on its way; null until it is worked out for the last of them. */
  travel: PriceTravel | null;
  /** Creates that the exchange refused for one reason, whatever did not leave between them. */
  rejects: { kind: string; inARow: number; restUntil: EpochMs };
  /** Creates that did not leave this machine: they say nothing of what the exchange would answer. */
  unsent: { inARow: number; restUntil: EpochMs };
  /** The last reference price that was near the one before it. */
  lastGoodReference: Decimal | null;
  /** When the book that had it was asked for. */
  lastGoodAt: EpochMs | null;
  /** A person stated it while no book had a price: the first one is compared with it, and nothing is valued at it. */
  statedReference: Decimal | null;
  /** A reference price of an hour or days ago: too old to compare with, and good enough to tell a slipped decimal. */
  oldReference: Decimal | null;
  /** Before the first good one: a reference that no second book has confirmed yet. */
  firstReference: { readonly price: Decimal; readonly bookSentAt: EpochMs } | null;
  /** Null while the market is near the last good price (F61, F62). */
  jump: PriceJump | null;
  /** Slots whose quote could not be one in the last decision: people are notified of each once, when it begins. */
  flawedSlots: ReadonlySet<string>;
  /** Profit as last worked out for the loss limits, and from what; null before the first time. */
  profit: { readonly pnl: Pnl; readonly price: Decimal | null; readonly total: Value } | null;
  /** The last cancel of all its orders at once; null before the first. */
  fence: Fence | null;
  /** After this no create can be newly accepted, by our clock; 0 where none has left. */
  lastHorizon: EpochMs;
  /** While it is to be opened: the newest own trade that was seen, and all of them by id and side. */
  openingCursor: TradesCursor | null;
  readonly tradesBefore: Set<string>;
  /** Set while its own trades are read to the end, because a page does not reach back to what is known. */
  backfill: Backfill | null;
  /** The stop's clean reads of own orders so far; null before it. */
  stopProof: StopProof | null;
  /** Why nothing is quoted here, where the exchange's list of markets lacks it; null else. */
  unavailable: string | null;
  /** What its strategy is told beside all this. */
  readonly knowledge: MarketKnowledge;
  /** Time in the market in this session, by what held of each side. */
  readonly presence: SymbolTime;
  /** What the risk gate denied, and what halted it, in this session: counts by code. */
  readonly denialCounts: Map<string, number>;
  readonly haltCounts: Map<string, number>;
}

export const noRejects = (): Market['rejects'] => ({ kind: '', inARow: 0, restUntil: 0 });

/** `tradesKnownTo`: venue time of the last own trade that the journal knows; null where it knows none. */
export function startMarket(
  run: RunSettings,
  { now, tradesKnownTo }: { readonly now: EpochMs; readonly tradesKnownTo: EpochMs | null },
): Market {
  return {
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
