// The trader's state as plain data for the page, the metrics, the terminal and `status`. Decimals are text, and taking
// a snapshot changes nothing.
import { plain, ZERO } from '../../domain/decimal.ts';
import { spreadBps, touchOf } from '../../domain/order-book.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Step } from '../../quoting/strategy.ts';
import { allWrongTimes } from '../contact/clock.ts';
import { contactView } from '../contact/responsive.ts';
import { decisionOf } from '../decision/decide.ts';
import { globalBlockers, symbolBlockers, unknownCount } from '../decision/readiness.ts';
import { jumpWatched, statedWaits } from '../decision/reference.ts';
import { liveIntents } from '../durable/durable.ts';
import { marketIn } from '../durable/market.ts';
import { NO_REVISION } from '../durable/revision.ts';
import { readLagsView } from '../lags/lags.ts';
import { trustedPrice } from '../money/trusted-price.ts';
import { unmatchedIn, unmatchedOrders } from '../orders/in-question.ts';
import { presenceAt, presenceView } from '../presence/presence.ts';
import type { Decision, Market } from '../state/market.ts';
import type { TraderSettings } from '../state/settings.ts';
import { assetsShown, ledgerTotal, type TraderState } from '../state/state.ts';
import { ageOf, type Surface } from '../state/surfaces.ts';
import { leavingBy, type SymbolState, sidesOf, symbolVerdict, waitsFor } from './standing.ts';
import {
  assetView,
  estimateSentences,
  externalView,
  fillViews,
  levelViews,
  messagesView,
  orderView,
  pnlView,
  quotedSpread,
  riskView,
  rounded,
  unmatchedView,
} from './views.ts';

/** Read-only for its readers. */
type Shown<T> = T extends object ? { readonly [K in keyof T]: Shown<T[K]> } : T;

export type StatusSnapshot = Shown<ReturnType<typeof taken>>;
export type SymbolView = StatusSnapshot['symbols'][number];
export type OrderView = SymbolView['orders'][number];
export type FillView = SymbolView['recentFills'][number];
export type LevelView = SymbolView['bids'][number];
export type PnlView = SymbolView['pnl'];
export type RiskView = SymbolView['risk'];
export type LockView = RiskView['locks'][number];
export type CodeCount = RiskView['halts'][number];
export type AssetView = StatusSnapshot['assets'][number];

export const takeSnapshot = (state: TraderState, now: EpochMs): StatusSnapshot => taken(state, now);

function taken(state: TraderState, now: EpochMs) {
  const blockers = globalBlockers(state, now);
  return {
    /** When this was true. */
    at: now,
    phase: state.phase,
    /** Whether it has stopped with every order of the bot proved gone. An order without a known create may be left. */
    flat: state.phase === 'stopped' && state.durable.journal.endedFlat,
    /** Reasons why the whole bot does not quote, one sentence each. */
    blockers: blockers.map(({ reason }) => reason),
    firstBlocker: blockers[0]?.code ?? null,
    latched: state.holds.latched,
    paused: state.phase === 'paused' ? state.holds.paused : null,
    symbols: [...state.markets.values()].map((market) => symbolView(state, market, now)),
    /** Of the whole account if one list covers it, else of the symbols, by the last complete lists. */
    unmatchedOrders: unmatchedOrders(state).map(unmatchedView),
    assets: [...assetsShown(state)].sort().map((asset) => assetView(state, asset, now)),
    walletSentAt: state.wallet.sentAt,
    /** When wallet and ledger last matched. */
    reconciledAt: state.reconciliation.equalSentAt,
    unknownOrders: unknownCount(state),
    contact: contactView(state, now),
    /** When an exchange in maintenance is asked again. */
    maintenance: state.refusal?.kind === 'maintenance' ? { askedAgainAt: state.refusal.until } : null,
    readLags: readLagsView(state, now),
    wrongTimes: allWrongTimes(state.lags),
    messages: messagesView(state, now),
    clock: state.clock,
    /** Limits that stop quoting when exceeded, as configured. */
    limits: limitsOf(state.settings),
    /** Since the start of the process. */
    requests: [...state.requests.counts].map(([name, count]) => {
      const [kind = '', outcome = ''] = name.split(' ');
      return { lane: isPublic(kind) ? 'public' : 'private', kind, outcome, count };
    }),
    unknownResolutions: { total: state.resolutions.total, last: [...state.resolutions.last] },
  };
}

const isPublic = (kind: string): boolean => kind === 'order-book' || kind === 'public-trades';

function limitsOf({ ageLimits, assumptions }: TraderSettings) {
  return {
    bookAgeMs: ageLimits.bookMs,
    openOrdersAgeMs: ageLimits.openOrdersMs,
    reconciledAgeMs: ageLimits.reconciledMs,
    clockUncertaintyMs: assumptions.maxClockUncertaintyMs,
  };
}

function symbolView(state: TraderState, market: Market, now: EpochMs) {
  const { symbol, run, book: bookSurface, openOrders, trades, jump } = market;
  const decision = decisionOf(state, market, now);
  const intents = liveIntents(state.durable, symbol);
  const leaving = leavingBy(decision);
  const { book, sentAt } = bookSurface;
  const reference = decision.view?.referencePrice ?? null;
  const best = decision.view ? touchOf(decision.view.book) : null;
  const orders = intents.map((intent) => orderView(intent, { reference, leaving }));
  const reason = joined(decision.reason ?? jumpWatched(state, market), statedWaits(market));
  const facts = {
    state: symbolState(state, market, { reason, at: decision.at }),
    noQuote: decision.result?.noQuote ?? { buy: null, sell: null },
    denied: [...decision.denied.values()].at(-1) ?? null,
    orders,
  };
  const waits = { waitsFor: waitsFor(decision), missingMs: presenceAt(state, market, now).lostMs };
  const sides = sidesOf({ ...facts, ...waits }, ordersAreFresh(state.settings, openOrders, now));
  return {
    ...facts,
    /** One sentence; null while quoting. */
    reason,
    sides,
    /** Every display of the symbol in a word uses this one. */
    verdict: symbolVerdict({ ...facts, sides }),
    symbol,
    /** The parameter revision that it is quoted with. */
    revision: marketIn(state.durable, symbol).revision?.number ?? NO_REVISION,
    base: run.instrument.base,
    quote: run.instrument.quote,
    tickSize: plain(run.instrument.tickSize),
    lotSize: plain(run.instrument.lotSize),
    referencePrice: reference && plain(reference),
    /** False while it is far from the last trusted one, which values the profit (`pnl.price`). */
    referenceTrusted: jump === null,
    external: externalView(market, now),
    estimates: estimateSentences(market),
    /** The others' best prices, if their book has both. */
    market: best && { bid: plain(best.bid.price), ask: plain(best.ask.price) },
    marketSpreadBps: best && rounded(spreadBps(best)),
    quotedSpreadBps: quotedSpread(orders),
    bids: levelViews(book, intents, 'buy'),
    asks: levelViews(book, intents, 'sell'),
    /** When the requests left. */
    bookSentAt: sentAt,
    openOrdersSentAt: openOrders.sentAt,
    tradesSentAt: trades.sentAt,
    wanted: (decision.result?.quotes ?? []).map(({ side, level, price, quantity }) => ({
      side,
      level,
      price: plain(price),
      quantity: plain(quantity),
    })),
    explain: (decision.result?.explain ?? []).map(explained),
    /** Without the orders that a person is asked about. */
    foreignOrders: unmatchedIn(state, market).filter(({ mayBeOurs }) => !mayBeOurs).length,
    inventory: plain(ledgerTotal(state.durable.books, run.instrument.base)),
    inventoryTarget: plain((decision.view?.inventoryTarget ?? ZERO).toDecimalPlaces(8)),
    /** `since`: when the ledger was opened; null before. */
    pnl: {
      since: state.durable.books.openedAt,
      ...pnlView(marketIn(state.durable, symbol).pnl, trustedPrice(state, market), run),
    },
    ...fillViews(marketIn(state.durable, symbol)),
    risk: riskView(state, market, now),
    presence: presenceView(state, market, now),
  };
}

/** `slot`: the quote that the line is about; null if it is about all of them. */
const explained = ({ name, slot, before, after, why }: Step) => ({ name, slot: slot ?? null, before, after, why });

/** Whether the list of own orders is young enough for decisions, and so proves that an order rests. */
const ordersAreFresh = ({ ageLimits }: TraderSettings, openOrders: Surface, now: EpochMs): boolean =>
  ageOf(openOrders, now) <= ageLimits.openOrdersMs;

function symbolState(state: TraderState, market: Market, { reason, at }: Pick<Decision, 'reason' | 'at'>): SymbolState {
  if (marketIn(state.durable, market.symbol).halt !== null) return 'halted';
  if (state.phase === 'paused') return 'paused';
  return reason === null && symbolBlockers(state, market, at).length === 0 ? 'quoting' : 'waiting';
}

const joined = (reason: string | null, more: string | null): string | null =>
  reason === null || more === null ? reason : `${reason} ${more}`;
