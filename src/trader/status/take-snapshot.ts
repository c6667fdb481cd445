// The trader's state as plain data for people. It changes nothing.
import { Decimal, decimal, plain, ZERO } from '../../domain/decimal.ts';
import type { IntentId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type Level, type OrderBook, spreadBps, touchOf } from '../../domain/order-book.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Estimate, Intensity } from '../../estimates/estimate.ts';
import { amountOf, amountText, NO_AMOUNT, subtract, type Value, valueDecimal } from '../../ledger/amount.ts';
import { balanceOf, expectedTotal } from '../../ledger/ledger.ts';
import { applyPnl, type Pnl, pnlParts } from '../../ledger/pnl.ts';
import { limitsUsed } from '../../quoting/risk/exposure-checks.ts';
import { allWrongTimes } from '../contact/clock.ts';
import { contactView } from '../contact/responsive.ts';
import { decisionOf } from '../decision/decide.ts';
import { lossesOf } from '../decision/loss.ts';
import { messageCounts } from '../decision/message-rate.ts';
import { cashRunwayOf } from '../decision/portfolio.ts';
import { oneSidedFills } from '../decision/protections.ts';
import { globalBlockers, haltOf, symbolBlockers, unknownCount } from '../decision/readiness.ts';
import { externalPriceAt, jumpWatched, statedWaits } from '../decision/reference.ts';
import { riskContext } from '../decision/view.ts';
import { liveIntents } from '../durable/durable.ts';
import { toFillRecord } from '../durable/fold/fill-record.ts';
import { type Intent, remainingOf } from '../durable/intent.ts';
import { type FillTally, marketIn, RECENT_FILLS } from '../durable/market.ts';
import { NO_REVISION } from '../durable/revision.ts';
import { readLagsView } from '../lags/lags.ts';
import { type TrustedPrice, trustedPrice } from '../money/trusted-price.ts';
import { isQuestionOver, type UnmatchedRow, unmatchedIn, unmatchedOrders } from '../orders/unmatched-orders.ts';
import { presenceAt, presenceView } from '../presence/presence.ts';
import type { Decision } from '../state/decision.ts';
import type { Market } from '../state/market.ts';
import { assetsOf, assetsShown, ledgerTotal } from '../state/markets.ts';
import type { RunSettings, TraderSettings } from '../state/settings.ts';
import { marketOf, symbolsOf, type TraderState } from '../state/state.ts';
import { ageOf } from '../state/surfaces.ts';
import type {
  AssetView,
  CodeCount,
  ExternalView,
  LevelView,
  MessagesView,
  OrderView,
  PnlView,
  RiskView,
  StatusSnapshot,
  SymbolView,
  UnmatchedOrderView,
} from './snapshot.ts';
import { leavingBy, type SideFacts, sidesOf, standingOf, symbolVerdict, waitsFor } from './standing.ts';

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

// What the snapshot shows of risk, estimates, reference prices and unmatched orders.

function riskView(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): RiskView {
  const { denialCounts, haltCounts } = marketOf(state, symbol);
  return {
    halt: haltOf(state, symbol),
    isQuestionOver: isQuestionOver(state, symbol),
    locks: marketIn(state.durable, symbol).locks,
    denials: countsOf(denialCounts),
    halts: countsOf(haltCounts),
    limitsUsed: limitsUsed(riskContext(state, symbol, now), oneSidedFills(state, symbol, now)),
    losses: lossesOf(state, symbol).map(({ code, loss, limit }) => ({
      code,
      loss: money(loss),
      limit: limit === null ? null : money(limit),
    })),
  };
}

function messagesView({ settings, durable }: Pick<TraderState, 'settings' | 'durable'>, now: EpochMs): MessagesView {
  const { maxPerSecond, maxPerMinute, maxPerDay } = settings.messageRate;
  return { ...messageCounts(durable.messages, now), maxPerSecond, maxPerMinute, maxPerDay };
}

const money = (value: Value): string => plain(valueDecimal(value).toDecimalPlaces(8));

const countsOf = (counts: ReadonlyMap<string, number>): CodeCount[] =>
  [...counts].map(([code, count]) => ({ code, count }));

/**
 * One sentence each: `Volatility: 2.31 bps per √s, of 45 samples, the last 3 s old.` What is made of
 * public trades is left out where nobody has these read.
 */
export function estimateSentences({ knowledge }: Pick<Market, 'knowledge'>): readonly string[] {
  const { volatilityBpsPerSqrtSecond: volatility, tradesPerSecond, intensity } = knowledge.estimates;
  const sentences = [sentence('Volatility', volatility, (value) => `${value.toFixed(2)} bps per √s`)];
  if (knowledge.needs.trades !== true) return sentences;
  return [
    ...sentences,
    sentence('Public trades', tradesPerSecond, (value) => `${(value * 60).toFixed(1)} a minute`),
    sentence('Takers that sell', intensity.buy, takerWords),
    sentence('Takers that buy', intensity.sell, takerWords),
  ];
}

const takerWords = ({ perSecond, decayPerBps }: Intensity): string =>
  `${(perSecond * 60).toPrecision(3)} a minute at the mid price, 37 % of them at ${(1 / decayPerBps).toFixed(0)} bps`;

function sentence<T>(name: string, estimate: Estimate<T>, words: (value: T) => string): string {
  if (estimate.kind === 'unknown') return `${name}: unknown. ${estimate.why}`;
  const { value, samples, ageMs } = estimate;
  return `${name}: ${words(value)}, of ${Math.round(samples)} samples, the last ${(ageMs / 1_000).toFixed(0)} s old.`;
}

/** Null where nothing was told. */
function externalView(
  { external, externalReading: reading }: Pick<Market, 'external' | 'externalReading'>,
  now: EpochMs,
): ExternalView | null {
  if (external === null || reading === null) return null;
  const price = externalPriceAt(external, now);
  const isKnown = price.kind === 'known';
  return {
    price: isKnown ? plain(price.price) : null,
    why: isKnown ? null : price.why,
    asOf: isKnown ? now - price.ageMs : null,
    widenBps: isKnown ? price.widenBps : 0,
    sources: reading.legs.map((leg) => ({
      source: leg.source,
      price: plain(leg.price.toSignificantDigits(SHOWN_DIGITS)),
      asOf: leg.asOf,
    })),
    staleMs: reading.guards.staleMs,
  };
}

const SHOWN_DIGITS = 12;

/** As page, commands and logs show it. */
export const unmatchedView = ({ row, mayBeOurs }: UnmatchedRow): UnmatchedOrderView => ({
  symbol: row.symbol,
  orderId: row.orderId,
  side: row.side,
  price: plain(row.price),
  quantity: plain(row.remainingQuantity),
  mayBeOurs,
});
