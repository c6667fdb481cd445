// Everything the trader knows. It is owned linearly: functions that take a state change it in place and hand it back;
// the caller must go on with what it got. `durable` is the fold of the journal, the rest is gone with the process.

import type { IntentId, OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { OpenOrder } from '../../domain/order.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import type { Durable } from '../durable/durable.ts';
import { type Flows, noFlows } from '../durable/flows.ts';
import type { Missing } from '../durable/missing.ts';
import { type Contact, type ContactLane, type InFlight, startContact } from './contact.ts';
import { type Lags, type MeasuredLags, startLags } from './lags.ts';
import type { LiveOrder } from './live-order.ts';
import { type Market, startMarket } from './market.ts';
import { emptyReconciliation, type Reconciliation } from './reconciliation.ts';
import type { RunSettings, TraderSettings } from './settings.ts';
import type { Stray } from './stray.ts';
import { startWallet, type WalletSurface } from './surfaces.ts';

export type Phase = 'starting' | 'running' | 'paused' | 'stopping' | 'stopped';

/** How an unknown create was resolved: found in a list, or proved absent; and how long it took from the send. */
export interface Resolution {
  readonly by: 'match' | 'absence';
  readonly seconds: number;
}

/** How many of them are kept. */
const RESOLUTIONS_KEPT = 1_000;

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
  endedAt: durable.staleFrom ?? durable.lastEventAt,
  endedFlat: durable.endedFlat,
  isJudged: durable.opened,
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
  /** By symbol, in the order of the configuration: all that are configured, and no other. */
  readonly markets: ReadonlyMap<InstrumentSymbol, Market>;
  readonly wallet: WalletSurface;
  /** Open orders in markets without a run, as the last complete list of the whole account showed them. */
  otherMarkets: readonly OpenOrder[];
  /** Of the intents that are not closed, what this session knows beside them. */
  readonly orders: Map<IntentId, LiveOrder>;
  /** Ids of answers that could be another create's: no later create's order has one of them. */
  readonly disbelieved: Set<OrderId>;
  /** Orders of ours that are listed although we hold them for closed: canceled again, which is harmless. */
  readonly strays: Map<OrderId, Stray>;
  /** How many of the last private requests were repeated cancels, in a row. */
  cancelsRepeated: number;
  /** How many requests have left on the private lane in this session. */
  privateTurns: number;
  /** How many reads have left on the private lane since the last create. */
  readsSinceCreate: number;
  /** The requests that are on their way, by key. */
  readonly inFlight: Map<string, InFlight>;
  readonly reconciliation: Reconciliation;
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
  /** One sentence while the exchange's list of markets is waited for: nothing is created before. */
  listingAwaited: string | null;
  /** Whether each lane of the exchange answers. */
  readonly contact: Record<ContactLane, Contact>;
  /** Since when the exchange does not answer, once that was told; null while it does. */
  silenceTold: EpochMs | null;
  /** Nothing is created before orders, trades and wallet were asked for after this moment. */
  reconcileFrom: EpochMs;
  /** Own orders are read symbol by symbol until then: a page for the whole account may have been cut. */
  scopedOrdersUntil: EpochMs;
  stopRequestedAt: EpochMs | null;
  readonly requestCounts: Map<string, number>;
  /** How the last unknown creates were resolved, oldest first, and how many ever were in this session. */
  readonly resolutions: Resolution[];
  resolutionsTotal: number;
  /** When a create last had to wait for room within a minute; null once that is written down. */
  createsWithheldAt: EpochMs | null;
}

export function createTrader(
  settings: TraderSettings,
  durable: Durable,
  { now, lags }: { readonly now: EpochMs; readonly lags?: MeasuredLags | undefined },
): TraderState {
  const markets = settings.runs.map((run): [InstrumentSymbol, Market] => {
    const { symbol } = run.instrument;
    return [symbol, startMarket(run, { now, tradesKnownTo: durable.cursors.get(symbol)?.venueTime ?? null })];
  });
  return {
    settings,
    startedAt: now,
    beganFlat: durable.intents.size === 0 && (durable.endedFlat || !durable.opened),
    phase: 'starting',
    durable,
    markets: new Map(markets),
    wallet: startWallet(),
    otherMarkets: [],
    orders: new Map(),
    disbelieved: new Set(),
    strays: new Map(),
    cancelsRepeated: 0,
    privateTurns: 0,
    readsSinceCreate: 0,
    inFlight: new Map(),
    reconciliation: emptyReconciliation(),
    flows: noFlows(),
    lags: startLags(lags),
    missing: new Map(),
    lastEventBefore: durable.lastEventAt,
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
    listingAwaited: null,
    reconcileFrom: 0,
    scopedOrdersUntil: 0,
    stopRequestedAt: null,
    requestCounts: new Map(),
    resolutions: [],
    resolutionsTotal: 0,
    createsWithheldAt: null,
  };
}

/** A configured market. */
export function marketOf({ markets }: Pick<TraderState, 'markets'>, symbol: InstrumentSymbol): Market {
  const market = markets.get(symbol);
  invariant(market !== undefined, `Symbol ${symbol} is not configured.`);
  return market;
}

export const runOf = (state: TraderState, symbol: InstrumentSymbol): RunSettings => marketOf(state, symbol).run;

export const symbolsOf = ({ markets }: TraderState): readonly InstrumentSymbol[] => [...markets.keys()];

/** No create of the symbol that has left can be newly accepted after this. */
export function noteHorizon(state: TraderState, symbol: InstrumentSymbol, horizon: EpochMs): void {
  const market = marketOf(state, symbol);
  market.lastHorizon = Math.max(market.lastHorizon, horizon);
}

/** Makes the next decision about a symbol (or about all) start afresh. */
export function touch(state: TraderState, symbol?: InstrumentSymbol): void {
  if (symbol !== undefined) marketOf(state, symbol).version += 1;
  else for (const market of state.markets.values()) market.version += 1;
}

/** One more of this code. */
export function count(counts: Map<string, number>, code: string): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
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
