// The trader's whole state. It is owned linearly: functions that take a state change it in place and hand it back; the
// caller must go on with the returned one. `durable` is the fold of the journal, the rest ends with the process.
import type { Decimal } from '../../domain/decimal.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { OpenOrder } from '../../domain/order.ts';
import { type DurationMs, type EpochMs, SECOND } from '../../domain/time.ts';
import { amountDecimal } from '../../ledger/amount.ts';
import { answersFor, expectedTotal } from '../../ledger/ledger.ts';
import type { RefusalKind } from '../../venue/refusals.ts';
import type { Books } from '../durable/books.ts';
import { assetsOfOpened, type Durable } from '../durable/durable.ts';
import { marketIn } from '../durable/market.ts';
import { type Lags, startLags } from './lags.ts';
import { type Market, startMarket, startOtherBooks } from './market.ts';
import {
  type ActivityScan,
  emptyReconciliation,
  type Missing,
  noActivityScan,
  type Reconciliation,
} from './reconciliation.ts';
import type { OrdersSeen } from './seen.ts';
import {
  type Contact,
  type ContactLane,
  type Requests,
  type SessionFacts,
  startContact,
  startRequests,
  startSession,
} from './session.ts';
import type { RunSettings, TraderSettings } from './settings.ts';
import { type BookSurface, startWallet, type WalletSurface } from './surfaces.ts';

export type Phase = 'starting' | 'running' | 'paused' | 'stopping' | 'stopped';

/** How an unknown create was resolved: found in a list, or proved absent; and how long it took from the send. */
export interface Resolution {
  readonly by: 'match' | 'absence';
  readonly seconds: number;
}

/** Number of resolutions kept. */
const RESOLUTIONS_KEPT = 1_000;

/** An answer that concerned every private request. */
export interface Refusal {
  /** `keys`: key, permission or clock. */
  readonly kind: 'keys' | 'maintenance';
  readonly message: string;
  readonly about: RefusalKind;
  readonly inARow: number;
  /** When the exchange last answered with it. */
  readonly lastAt: EpochMs;
  /** Reads and creates rest until then. */
  readonly until: EpochMs;
  /** Cancels may leave from then on. */
  readonly cancelsFrom: EpochMs;
}

export interface KnownClock {
  /** The exchange's clock minus ours. */
  readonly offsetMs: DurationMs;
  readonly uncertaintyMs: DurationMs;
  /** Whether the exchange accepts signed requests stamped with it. */
  readonly confirmed: boolean;
}

/** Holds on all quoting that the exchange did not cause. */
interface Holds {
  /** Why the kill latch is set; null while it is not. */
  latched: string | null;
  /** Why quoting is paused, one sentence; null while it is not, and once the bot stops. */
  paused: string | null;
  /** One sentence while waiting for the exchange's list of markets: nothing is created before. */
  listingAwaited: string | null;
}

export interface TraderState {
  /** As configured; a revised run's parameters are in its market. */
  readonly settings: TraderSettings;
  readonly session: SessionFacts;
  readonly durable: Durable;
  phase: Phase;
  stopRequestedAt: EpochMs | null;
  readonly holds: Holds;
  /** The most of an asset that this account may hold by the limit over all accounts; none without such a limit. */
  readonly shares: Map<Asset, Decimal>;
  /** By symbol, in the order of the configuration: all that are configured, and no other. */
  readonly markets: ReadonlyMap<InstrumentSymbol, Market>;
  /** Books of symbols without a run that a strategy needs: all of these, and no other. */
  readonly otherBooks: ReadonlyMap<InstrumentSymbol, BookSurface>;
  /** Open orders in markets without a run, as the last complete list of the whole account showed them. */
  otherMarkets: readonly OpenOrder[];
  readonly wallet: WalletSurface;
  readonly orders: OrdersSeen;
  readonly requests: Requests;
  readonly reconciliation: Reconciliation;
  readonly activityScan: ActivityScan;
  /** The observed lags of the lists. */
  readonly lags: Lags;
  /** Booked trades that a late-trade scan lacked. */
  readonly missing: Map<string, Missing>;
  clock: KnownClock | null;
  /** Why the private lane can't be used as usual: keys, clock or maintenance. */
  refusal: Refusal | null;
  /**
   * Whether each lane of the exchange answers; `silenceNotified` is the start of the silence that people were notified
   * of, and null while it answers.
   */
  readonly contact: Record<ContactLane, Contact> & { silenceNotified: EpochMs | null };
  /** How unknown creates were resolved: the last ones, oldest first, and the session's total. */
  readonly resolutions: { readonly last: Resolution[]; total: number };
}

/** Some fields of the state, for a function that needs no others. */
export type With<Field extends keyof TraderState> = Pick<TraderState, Field>;

export function createTrader(
  settings: TraderSettings,
  durable: Durable,
  { now }: { readonly now: EpochMs },
): TraderState {
  const entries = settings.runs.map((run): [InstrumentSymbol, Market] => {
    const { symbol } = run.instrument;
    return [symbol, startMarket(run, { now, tradesKnownTo: marketIn(durable, symbol).cursor?.venueTime ?? null })];
  });
  const markets = new Map(entries);
  return {
    settings,
    session: startSession(durable, now),
    durable,
    phase: 'starting',
    stopRequestedAt: null,
    holds: { latched: null, paused: null, listingAwaited: null },
    shares: new Map(),
    markets,
    otherBooks: startOtherBooks(markets),
    otherMarkets: [],
    wallet: startWallet(),
    orders: { seen: new Map(), doubtedIds: new Set() },
    requests: startRequests(settings.requestsPerSecond),
    reconciliation: emptyReconciliation(),
    activityScan: noActivityScan(),
    lags: startLags(),
    missing: new Map(),
    clock: null,
    refusal: null,
    contact: { public: startContact(now), private: startContact(now), silenceNotified: null },
    resolutions: { last: [], total: 0 },
  };
}

/** A configured market. */
export function marketOf({ markets }: With<'markets'>, symbol: InstrumentSymbol): Market {
  const market = markets.get(symbol);
  invariant(market !== undefined, () => `Symbol ${symbol} is not configured.`);
  return market;
}

/** The book of a symbol that has a run, or that a strategy needs. */
export function bookSurfaceOf(
  { markets, otherBooks }: With<'markets' | 'otherBooks'>,
  symbol: InstrumentSymbol,
): BookSurface {
  const surface = markets.get(symbol)?.book ?? otherBooks.get(symbol);
  invariant(surface !== undefined, () => `Nobody reads the book of ${symbol}.`);
  return surface;
}

export const runOf = (state: With<'markets'>, symbol: InstrumentSymbol): RunSettings => marketOf(state, symbol).run;

export const symbolsOf = ({ markets }: With<'markets'>): readonly InstrumentSymbol[] => [...markets.keys()];

/** No create of the market that has left can be newly accepted after this. */
export function extendHorizon(market: Market, horizon: EpochMs): void {
  market.lastHorizon = Math.max(market.lastHorizon, horizon);
}

/**
 * The same for creates of earlier sessions. Ended ones count too, as they may have been accepted twice (F11): if the
 * clock was set by `clockSetMs` since, they are as young as they may be, while a list may lack their orders.
 */
export function extendEarlierHorizons(
  state: With<'settings' | 'durable' | 'markets'>,
  now: EpochMs,
  clockSetMs: DurationMs,
): void {
  const { intents, closed } = state.durable.orders;
  for (const { symbol, horizon } of intents.values()) extendHorizon(marketOf(state, symbol), horizon);
  for (const { symbol, horizon, sentAt } of closed.values()) {
    const market = state.markets.get(symbol);
    const latest = Math.min(horizon + Math.max(0, clockSetMs), now + horizon - sentAt);
    const isShown = latest + state.settings.assumptions.readLagBoundMs <= now;
    if (!isShown && market !== undefined) extendHorizon(market, latest);
  }
}

/** Our time converted to the exchange's clock, which all rows use. */
export const venueTimeAt = ({ clock }: With<'clock'>, moment: EpochMs): EpochMs => moment + (clock?.offsetMs ?? 0);

/** Makes the next decision about the market start afresh. */
export function touch(market: Market): void {
  market.version += 1;
}

/** The same for all markets. */
export function touchAll({ markets }: With<'markets'>): void {
  for (const market of markets.values()) touch(market);
}

/** Counts one more of this code. */
export function count(counts: Map<string, number>, code: string): void {
  counts.set(code, (counts.get(code) ?? 0) + 1);
}

export function recordResolution({ resolutions }: With<'resolutions'>, resolution: Resolution): void {
  resolutions.last.push(resolution);
  resolutions.total += 1;
  if (resolutions.last.length > RESOLUTIONS_KEPT) resolutions.last.shift();
}

/** By how much periodic reads stretch their interval to keep to their share of a lane at its present pace. */
export function stretch(
  state: With<'settings' | 'markets' | 'otherBooks' | 'requests'>,
  lane: 'public' | 'private',
): number {
  const { polling, readShareRatio } = state.settings;
  const count = state.settings.runs.length;
  const perSecond = (intervalMs: DurationMs): number => 1_000 / intervalMs;
  if (lane === 'public') {
    const readers = [...state.markets.values()].filter(({ knowledge }) => knowledge.needs.trades === true).length;
    const books = (count + state.otherBooks.size) * perSecond(polling.bookMs);
    return Math.max(1, (books + readers * perSecond(polling.publicTradesMs)) / state.requests.pace.public);
  }
  const wanted =
    count * perSecond(polling.openOrdersMs) + count * perSecond(polling.tradesMs) + perSecond(polling.walletMs);
  return Math.max(1, wanted / (state.requests.pace.private * readShareRatio));
}

/**
 * Requests enough to prove, or explain, anything that can be: two rounds of lists, trades and wallet, with every other
 * turn taken by a cancel.
 */
export const REQUESTS_OF_A_PROOF = 24;

/** The assumed bound on how far lists may trail. */
export const lagBoundMs = (settings: TraderSettings): DurationMs => settings.assumptions.readLagBoundMs;

/** How long a proof may take: as configured, or as the lane needs if it was slowed down by more. */
export function deadlineMs({ settings, requests }: With<'settings' | 'requests'>): DurationMs {
  const { resolutionDeadlineMs } = settings.assumptions;
  return Math.max(resolutionDeadlineMs, (REQUESTS_OF_A_PROOF * SECOND) / requests.pace.private);
}

// The configured markets that the ledger covers: those that it was opened with, and those opened after they were
// configured later.

/** Whether the trades of the market are booked. */
export function isOpened(durable: Durable, symbol: InstrumentSymbol): boolean {
  return durable.books.opened && marketIn(durable, symbol).openedSince !== null;
}

/** Configured markets whose trades are booked. */
export const openedMarkets = ({ durable, markets }: With<'durable' | 'markets'>): Market[] =>
  [...markets.values()].filter(({ symbol }) => isOpened(durable, symbol));

/** Configured markets still to be opened: before the ledger is, all of them. */
export const unopenedMarkets = ({ durable, markets }: With<'durable' | 'markets'>): Market[] =>
  [...markets.values()].filter(({ symbol }) => !isOpened(durable, symbol));

/** Since when the trades of an opened market are booked, by the exchange's clock. */
export const openedSince = (durable: Durable, symbol: InstrumentSymbol): EpochMs =>
  marketIn(durable, symbol).openedSince ?? durable.books.openedAt ?? 0;

// The assets that the ledger covers.

/**
 * Assets that the ledger covers: base and quote of every market that it is opened for, including markets since removed
 * from the configuration, and every asset with a booking.
 */
export function assetsOf(state: With<'durable' | 'markets'>): Set<Asset> {
  const { ledger } = state.durable.books;
  const booked = [...ledger.balances.keys()].filter((asset) => answersFor(ledger, asset));
  return new Set([...basesAndQuotes(openedMarkets(state)), ...assetsOfOpened(state.durable), ...booked]);
}

/** Assets of pending markets not yet in the ledger. */
export function unknownAssets(state: With<'durable' | 'markets'>, markets = unopenedMarkets(state)): Set<Asset> {
  const known = assetsOf(state);
  return new Set(basesAndQuotes(markets).filter((asset) => !known.has(asset)));
}

/** Assets shown to people: those of every run, and those with a booking in the ledger. */
export const assetsShown = (state: With<'durable' | 'markets'>): Set<Asset> =>
  new Set([...assetsOf(state), ...unknownAssets(state)]);

/** Bases and quotes of configured markets whose trades are booked. */
export const assetsOfRuns = (state: With<'durable' | 'markets'>): Set<Asset> =>
  new Set(basesAndQuotes(openedMarkets(state)));

const basesAndQuotes = (markets: readonly Market[]): Asset[] =>
  markets.flatMap(({ run: { instrument } }) => [instrument.base, instrument.quote]);

/** The ledger's total of an asset as a decimal. */
export function ledgerTotal(books: Books, asset: Asset): Decimal {
  return amountDecimal(expectedTotal(books.ledger, asset));
}
