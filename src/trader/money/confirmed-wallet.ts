// Which wallets confirm the ledger, and what they hold.
import { type Balance, totalOf } from '../../domain/balance.ts';
import { type Decimal, maxOf, ONE, ZERO } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds } from '../../domain/ids.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Amount, add, amountDecimal, amountOf, NO_AMOUNT, subtract } from '../../ledger/amount.ts';
import { bookable } from '../../ledger/fill-entries.ts';
import { confirmedAmount, type Differences } from '../durable/differences.ts';
import { liveIntents } from '../durable/durable.ts';
import { among, type Changes, changesOfFill } from '../durable/external-flow.ts';
import { type Intent, remainingOf } from '../durable/intent.ts';
import { policyOf } from '../policy/policy-of.ts';
import { liveOrderOf } from '../state/live-order.ts';
import { openedMarkets } from '../state/markets.ts';
import { lagBoundMs, marketOf, runOf, type TraderState, venueTimeAt } from '../state/state.ts';
import { need } from '../state/surfaces.ts';
import { notice, type Turn } from '../state/turn.ts';

/**
 * When the last wallet left that confirms what is booked of an order that may have filled since then; null where none
 * does. It equals the ledger, or it differs by just the confirmed difference, and no missed fill of the order is in
 * that: it had stood still for longer than any list may trail before the order may have filled, or it can't be a fill
 * of it, by its sign or its size.
 */
export function confirmedSentAt(state: TraderState, intent: Intent, since: EpochMs): EpochMs | null {
  const { equalSentAt, steadySentAt } = state.reconciliation;
  const { unexplainedSince } = state.durable.differences;
  if (unexplainedSince === null) return equalSentAt;
  if (since < unexplainedSince && mayHoldFill(state, intent)) return null;
  return Math.max(equalSentAt ?? 0, steadySentAt ?? 0);
}

/**
 * Whether what is not explained may hold a fill of the order. A fill moves both assets, by what is left of the market's
 * orders of that side at most: one trade may have filled them all. Two that undo each other in one asset would have to
 * be missed by the search for late trades as well: no difference is confirmed before that. A trade with the owner's own
 * order takes of the quote asset alone, by fees and tax, and never more than the orders are worth (F51).
 */
function mayHoldFill(state: TraderState, { intentId, symbol, side, filled }: Intent): boolean {
  const { instrument, costs } = runOf(state, symbol);
  const [ofBase, ofQuote] = [
    unexplainedOf(state.durable.differences, instrument.base),
    unexplainedOf(state.durable.differences, instrument.quote),
  ];
  const { ownerTrades } = policyOf(state.settings);
  // A fill of it is missing: beside it something else may have moved the wallet by any amount.
  if (liveOrderOf(state.orders, intentId).shownFilled.gt(filled))
    return ofQuote.length > 0 && (ofBase.length > 0 || ownerTrades);
  // A taker pays more than a maker, and both fees are the account's where it trades with itself.
  const most = maxOf(costs.makerFeeRatio, costs.takerFeeRatio).mul(2).add(costs.tdsRatio).add(ONE);
  const live = liveIntents(state.durable, symbol);
  const worth = sumOf(live, (each) => remainingOf(each).mul(each.price)).mul(most);
  const quantity = sumOf(
    live.filter((each) => each.side === side),
    remainingOf,
  ).mul(most);
  const isOwnTrade = ofQuote.some((by) => by.lt(0) && by.abs().lte(worth));
  if (ownerTrades && isOwnTrade) return true;
  const sign = side === 'buy' ? 1 : -1;
  // A sale may bring more than its price. Of several markets that differ the quote asset is in the sum of all.
  const isOfQuote = (by: Decimal): boolean => by.mul(sign).lt(0) && (side === 'sell' || by.abs().lte(worth));
  return (
    ofBase.some((by) => by.mul(sign).gt(0) && by.abs().lte(quantity)) &&
    (ofQuote.some(isOfQuote) || (ofQuote.length > 0 && differsElsewhere(state, instrument)))
  );
}

function sumOf(intents: readonly Intent[], of: (intent: Intent) => Decimal): Decimal {
  return intents.reduce((sum, intent) => sum.add(of(intent)), ZERO);
}

/** Whether the base of another market of the same quote asset differs. */
const differsElsewhere = (
  { settings, durable }: Pick<TraderState, 'settings' | 'durable'>,
  { base, quote }: { readonly base: Asset; readonly quote: Asset },
): boolean =>
  settings.runs.some(
    ({ instrument: other }) =>
      other.quote === quote && other.base !== base && unexplainedOf(durable.differences, other.base).length > 0,
  );

/** By what the wallet is confirmed to differ in the asset, and by what that has changed each time; else empty. */
function unexplainedOf(differences: Differences, asset: Asset): Decimal[] {
  const confirmed = differences.byAsset.get(asset);
  if (confirmed === undefined) return [];
  const amounts = [NO_AMOUNT, ...confirmed.earlier, confirmedAmount(confirmed)];
  return amounts
    .flatMap((amount, index) => amounts.slice(0, index).map((before) => subtract(amount, before)))
    .filter((amount) => amount !== NO_AMOUNT)
    .map(amountDecimal);
}

// A wallet that trails, while trades go on: it never equals the ledger of now, and proves as much when it equals the
// ledger of a moment before.

/**
 * Whether a wallet that was asked for at `sentAt` is, to the last digit and in these assets, what the ledger was before
 * the last trades, none of them older than a list may trail. Everything that is older is in both, so nothing is missing
 * from the ledger: what a wallet proves that equals it now, this one proves as well. `differs`: what it differs by.
 */
export function equalsEarlier(
  state: TraderState,
  { differs, assets: known }: { readonly differs: Changes; readonly assets: ReadonlySet<Asset> },
  sentAt: EpochMs,
): boolean {
  const lacks = new Map(differs);
  for (const fill of tradesSince(state, venueTimeAt(state, sentAt) - lagBoundMs(state.settings))) {
    const checked = bookable(fill);
    if (!checked.ok) return false;
    for (const [asset, by] of among(known, changesOfFill(checked.value)))
      lacks.set(asset, add(lacks.get(asset) ?? NO_AMOUNT, by));
    if ([...lacks.values()].every((amount) => amount === NO_AMOUNT)) return true;
  }
  return false;
}

/** Booked trades of every market since `from`, by the exchange's clock, the newest first. */
function tradesSince({ durable }: Pick<TraderState, 'durable'>, from: EpochMs): Fill[] {
  return [...durable.markets.values()]
    .flatMap(({ tally }) => tally.recent.map(({ fill }) => fill))
    .filter(({ venueTime }) => venueTime >= from)
    .sort((a, b) => b.venueTime - a.venueTime || compareTradeIds(b.tradeId, a.tradeId));
}

// A wallet as totals per asset, and the trades that must be read after it before it proves anything.

/** The totals of `assets`; an absent one counts as zero. Null, with a notice, where one of them is not exact. */
export function totalsOf(turn: Turn, rows: readonly Balance[], assets: ReadonlySet<Asset>): Map<Asset, Amount> | null {
  const totals = new Map<Asset, Amount>([...assets].map((asset) => [asset, NO_AMOUNT]));
  for (const row of rows) {
    if (!totals.has(row.asset)) continue;
    const total = amountOf(totalOf(row, turn.state.settings.assumptions.lockedIncludesStakingAndOtc));
    if (!total.ok) {
      notice(turn, { level: 'warn', op: 'read-failed', message: `The wallet's ${row.asset}: ${total.error}` });
      return null;
    }
    totals.set(row.asset, total.value);
  }
  return totals;
}

export function isSameTotals(a: ReadonlyMap<Asset, Amount>, b: ReadonlyMap<Asset, Amount>): boolean {
  return a.size === b.size && [...a].every(([asset, total]) => b.get(asset) === total);
}

/**
 * The opened markets whose own trades say whether something moved beside a wallet. One that the exchange neither lists
 * nor shows trades of is not waited for: nothing would ever be judged.
 */
export const judgedMarkets = (state: TraderState): InstrumentSymbol[] =>
  openedMarkets(state).filter((symbol) => {
    const { unavailable, trades } = marketOf(state, symbol);
    return unavailable === null || !trades.isRefused;
  });

export function needTradesAfter(
  { markets }: Pick<TraderState, 'markets'>,
  symbols: readonly InstrumentSymbol[],
  receivedAt: EpochMs,
): void {
  for (const symbol of symbols) {
    const trades = markets.get(symbol)?.trades;
    if (trades) need(trades, receivedAt);
  }
}

/** Whether the own trades of all of them were read to their end in requests that left since then. */
export function tradesReadSince(
  { markets }: Pick<TraderState, 'markets'>,
  symbols: readonly InstrumentSymbol[],
  moment: EpochMs,
): boolean {
  return symbols.every((symbol) => {
    const trades = markets.get(symbol)?.trades;
    return trades !== undefined && trades.sentAt !== null && trades.sentAt >= moment && !trades.morePages;
  });
}
