// Everything the trader knows. It is owned linearly: functions that take a state change it in place and hand it back;
// the caller must go on with what it got. `durable` is the fold of the journal, the rest is gone with the process.

import type { Decimal } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import type { IntentId, OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import type { Value } from '../../ledger/amount.ts';
import type { Pnl } from '../../ledger/pnl.ts';
import type { Durable } from '../durable/durable.ts';
import { type Flows, noFlows } from '../durable/flows.ts';
import { marketIn, type TradesCursor } from '../durable/market.ts';
import type { Missing } from '../durable/missing.ts';
import type { StopProof } from '../durable/reads.ts';
import type { Absence } from './absence.ts';
import type { Backfill } from './backfill-state.ts';
import type { Basis } from './basis.ts';
import type { CancelAttempt } from './cancel-attempt.ts';
import { type Contact, type ContactLane, type InFlight, startContact } from './contact.ts';
import type { Decision } from './decision.ts';
import { type Lags, type MeasuredLags, startLags } from './lags.ts';
import { emptyReconciliation, type Reconciliation } from './reconciliation.ts';
import type { Fence } from './sent-fence.ts';
import type { RunSettings, TraderSettings } from './settings.ts';
import type { Stray } from './stray.ts';
import { emptySurfaces, type Surfaces } from './surfaces.ts';
import { type SymbolTime, startTime } from './time-account.ts';

export type Phase = 'starting' | 'running' | 'paused' | 'stopping' | 'stopped';

/** An unbroken row of books that are far from the last good price. */
interface PriceJump {
  /** The first and the last of them, by when they were asked for. */
  readonly from: EpochMs;
  readonly to: EpochMs;
  /** That of the last of them. */
  readonly price: Decimal;
  /** Whether the log says that it began. */
  readonly isTold: boolean;
}

/** The root mean square of the changes of the reference price, and the mean time between the two prices of each. */
export interface PriceTravel {
  readonly bps: number;
  readonly overMs: DurationMs;
}

/** What was learned about one symbol in this session. */
export interface SymbolMemory {
  /** Rises with everything that a decision depends on. */
  version: number;
  decision: Decision | null;
  /** What the last decision started from; `basisOf` says whether it still stands. */
  basis: Basis | null;
  /** Reference prices of the last minutes, oldest first, for the collar's second leg. */
  readonly references: { readonly at: EpochMs; readonly price: Decimal }[];
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
  /** A reference price of hours or days ago: too old to compare with, and good enough to tell a slipped decimal. */
  oldReference: Decimal | null;
  /** Before the first good one: a reference that no second book has borne out yet. */
  firstReference: { readonly price: Decimal; readonly bookSentAt: EpochMs } | null;
  /** Null while the market is near the last good price (F61, F62). */
  jump: PriceJump | null;
  /** Slots whose quote could not be one in the last decision: each is told once, when it begins. */
  flawedSlots: ReadonlySet<string>;
  /** Profit as last worked out for the loss limits, and from what; null before the first time. */
  profit: { readonly pnl: Pnl; readonly price: Decimal | null; readonly total: Value } | null;
}

/** How an unknown create was resolved: found in a list, or proved absent; and how long it took from the send. */
export interface Resolution {
  readonly by: 'match' | 'absence';
  readonly seconds: number;
}

/** How many of them are kept. */
const RESOLUTIONS_KEPT = 1_000;

/** A cancel of a whole symbol, on an account that is the bot's alone. */
/** An answer that concerned every private request. */
export interface Refusal {
  /** `keys`: key, permission or clock. */
  readonly kind: 'keys' | 'maintenance';
  readonly message: string;
  /** The exchange's error code. */
  readonly code: number;
  readonly inARow: number;
  /** When it was told last. */
  readonly lastAt: EpochMs;
  /** Reads and creates rest until then. */
  readonly until: EpochMs;
  /** Cancels may leave from then on. */
  readonly cancelsFrom: EpochMs;
}

export interface Listing {
  /** One sentence while the list is waited for: nothing is created before. */
  awaited: string | null;
  /** Configured markets that it lacks, and why nothing is quoted there. */
  readonly unavailable: Map<InstrumentSymbol, string>;
}

/** What was seen in this session of the trades of a market that is to be opened. */
export interface Newcomer {
  /** By id and side: a trade with ourselves is two rows. */
  readonly rows: Map<string, Fill>;
  /** The last page of the whole list was not cut: older ones have left it, or never were. */
  whole: boolean;
}

/** What a session compares the account with. */
export interface JournalAge {
  /** When the last event happened that the journal knew before it was in doubt, by our clock. */
  readonly endedAt: EpochMs;
  readonly endedFlat: boolean;
  /** False where the journal begins: there is nothing to compare. */
  readonly isJudged: boolean;
  /** Orders that the file of own orders names and the journal has never heard of. */
  readonly ownMarks: ReadonlySet<OrderId>;
}

/** By the fold of a journal, before a session adds to it. */
const ageOfJournal = (durable: Durable, ownMarks: ReadonlySet<OrderId>): JournalAge => ({
  endedAt: durable.journal.staleFrom ?? durable.journal.lastEventAt,
  endedFlat: durable.journal.endedFlat,
  isJudged: durable.books.opened,
  ownMarks,
});

export interface KnownClock {
  /** The exchange's clock less ours. */
  readonly offsetMs: DurationMs;
  readonly uncertaintyMs: DurationMs;
  /** Whether the exchange takes signed requests by it. */
  readonly confirmed: boolean;
}

export interface TraderState {
  readonly settings: TraderSettings;
  readonly startedAt: EpochMs;
  /** Whether no order can be open that an earlier session placed: it proved that, or there was none. */
  readonly beganFlat: boolean;
  phase: Phase;
  readonly durable: Durable;
  readonly surfaces: Surfaces;
  readonly memory: Map<InstrumentSymbol, SymbolMemory>;
  readonly cancels: Map<IntentId, CancelAttempt>;
  /** When an own order was last seen in a list that left then. */
  readonly listedAt: Map<IntentId, EpochMs>;
  /** When the first list left that lacked an order for so long that its locks say no more (`locks.ts`). */
  readonly lackedAt: Map<IntentId, EpochMs>;
  /** Creates that were answered with another order's id. */
  readonly misnamed: Set<IntentId>;
  /** Ids of answers that could be another create's: no later create's order has one of them. */
  readonly disbelieved: Set<OrderId>;
  /** How far the proof has come that an unresolved create was never placed. */
  readonly absences: Map<IntentId, Absence>;
  /** Orders of ours that are listed although we hold them for closed: canceled again, which is harmless. */
  readonly strays: Map<OrderId, Stray>;
  /** How many of the last private requests were repeated cancels, in a row. */
  cancelsRepeated: number;
  /** How many requests have left on the private lane in this session. */
  privateTurns: number;
  /** How many reads have left on the private lane since the last create. */
  readsSinceCreate: number;
  /** The last cancel of a whole symbol. */
  readonly fences: Map<InstrumentSymbol, Fence>;
  /** After this no create of the symbol can be newly accepted, by our clock. */
  readonly lastHorizon: Map<InstrumentSymbol, EpochMs>;
  /** The requests that are on their way, by key. */
  readonly inFlight: Map<string, InFlight>;
  readonly reconciliation: Reconciliation;
  /** Of markets that are to be opened: the newest own trade seen of each. */
  readonly openingCursors: Map<InstrumentSymbol, TradesCursor>;
  /** Of the same: all that was seen of them. */
  readonly newcomers: Map<InstrumentSymbol, Newcomer>;
  /** Symbols whose own trades are read to the end, because a page does not reach back to what is known. */
  readonly backfills: Map<InstrumentSymbol, Backfill>;
  readonly flows: Flows;
  /** How far the lists were seen to trail. */
  readonly lags: Lags;
  /** Booked trades that a look back did not show. */
  readonly missing: Map<string, Missing>;
  /** When the journal's last event before this session happened. */
  readonly lastEventBefore: EpochMs;
  /** What shows whether the journal is older than the account. */
  journalAge: JournalAge;
  clock: KnownClock | null;
  /** Whether our clock was compared with that of the session before, by one that the exchange bore out. */
  clockCompared: boolean;
  latched: string | null;
  /** Why quoting is paused, one sentence; null while it is not, and once the bot stops. */
  paused: string | null;
  /** What others say against quoting (a watchdog that is not there, a disk that fills), by who says it. */
  readonly outside: Map<string, string>;
  /** Requests per second that each lane makes at present, as it learned. */
  readonly pace: { public: number; private: number };
  /** A person said that the present differences between wallet and ledger are his: the first found are booked so. */
  acceptDifferences: boolean;
  /** What keeps the private lane from being used as usual: keys, clock or maintenance. */
  refusal: Refusal | null;
  /** What the exchange's list of markets says of ours, as somebody outside read it. */
  readonly listing: Listing;
  /** Whether each lane of the exchange answers. */
  readonly contact: Record<ContactLane, Contact>;
  /** Since when the exchange does not answer, once that was told; null while it does. */
  silenceTold: EpochMs | null;
  /** Nothing is created before orders, trades and wallet were asked for after this moment. */
  reconcileFrom: EpochMs;
  /** Own orders are read symbol by symbol until then: a page for the whole account may have been cut. */
  scopedOrdersUntil: EpochMs;
  /** The stop's clean reads of own orders so far, by symbol. */
  readonly stopProof: Map<InstrumentSymbol, StopProof>;
  stopRequestedAt: EpochMs | null;
  readonly requestCounts: Map<string, number>;
  /** How the last unknown creates were resolved, oldest first, and how many ever were in this session. */
  readonly resolutions: Resolution[];
  resolutionsTotal: number;
  /** When a create last had to wait for room within a minute; null once that is written down. */
  createsWithheldAt: EpochMs | null;
  /** Time in the market in this session, by what held of each side. */
  readonly presence: Map<InstrumentSymbol, SymbolTime>;
  /** What the risk gate denied, and what halted symbols, in this session: counts by `symbol code`. */
  readonly denialCounts: Map<string, number>;
  readonly haltCounts: Map<string, number>;
}

export function createTrader(
  settings: TraderSettings,
  durable: Durable,
  { now, lags }: { readonly now: EpochMs; readonly lags?: MeasuredLags | undefined },
): TraderState {
  const symbols = settings.runs.map((run) => run.instrument.symbol);
  const surfaces = emptySurfaces(symbols);
  for (const [symbol, trades] of surfaces.trades)
    trades.knownAtStart = marketIn(durable, symbol).cursor?.venueTime ?? null;
  return {
    settings,
    startedAt: now,
    beganFlat: durable.orders.intents.size === 0 && (durable.journal.endedFlat || !durable.books.opened),
    phase: 'starting',
    durable,
    surfaces,
    memory: new Map(symbols.map((symbol) => [symbol, emptyMemory()])),
    cancels: new Map(),
    listedAt: new Map(),
    lackedAt: new Map(),
    misnamed: new Set(),
    disbelieved: new Set(),
    absences: new Map(),
    strays: new Map(),
    cancelsRepeated: 0,
    privateTurns: 0,
    readsSinceCreate: 0,
    fences: new Map(),
    lastHorizon: new Map(),
    inFlight: new Map(),
    reconciliation: emptyReconciliation(),
    openingCursors: new Map(),
    newcomers: new Map(),
    backfills: new Map(),
    flows: noFlows(),
    lags: startLags(lags),
    missing: new Map(),
    lastEventBefore: durable.journal.lastEventAt,
    journalAge: ageOfJournal(durable, new Set()),
    clock: null,
    clockCompared: false,
    latched: null,
    outside: new Map(),
    paused: null,
    pace: { ...settings.requestsPerSecond },
    acceptDifferences: false,
    refusal: null,
    contact: { public: startContact(now), private: startContact(now) },
    silenceTold: null,
    listing: { awaited: null, unavailable: new Map() },
    reconcileFrom: 0,
    scopedOrdersUntil: 0,
    stopProof: new Map(),
    stopRequestedAt: null,
    requestCounts: new Map(),
    resolutions: [],
    resolutionsTotal: 0,
    createsWithheldAt: null,
    presence: new Map(symbols.map((symbol) => [symbol, startTime(now)])),
    denialCounts: new Map(),
    haltCounts: new Map(),
  };
}

function emptyMemory(): SymbolMemory {
  return {
    version: 0,
    decision: null,
    basis: null,
    references: [],
    travel: null,
    rejects: { kind: '', inARow: 0, restUntil: 0 },
    unsent: { inARow: 0, restUntil: 0 },
    lastGoodReference: null,
    lastGoodAt: null,
    oldReference: null,
    firstReference: null,
    jump: null,
    flawedSlots: new Set(),
    profit: null,
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

/** One more of this code for this symbol. */
export function countFor(counts: Map<string, number>, symbol: InstrumentSymbol, code: string): void {
  const name = `${symbol} ${code}`;
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

export function noteResolution(state: TraderState, resolution: Resolution): void {
  state.resolutions.push(resolution);
  state.resolutionsTotal += 1;
  if (state.resolutions.length > RESOLUTIONS_KEPT) state.resolutions.shift();
}

/** By how much periodic reads stretch their interval to keep to their share of a lane at its present pace. */
export function stretch(state: TraderState, lane: 'public' | 'private'): number {
  const { polling, readShareRatio } = state.settings;
  const count = state.settings.runs.length;
  const perSecond = (intervalMs: DurationMs): number => 1_000 / intervalMs;
  if (lane === 'public') return Math.max(1, (count * perSecond(polling.bookMs)) / state.pace.public);
  const wanted =
    count * perSecond(polling.openOrdersMs) + count * perSecond(polling.tradesMs) + perSecond(polling.walletMs);
  return Math.max(1, wanted / (state.pace.private * readShareRatio));
}

/**
 * So many requests prove, or explain, what can be proved: two rounds of lists, trades and wallet, where every other
 * turn is a cancel's.
 */
export const REQUESTS_OF_A_PROOF = 24;

/**
 * How long a difference may stay unexplained before it is set aside: as configured, or what the lane needs where it was
 * slowed down by more.
 */
export function deadlineMs({ settings, pace }: TraderState): DurationMs {
  return Math.max(settings.assumptions.resolutionDeadlineMs, (REQUESTS_OF_A_PROOF * SECOND) / pace.private);
}
