// Which wallets confirm what is booked of an order that ended, also while wallet and ledger differ.
import { type Decimal, maxOf, ONE, ZERO } from '../../domain/decimal.ts';
import type { Asset } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { add, amountDecimal, NO_AMOUNT } from '../../ledger/amount.ts';
import { confirmedAmount } from '../durable/differences/confirmed-difference.ts';
import { liveIntents } from '../durable/durable.ts';
import { type Intent, remainingOf } from '../durable/intent.ts';
import { policyOf } from '../policy/policy-of.ts';
import { liveOrderOf } from '../state/live-order.ts';
import { runOf, type TraderState } from '../state/state.ts';
import { suspenseOf } from './unexplained.ts';

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
  const [ofBase, ofQuote] = [unexplainedOf(state, instrument.base), unexplainedOf(state, instrument.quote)];
  const { ownerTrades } = policyOf(state);
  // A fill of it is missing: beside it something else may have moved the wallet by any amount.
  if (liveOrderOf(state, intentId).shownFilled.gt(filled))
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
  state: TraderState,
  { base, quote }: { readonly base: Asset; readonly quote: Asset },
): boolean =>
  state.settings.runs.some(
    ({ instrument: other }) =>
      other.quote === quote && other.base !== base && unexplainedOf(state, other.base).length > 0,
  );

/** What the wallet shows more of the asset than is explained: confirmed, in suspense, and both together. */
function unexplainedOf(state: TraderState, asset: Asset): Decimal[] {
  const confirmed = state.durable.differences.byAsset.get(asset);
  const differs = confirmed === undefined ? NO_AMOUNT : confirmedAmount(confirmed);
  const aside = suspenseOf(state).get(asset) ?? NO_AMOUNT;
  return [differs, aside, add(differs, aside)].filter((amount) => amount !== NO_AMOUNT).map(amountDecimal);
}
