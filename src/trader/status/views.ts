// Parts of the snapshot as plain data: orders, money, risk, messages and reference prices. Decimals are text.
import { type Decimal, decimal, plain, ZERO } from '../../domain/decimal.ts';
import type { IntentId } from '../../domain/ids.ts';
import type { Side } from '../../domain/order.ts';
import type { Level, OrderBook } from '../../domain/order-book.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Estimate, Intensity } from '../../estimates/estimate.ts';
import { amountText, NO_AMOUNT, subtract, type Value, valueDecimal } from '../../ledger/amount.ts';
import { balanceOf, expectedTotal } from '../../ledger/ledger.ts';
import { markPnl, type Pnl, pnlParts } from '../../ledger/pnl.ts';
import { type LimitUse, limitsUsed, shareOf, WATCHED_LIMITS } from '../../quoting/risk/exposure-checks.ts';
import { lossesOf } from '../decision/limits.ts';
import { cashRunwayOf } from '../decision/portfolio.ts';
import { oneSidedFills } from '../decision/protections.ts';
import { haltOf } from '../decision/readiness.ts';
import { externalPriceAt } from '../decision/reference.ts';
import { messageCounts, riskContext } from '../decision/view.ts';
import { toFillRecord } from '../durable/fold/fill-record.ts';
import { type Intent, remainingOf, reservedIn } from '../durable/intent.ts';
import { type DurableMarket, FILLS_SHOWN, marketIn } from '../durable/market.ts';
import type { TrustedPrice } from '../money/trusted-price.ts';
import { isQuestionOver, type UnmatchedRow } from '../orders/in-question.ts';
import type { Market } from '../state/market.ts';
import type { RunSettings } from '../state/settings.ts';
import { assetsOf, type TraderState, type With } from '../state/state.ts';
import { type Standing, standingOf } from './standing.ts';

export const rounded = (value: Decimal): number => value.toDecimalPlaces(2).toNumber();

/** Between our best live bid and ask, in basis points of their middle. */
export function quotedSpread(
  orders: readonly { readonly side: Side; readonly price: string; readonly standing: Standing }[],
): number | null {
  const live = orders.filter(({ standing }) => standing === 'live');
  const bids = live.filter(({ side }) => side === 'buy').map(({ price }) => decimal(price));
  const asks = live.filter(({ side }) => side === 'sell').map(({ price }) => decimal(price));
  const [bid] = bids.toSorted((a, b) => b.cmp(a));
  const [ask] = asks.toSorted((a, b) => a.cmp(b));
  if (!bid || !ask) return null;
  return rounded(ask.sub(bid).div(ask.add(bid).div(2)).mul(10_000));
}

/** Levels of the book that are shown on each side. */
const LEVELS_SHOWN = 12;

export function levelViews(book: OrderBook | null, intents: readonly Intent[], side: Side) {
  const levels: readonly Level[] = (side === 'buy' ? book?.bids : book?.asks) ?? [];
  return levels.slice(0, LEVELS_SHOWN).map(({ price, quantity }) => {
    const own = intents
      .filter((intent) => intent.side === side && intent.state === 'open' && intent.price.eq(price))
      .reduce((sum, intent) => sum.add(remainingOf(intent)), ZERO);
    /** `own`: our part of the level. */
    return { price: plain(price), quantity: plain(quantity), own: plain(own) };
  });
}

interface OrderFacts {
  readonly reference: Decimal | null;
  /** Orders that the decision cancels. */
  readonly leaving: ReadonlySet<IntentId>;
}

export function orderView(intent: Intent, { reference, leaving }: OrderFacts) {
  const { intentId, orderId }: { readonly intentId: string; readonly orderId: string | null } = intent;
  const away =
    reference === null ? null : intent.side === 'buy' ? reference.sub(intent.price) : intent.price.sub(reference);
  return {
    intentId,
    orderId,
    side: intent.side,
    level: Number(intent.slot.split(':')[1] ?? 0),
    price: plain(intent.price),
    quantity: plain(intent.quantity),
    filled: plain(intent.filled),
    state: intent.state,
    /** Whether it counts as live: page, metrics, log and `status` count by this. */
    standing: standingOf(intent.state, leaving.has(intent.intentId)),
    sentAt: intent.sentAt,
    /** The parameter revision that placed it; 0 if unknown. */
    revision: intent.revision,
    /** From the reference price, positive away from the market. */
    distanceBps: away === null || reference === null ? null : rounded(away.div(reference).mul(10_000)),
  };
}

/**
 * In quote, from the bot's own fills since the ledger was opened. total = spread + inventory − fees − (tax if it is
 * treated as a cost). Between fills the inventory stands still, so only the present price and those of the fills
 * matter.
 */
export function pnlView(pnl: Pnl, trusted: TrustedPrice | null, run: RunSettings) {
  const marked = markPnl(pnl, trusted?.price ?? null);
  const parts = pnlParts(marked, run.taxTreatment);
  return {
    spread: money(parts.spread),
    inventory: money(parts.drift),
    fees: money(parts.fees),
    taxWithheld: money(marked.tax),
    taxInTotal: run.taxTreatment === 'cost',
    total: money(parts.total),
    /** Holdings are valued at this price, seen at `pricedAt`; null if no price was ever trusted. */
    price: trusted && plain(trusted.price),
    pricedAt: trusted?.at ?? null,
    /** Fees in assets that have no price here: in no sum above. */
    otherFees: [...marked.unvaluedFees]
      .filter(([, amount]) => amount !== NO_AMOUNT)
      .map(([asset, amount]) => ({ asset, amount: amountText(amount) })),
  };
}

export function fillViews({ tally, recent }: Readonly<DurableMarket>) {
  return {
    fills: {
      buys: tally.buys,
      sells: tally.sells,
      takers: tally.takers,
      takerBuys: tally.takerBuys,
      quoteVolume: plain(tally.quoteVolume),
    },
    /** Newest first. */
    recentFills: recent
      .slice(-FILLS_SHOWN)
      .reverse()
      .map(({ fill, ours }) => {
        const { symbol: _symbol, orderId: _orderId, ...rest } = toFillRecord(fill);
        return { ...rest, ours };
      }),
  };
}

export function assetView(
  state: With<'durable' | 'markets' | 'reconciliation' | 'clock'>,
  asset: string,
  now: EpochMs,
) {
  const { books, differences, orders } = state.durable;
  const { ledger } = books;
  const confirmed = differences.byAsset.get(asset);
  const wallet = state.reconciliation.walletTotals.get(asset);
  const standing = state.reconciliation.standing.get(asset);
  const known = books.opened && assetsOf(state).has(asset) ? wallet : undefined;
  return {
    asset,
    /** The ledger's total, and the wallet's. */
    expected: amountText(expectedTotal(ledger, asset)),
    wallet: wallet === undefined ? null : amountText(wallet),
    difference: known === undefined ? null : amountText(subtract(known, expectedTotal(ledger, asset))),
    /** When the standing difference was confirmed; before that, when the first wallet with it came. */
    differsSince:
      confirmed?.since ?? (standing === undefined || standing.difference === NO_AMOUNT ? null : standing.since),
    /** Whether it has stood long enough to stop the asset's symbols. Before that, the wallet may lag behind a fill. */
    differenceStands: confirmed !== undefined,
    reserved: amountText(reservedIn(orders, asset)),
    feesPaid: amountText(balanceOf(ledger, asset, 'fees')),
    taxWithheld: amountText(balanceOf(ledger, asset, 'tax-withheld')),
    /** Days until the withheld tax equals all cash, at the turnover of the last hour. */
    cashRunwayDays: cashRunwayOf(state, asset, now).days,
  };
}

/** Denials and halts are counted since the start of the process. */
export function riskView(state: TraderState, market: Market, now: EpochMs) {
  const { symbol, denialCounts, haltCounts } = market;
  const used = limitsUsed(riskContext(state, market, now), oneSidedFills(state, symbol, now));
  return {
    halt: haltOf(state, market),
    /** Whether no order that a halt may ask about is open: then a running bot can be resumed from it. */
    isQuestionOver: isQuestionOver(state, market),
    locks: marketIn(state.durable, symbol).locks,
    denials: countsOf(denialCounts),
    halts: countsOf(haltCounts),
    /** `share`: used over most, so 1 is all of it. */
    limitsUsed: WATCHED_LIMITS.map((name) => limitView(name, used[name])),
    /** In quote; a negative loss is a profit. Empty before profit was first measured. */
    losses: lossesOf(state, market).map(({ code, loss, limit }) => ({
      code,
      loss: money(loss),
      limit: limit === null ? null : money(limit),
    })),
  };
}

const limitView = (name: (typeof WATCHED_LIMITS)[number], use: LimitUse) => ({
  ...{ name, share: shareOf(use), used: plain(use.used), most: use.most && plain(use.most), unit: use.unit },
});

/** Creates and cancels sent, over all symbols, and their limits. */
export function messagesView({ settings, durable }: With<'settings' | 'durable'>, now: EpochMs) {
  const { maxPerSecond, maxPerMinute, maxPerDay } = settings.messageRate;
  return { ...messageCounts(durable.messages, now), maxPerSecond, maxPerMinute, maxPerDay };
}

const money = (value: Value): string => plain(valueDecimal(value).toDecimalPlaces(8));

const countsOf = (counts: ReadonlyMap<string, number>) => [...counts].map(([code, count]) => ({ code, count }));

/**
 * One sentence each: `Volatility: 2.31 bps per √s, of 45 samples, the last 3 s old.` Estimates from public trades are
 * left out if these are not read.
 */
export function estimateSentences({ knowledge }: Pick<Market, 'knowledge'>): readonly string[] {
  const { volatilityBpsPerSqrtSecond: volatility, intensity } = knowledge.estimates;
  const sentences = [sentence('Volatility', volatility, (value) => `${value.toFixed(2)} bps per √s`)];
  if (knowledge.needs.trades !== true) return sentences;
  return [
    ...sentences,
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

/** The price from other exchanges and its sources; null without a reading. */
export function externalView(
  { external, externalReading: reading }: Pick<Market, 'external' | 'externalReading'>,
  now: EpochMs,
) {
  if (external === null || reading === null) return null;
  const price = externalPriceAt(external, now);
  const isKnown = price.kind === 'known';
  return {
    price: isKnown ? plain(price.price) : null,
    why: isKnown ? null : price.why,
    /** When the oldest source in it was asked. */
    asOf: isKnown ? now - price.ageMs : null,
    /** By how much quotes must be wider for its age and the disagreement of its sources. */
    widenBps: isKnown ? price.widenBps : 0,
    /** Includes those too old to count in it. */
    sources: reading.legs.map((leg) => ({
      source: leg.source,
      price: plain(leg.price.toSignificantDigits(SHOWN_DIGITS)),
      asOf: leg.asOf,
    })),
    staleMs: reading.guards.staleMs,
  };
}

const SHOWN_DIGITS = 12;

/** In the form that page, commands and logs show. */
export function unmatchedView({ row, mayBeOurs }: UnmatchedRow) {
  const { symbol, side }: { readonly symbol: string; readonly side: Side } = row;
  const orderId: string = row.orderId;
  const quantity = plain(row.remainingQuantity);
  /** `mayBeOurs`: only a person can tell whether it is the bot's. */
  return { symbol, orderId, side, price: plain(row.price), quantity, mayBeOurs };
}

export type UnmatchedOrderView = Readonly<ReturnType<typeof unmatchedView>>;
