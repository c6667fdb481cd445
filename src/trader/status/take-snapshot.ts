// The trader's state as plain data for people. It changes nothing.
import { Decimal, decimal, plain, ZERO } from '../../domain/decimal.ts';
import type { IntentId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type Level, type OrderBook, spreadBps, touchOf } from '../../domain/order-book.ts';
import type { EpochMs } from '../../domain/time.ts';
import { amountOf, amountText, NO_AMOUNT, subtract, valueDecimal } from '../../ledger/amount.ts';
import { balanceOf, expectedTotal } from '../../ledger/ledger.ts';
import { applyPnl, type Pnl, pnlParts } from '../../ledger/pnl.ts';
import { contactView } from '../contact/responsive.ts';
import { allWrongTimes } from '../contact/wrong-times.ts';
import { decisionOf } from '../decision/decide.ts';
import { cashRunwayOf } from '../decision/portfolio.ts';
import { jumpWatched, statedWaits } from '../decision/price-jump.ts';
import { globalBlockers, symbolBlockers, unknownCount } from '../decision/readiness.ts';
import { liveIntents } from '../durable/durable.ts';
import { toFillRecord } from '../durable/fold/fill-record.ts';
import { type Intent, remainingOf } from '../durable/intent.ts';
import { type FillTally, marketIn, RECENT_FILLS } from '../durable/market.ts';
import { NO_REVISION } from '../durable/revision.ts';
import { readLagsView } from '../lags/figures.ts';
import { type TrustedPrice, trustedPrice } from '../money/trusted-price.ts';
import { unmatchedIn, unmatchedOrders } from '../orders/unmatched-orders.ts';
import { presenceAt } from '../presence/presence.ts';
import { presenceView } from '../presence/presence-view.ts';
import type { Decision } from '../state/decision.ts';
import { assetsOf, assetsShown, ledgerTotal } from '../state/markets.ts';
import type { RunSettings, TraderSettings } from '../state/settings.ts';
import { marketOf, symbolsOf, type TraderState } from '../state/state.ts';
import { ageOf } from '../state/surfaces.ts';
import type { AssetView, LevelView, OrderView, PnlView, StatusSnapshot, SymbolView } from './snapshot.ts';
import { leavingBy, type SideFacts, sidesOf, standingOf, symbolVerdict, waitsFor } from './standing.ts';
import { estimateSentences, externalView, messagesView, riskView, unmatchedView } from './views.ts';

/** Levels of the book that are shown on each side. */
const LEVELS_SHOWN = 12;

export function takeSnapshot(state: TraderState, now: EpochMs): StatusSnapshot {
  const blockers = globalBlockers(state, now);
  return {
    at: now,
    phase: state.phase,
    flat: state.phase === 'stopped' && state.durable.journal.endedFlat,
    blockers: blockers.map(({ reason }) => reason),
    firstBlocker: blockers[0]?.code ?? null,
    latched: state.holds.latched,
    paused: state.phase === 'paused' ? state.holds.paused : null,
    symbols: symbolsOf(state).map((symbol) => symbolView(state, symbol, now)),
    unmatchedOrders: unmatchedOrders(state).map(unmatchedView),
    assets: [...assetsShown(state)].sort().map((asset) => assetView(state, asset, now)),
    walletSentAt: state.wallet.sentAt,
    reconciledAt: state.reconciliation.equalSentAt,
    unknownOrders: unknownCount(state),
    contact: contactView(state, now),
    maintenance: state.refusal?.kind === 'maintenance' ? { askedAgainAt: state.refusal.until } : null,
    readLags: readLagsView(state, now),
    wrongTimes: allWrongTimes(state.lags),
    messages: messagesView(state, now),
    clock: state.clock,
    limits: limitsOf(state.settings),
    requests: [...state.requests.counts].map(([name, count]) => {
      const [kind = '', outcome = ''] = name.split(' ');
      return { lane: isPublic(kind) ? 'public' : 'private', kind, outcome, count };
    }),
    unknownResolutions: { total: state.resolutions.total, last: [...state.resolutions.last] },
  };
}

const isPublic = (kind: string): boolean => kind === 'order-book' || kind === 'public-trades';

function limitsOf({ ageLimits, assumptions }: TraderSettings): StatusSnapshot['limits'] {
  return {
    bookAgeMs: ageLimits.bookMs,
    openOrdersAgeMs: ageLimits.openOrdersMs,
    reconciledAgeMs: ageLimits.reconciledMs,
    clockUncertaintyMs: assumptions.maxClockUncertaintyMs,
  };
}

function symbolView(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): SymbolView {
  const { run, book: bookSurface, openOrders, trades, jump } = marketOf(state, symbol);
  const decision = decisionOf(state, symbol, now);
  const intents = liveIntents(state.durable, symbol);
  const leaving = leavingBy(decision);
  const { book, sentAt } = bookSurface;
  const reference = decision.view?.referencePrice ?? null;
  const market = decision.view ? touchOf(decision.view.book) : null;
  const orders = intents.map((intent) => orderView(intent, { reference, leaving }));
  const reason = joined(decision.reason ?? jumpWatched(state, symbol), statedWaits(marketOf(state, symbol)));
  const facts: SideFacts = {
    state: symbolState(state, symbol, { reason, at: decision.at }),
    reason,
    noQuote: decision.result?.noQuote ?? { buy: null, sell: null },
    denied: [...decision.denied.values()].at(-1) ?? null,
    orders,
    waitsFor: waitsFor(decision),
    missingMs: presenceAt(state, symbol, now).lostMs,
  };
  const sides = sidesOf(facts, ordersAreFresh(state, symbol, now));
  return {
    ...facts,
    sides,
    verdict: symbolVerdict({ ...facts, sides }),
    symbol,
    revision: marketIn(state.durable, symbol).revision?.number ?? NO_REVISION,
    base: run.instrument.base,
    quote: run.instrument.quote,
    tickSize: plain(run.instrument.tickSize),
    lotSize: plain(run.instrument.lotSize),
    referencePrice: reference && plain(reference),
    referenceTrusted: jump === null,
    external: externalView(marketOf(state, symbol), now),
    estimates: estimateSentences(marketOf(state, symbol)),
    market: market && { bid: plain(market.bid.price), ask: plain(market.ask.price) },
    marketSpreadBps: market && rounded(spreadBps(market)),
    quotedSpreadBps: quotedSpread(orders),
    bids: levelViews(book, intents, 'buy'),
    asks: levelViews(book, intents, 'sell'),
    bookSentAt: sentAt,
    openOrdersSentAt: openOrders.sentAt,
    tradesSentAt: trades.sentAt,
    wanted: (decision.result?.quotes ?? []).map(({ side, level, price, quantity }) => ({
      side,
      level,
      price: plain(price),
      quantity: plain(quantity),
    })),
    explain: (decision.result?.explain ?? []).map(({ name, slot, before, after, why }) => ({
      name,
      slot: slot ?? null,
      before,
      after,
      why,
    })),
    foreignOrders: unmatchedIn(state, symbol).filter(({ mayBeOurs }) => !mayBeOurs).length,
    inventory: plain(ledgerTotal(state.durable.books, run.instrument.base)),
    inventoryTarget: plain((decision.view?.inventoryTarget ?? ZERO).toDecimalPlaces(8)),
    pnl: pnlView(marketIn(state.durable, symbol).pnl, trustedPrice(state, symbol), run),
    ...fillViews(marketIn(state.durable, symbol).tally),
    risk: riskView(state, symbol, now),
    presence: presenceView(state, symbol, now),
  };
}

/** Whether the list of own orders is young enough for decisions, and so for saying that an order rests. */
function ordersAreFresh(
  state: Pick<TraderState, 'settings' | 'markets'>,
  symbol: InstrumentSymbol,
  now: EpochMs,
): boolean {
  return ageOf(marketOf(state, symbol).openOrders, now) <= state.settings.ageLimits.openOrdersMs;
}

function symbolState(
  state: TraderState,
  symbol: InstrumentSymbol,
  { reason, at }: Pick<Decision, 'reason' | 'at'>,
): SymbolView['state'] {
  if (marketIn(state.durable, symbol).halt !== null) return 'halted';
  if (state.phase === 'paused') return 'paused';
  return reason === null && symbolBlockers(state, symbol, at).length === 0 ? 'quoting' : 'waiting';
}

const joined = (reason: string | null, more: string | null): string | null =>
  reason === null || more === null ? reason : `${reason} ${more}`;

const rounded = (value: Decimal): number => value.toDecimalPlaces(2).toNumber();

/** Between our best live bid and ask, in basis points of their middle. */
function quotedSpread(orders: readonly OrderView[]): number | null {
  const live = orders.filter(({ standing }) => standing === 'live');
  const bids = live.filter(({ side }) => side === 'buy').map(({ price }) => decimal(price));
  const asks = live.filter(({ side }) => side === 'sell').map(({ price }) => decimal(price));
  const [bid] = bids.toSorted((a, b) => b.cmp(a));
  const [ask] = asks.toSorted((a, b) => a.cmp(b));
  if (!bid || !ask) return null;
  return rounded(ask.sub(bid).div(ask.add(bid).div(2)).mul(10_000));
}

function levelViews(book: OrderBook | null, intents: readonly Intent[], side: 'buy' | 'sell'): LevelView[] {
  const levels: readonly Level[] = (side === 'buy' ? book?.bids : book?.asks) ?? [];
  return levels.slice(0, LEVELS_SHOWN).map(({ price, quantity }) => {
    const own = intents
      .filter((intent) => intent.side === side && intent.state === 'open' && intent.price.eq(price))
      .reduce((sum, intent) => sum.add(remainingOf(intent)), ZERO);
    return { price: plain(price), quantity: plain(quantity), own: plain(own) };
  });
}

interface OrderFacts {
  readonly reference: Decimal | null;
  /** Orders that the decision takes away. */
  readonly leaving: ReadonlySet<IntentId>;
}

function orderView(intent: Intent, { reference, leaving }: OrderFacts): OrderView {
  const away =
    reference === null ? null : intent.side === 'buy' ? reference.sub(intent.price) : intent.price.sub(reference);
  return {
    intentId: intent.intentId,
    orderId: intent.orderId,
    side: intent.side,
    level: Number(intent.slot.split(':')[1] ?? 0),
    price: plain(intent.price),
    quantity: plain(intent.quantity),
    filled: plain(intent.filled),
    state: intent.state,
    standing: standingOf(intent.state, leaving.has(intent.intentId)),
    sentAt: intent.sentAt,
    revision: intent.revision,
    distanceBps: away === null || reference === null ? null : rounded(away.div(reference).mul(10_000)),
  };
}

/** Between fills the inventory stands still, so only the present price and those of the fills matter. */
function pnlView(pnl: Pnl, trusted: TrustedPrice | null, run: RunSettings): PnlView {
  const mid = trusted && amountOf(trusted.price.toDecimalPlaces(18, Decimal.ROUND_DOWN));
  const marked = mid?.ok ? applyPnl(pnl, { kind: 'mid', mid: mid.value }) : pnl;
  const parts = pnlParts(marked, run.taxTreatment);
  const money = (value: Parameters<typeof valueDecimal>[0]): string => plain(valueDecimal(value).toDecimalPlaces(8));
  return {
    spread: money(parts.spread),
    inventory: money(parts.drift),
    fees: money(parts.fees),
    taxWithheld: money(marked.tax),
    taxInTotal: run.taxTreatment === 'cost',
    total: money(parts.total),
    price: trusted && plain(trusted.price),
    pricedAt: trusted?.at ?? null,
    otherFees: [...marked.unvaluedFees]
      .filter(([, amount]) => amount !== NO_AMOUNT)
      .map(([asset, amount]) => ({ asset, amount: amountText(amount) })),
  };
}

function fillViews(tally: FillTally): Pick<SymbolView, 'fills' | 'recentFills'> {
  return {
    fills: {
      buys: tally.buys,
      sells: tally.sells,
      takers: tally.takers,
      takerBuys: tally.takerBuys,
      quoteVolume: plain(tally.quoteVolume),
    },
    recentFills: tally.recent.slice(0, RECENT_FILLS).map(({ fill, ours }) => {
      const { symbol: _symbol, orderId: _orderId, ...rest } = toFillRecord(fill);
      return { ...rest, ours };
    }),
  };
}

function assetView(state: TraderState, asset: string, now: EpochMs): AssetView {
  const { books, differences } = state.durable;
  const { ledger } = books;
  const confirmed = differences.byAsset.get(asset);
  const wallet = state.reconciliation.walletTotals.get(asset);
  const standing = state.reconciliation.standing.get(asset);
  const known = books.opened && assetsOf(state).has(asset) ? wallet : undefined;
  return {
    asset,
    expected: amountText(expectedTotal(ledger, asset)),
    wallet: wallet === undefined ? null : amountText(wallet),
    difference: known === undefined ? null : amountText(subtract(known, expectedTotal(ledger, asset))),
    differsSince:
      confirmed?.since ?? (standing === undefined || standing.difference === NO_AMOUNT ? null : standing.since),
    differenceStands: confirmed !== undefined,
    reserved: amountText(balanceOf(ledger, asset, 'reserved')),
    feesPaid: amountText(balanceOf(ledger, asset, 'fees')),
    taxWithheld: amountText(balanceOf(ledger, asset, 'tax-withheld')),
    cashRunwayDays: cashRunwayOf(state, asset, now).days,
  };
}
