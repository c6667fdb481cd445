// Everything the trader knows. It is owned linearly: functions that take a state change it in place and hand it back; the caller
// must go on with what it got. `durable` is the fold of the journal, the rest is gone with the process.
import type { Decimal } from '../domain/decimal.ts';
import type { IntentId, OrderId } from '../domain/ids.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { DurationMs, EpochMs } from '../domain/time.ts';
import type { Decision } from './decision.ts';
import type { Durable, TradesCursor } from './durable.ts';
import { emptyReconciliation, type Reconciliation } from './reconciliation.ts';
import type { RunSettings, TraderSettings } from './settings.ts';
import { emptySurfaces, type Surfaces } from './surfaces.ts';

export type Phase = 'starting' | 'running' | 'paused' | 'stopping' | 'stopped';

/** What is known of a cancel beside the intent's state. */
export interface CancelAttempt {
  sentAt: EpochMs;
  /** Null while it is in flight. */
  answeredAt: EpochMs | null;
  /** The venue said that it took the cancel; false means that it must be sent again if the order is still listed. */
  acknowledged: boolean;
  attempts: number;
}

/** What was learned about one symbol in this session. */
export interface SymbolMemory {
  /** Rises with everything that a decision depends on. */
  version: number;
  decision: Decision | null;
  /** Reference prices of the last minutes, oldest first, for the collar's second leg. */
  readonly references: { readonly at: EpochMs; readonly price: Decimal }[];
  rejects: { kind: string; inARow: number; restUntil: EpochMs };
  lastDenied: { readonly code: string; readonly message: string } | null;
  /** The last reference price that was near the one before it, and since when the present one is not (F61, F62). */
  lastGoodReference: Decimal | null;
  /** Before the first good one: a reference that no second book has borne out yet. */
  firstReference: { readonly price: Decimal; readonly bookSentAt: EpochMs } | null;
  jumpSince: EpochMs | null;
}

export interface TraderState {
  readonly settings: TraderSettings;
  readonly startedAt: EpochMs;
  phase: Phase;
  readonly durable: Durable;
  readonly surfaces: Surfaces;
  readonly memory: Map<InstrumentSymbol, SymbolMemory>;
  readonly cancels: Map<IntentId, CancelAttempt>;
  /** When an own order was last seen in a list that left then. */
  readonly listedAt: Map<IntentId, EpochMs>;
  /** Orders of ours that are listed although we hold them for closed: cancelled again, which is harmless. */
  readonly strays: Map<OrderId, { readonly symbol: InstrumentSymbol; sentAt: EpochMs | null }>;
  /** Keys of the requests that are on their way. */
  readonly inFlight: Set<string>;
  readonly reconciliation: Reconciliation;
  /** Before the opening: the newest own trade seen of each symbol. */
  readonly openingCursors: Map<InstrumentSymbol, TradesCursor>;
  clock: { readonly offsetMs: number; readonly uncertaintyMs: number } | null;
  latched: string | null;
  /** A person took the present differences between wallet and ledger for his own doing: the first ones found are booked as his. */
  acceptDifferences: boolean;
  /** The private lane rests until then after a refusal that concerns every request (keys, clock). */
  refusal: { readonly message: string; readonly inARow: number; readonly until: EpochMs } | null;
  /** Own orders are read symbol by symbol until then: a page for the whole account may have been cut. */
  scopedOrdersUntil: EpochMs;
  /** The stop's clean reads of own orders so far, by symbol. */
  readonly stopProof: Map<InstrumentSymbol, { firstSentAt: EpochMs | null; done: boolean; asked: boolean }>;
  stopRequestedAt: EpochMs | null;
  readonly requestCounts: Map<string, number>;
  readonly resolutionSeconds: number[];
}

export function createTrader(settings: TraderSettings, durable: Durable, now: EpochMs): TraderState {
  const symbols = settings.runs.map((run) => run.instrument.symbol);
  return {
    settings,
    startedAt: now,
    phase: 'starting',
    durable,
    surfaces: emptySurfaces(symbols),
    memory: new Map(symbols.map((symbol) => [symbol, emptyMemory()])),
    cancels: new Map(),
    listedAt: new Map(),
    strays: new Map(),
    inFlight: new Set(),
    reconciliation: emptyReconciliation(),
    openingCursors: new Map(),
    clock: null,
    latched: null,
    acceptDifferences: false,
    refusal: null,
    scopedOrdersUntil: 0,
    stopProof: new Map(),
    stopRequestedAt: null,
    requestCounts: new Map(),
    resolutionSeconds: [],
  };
}

function emptyMemory(): SymbolMemory {
  return {
    version: 0,
    decision: null,
    references: [],
    rejects: { kind: '', inARow: 0, restUntil: 0 },
    lastDenied: null,
    lastGoodReference: null,
    firstReference: null,
    jumpSince: null,
  };
}

export function runOf(state: TraderState, symbol: InstrumentSymbol): RunSettings {
  const run = state.settings.runs.find((each) => each.instrument.symbol === symbol);
  invariant(run !== undefined, `Symbol ${symbol} is not configured.`);
  return run;
}

export function symbolsOf(state: TraderState): readonly InstrumentSymbol[] {
  return state.settings.runs.map((run) => run.instrument.symbol);
}

export function memoryOf(state: TraderState, symbol: InstrumentSymbol): SymbolMemory {
  const memory = state.memory.get(symbol);
  invariant(memory !== undefined, `Symbol ${symbol} is not configured.`);
  return memory;
}

/** One of the surfaces that exist per symbol. */
export function surfaceOf<T>(surfaces: ReadonlyMap<InstrumentSymbol, T>, symbol: InstrumentSymbol): T {
  const surface = surfaces.get(symbol);
  invariant(surface !== undefined, `Symbol ${symbol} is not configured.`);
  return surface;
}

/** Makes the next decision about a symbol (or about all) start afresh. */
export function touch(state: TraderState, symbol?: InstrumentSymbol): void {
  if (symbol !== undefined) memoryOf(state, symbol).version += 1;
  else for (const memory of state.memory.values()) memory.version += 1;
}

/** How much longer than configured an interval must be for periodic reads to keep to their share of a lane. */
export function stretch(state: TraderState, lane: 'public' | 'private'): number {
  const { polling, requestsPerSecond, readShareRatio } = state.settings;
  const count = state.settings.runs.length;
  const perSecond = (intervalMs: DurationMs): number => 1_000 / intervalMs;
  if (lane === 'public') return Math.max(1, (count * perSecond(polling.bookMs)) / requestsPerSecond.public);
  const wanted =
    count * perSecond(polling.openOrdersMs) + count * perSecond(polling.tradesMs) + perSecond(polling.walletMs);
  return Math.max(1, wanted / (requestsPerSecond.private * readShareRatio));
}
