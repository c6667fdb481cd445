// Own trades into the ledger: each once, to its order, as soon as the order's owner is known.
import { plain } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import { compareTradeIds, type IntentId } from '../../domain/ids.ts';
import { opposite } from '../../domain/order.ts';
import { bookedAs, checkTrade } from '../../ledger/booked-trades.ts';
import { type BookableFill, bookable } from '../../ledger/fill-entries.ts';
import { balanceOf } from '../../ledger/ledger.ts';
import { haltForLaterTrade } from '../account/stale-journal.ts';
import { type Durable, keepsOf, liveIntents } from '../durable/durable.ts';
import { toFillRecord } from '../durable/fold/fill-record.ts';
import { marketIn } from '../durable/market.ts';
import { correctTrade } from '../money/corrections.ts';
import { fillPriceText } from '../money/trusted-price.ts';
import { closeFilled } from '../orders/close.ts';
import { adoptFromFills } from '../orders/resolve.ts';
import { mayBeAlteredOnItsWay, waitForList } from '../orders/unmatched-orders.ts';
import { couldHaveFilled, wasThereBefore } from '../policy/attribution/match.ts';
import { policyOf } from '../policy/policy-of.ts';
import type { Market } from '../state/market.ts';
import type { RunSettings } from '../state/settings.ts';
import { touchAll, unknownAssets } from '../state/state.ts';
import { need } from '../state/surfaces.ts';
import { emit, haltSymbol, intentNotice, notice, type Step, type Turn } from '../state/turn.ts';

/**
 * Books new rows. Returns the rows that wait, because their owner is known only when a create is answered (F13), or a
 * list is read.
 */
export function bookAll(turn: Turn, market: Market, rows: readonly Fill[]): readonly Fill[] {
  const own = rows.filter((row) => row.symbol === market.symbol);
  const standings = own.map((row) => correctedStanding(turn, market, row));
  for (const standing of standings)
    if (typeof standing === 'object') haltSymbol(turn, market, standing.unbookable, 'answers-untrue');
  const found = own
    .filter((_, index) => standings[index] === 'new')
    .sort((a, b) => compareTradeIds(a.tradeId, b.tradeId));
  const byOrder = [...Map.groupBy(found, ({ orderId }) => orderId)];
  const unlisted = byOrder.filter(([, fills]) => waitForList(turn.state, market, withoutRepeats(fills), turn.now));
  const onTheirWay = byOrder.filter(([, fills]) => isOnItsWay(turn.state.durable, market, fills));
  const waiting = new Set([...unlisted, ...onTheirWay].map(([id]) => id));
  // Later rows wait as well: the cursor must not pass unbooked ones.
  const holding = found.findIndex(({ orderId }) => waiting.has(orderId));
  const fresh = holding < 0 ? found : found.slice(0, holding);
  if (fresh.length > 0) {
    adoptFromFills(turn, market, withoutRepeats(fresh));
    policyOf(turn.state.settings).takeFilledDuplicates(turn, market, withoutRepeats(fresh));
    // Checked again: a page may hold a row twice (F47).
    for (const fill of fresh)
      if (standingOf(turn.state.durable, fill).standing === 'new') book(turn, market, fill, fresh);
    closeFilled(turn, market);
    need(turn.state.wallet, turn.now);
    touchAll(turn.state);
  }
  return holding < 0 ? [] : found.slice(holding);
}

/** A trade with ourselves is two rows of one id. */
export const withoutRepeats = (fills: readonly Fill[]): Fill[] => [
  ...new Map(fills.map((fill) => [`${fill.tradeId} ${fill.side}`, fill])).values(),
];

/** Whether the fills, all of one order, may belong to an unanswered create. */
function isOnItsWay(durable: Durable, market: Market, fills: readonly Fill[]): boolean {
  const [first] = fills;
  if (first === undefined || durable.orders.byOrderId.has(first.orderId)) return false;
  // If a list shows that the exchange keeps the order with other values (F16), its fills have that price.
  const listed = market.openOrders.unmatched.get(first.orderId)?.row;
  return liveIntents(durable, market.symbol).some(
    (intent) =>
      (intent.state === 'sent' && couldHaveFilled(intent, fills) && !wasThereBefore(market, intent, first.orderId)) ||
      (listed !== undefined && mayBeAlteredOnItsWay(market, intent, listed)),
  );
}

/**
 * A row's relation to the ledger: from before the opening, new, booked with the same content, booked with other
 * content, or not bookable.
 */
type Standing = 'before' | 'new' | 'same' | 'corrected' | { readonly unbookable: string };

function standingOf(durable: Durable, fill: Fill): { standing: Standing; checked: BookableFill | null } {
  const checked = bookable(fill);
  const standing = checked.ok ? checkTrade(durable.books.booked, checked.value) : 'new';
  // A trade of before may be booked as well: it was read while its market waited to be opened.
  if (standing === 'new' && isOfBefore(durable, fill)) return { standing: 'before', checked: null };
  if (!checked.ok) return { standing: { unbookable: checked.error }, checked: null };
  return { standing, checked: checked.value };
}

/**
 * The standing of a row before its correction, which is booked at once. New rows stay new: corrections only apply to
 * booked trades.
 */
function correctedStanding(turn: Step<'session' | 'wallet'>, market: Market, fill: Fill): Standing {
  const { standing, checked } = standingOf(turn.state.durable, fill);
  if (standing === 'corrected' && checked !== null) correctTrade(turn, market, fill, checked);
  return standing;
}

/** It happened before the ledger was opened. */
function isOfBefore(durable: Durable, fill: Fill): boolean {
  const opening = marketIn(durable, fill.symbol).openingCursor;
  return opening !== null && compareTradeIds(fill.tradeId, opening.tradeId) <= 0;
}

function book(turn: Turn, market: Market, fill: Fill, page: readonly Fill[]): void {
  const { state } = turn;
  const id = state.durable.orders.byOrderId.get(fill.orderId) ?? null;
  const mid = fillPriceText(market);
  notifyUntrackedFee(turn, fill);
  emit(turn, { type: 'fill', payload: { fill: toFillRecord(fill), intentId: id, mid, at: turn.now } });
  // Whether the wallet that is to open the fee's asset includes it is unknown.
  if (unknownAssets(state).has(fill.commissionAsset)) state.reconciliation.newTrades += 1;
  if (id === null && !haltForLaterTrade(turn, market, fill, page))
    policyOf(state.settings).takeThirdPartyTrade(
      turn,
      `trade ${fill.tradeId} of order ${fill.orderId} (${fill.symbol})`,
    );
  const late = id !== null && state.durable.orders.closed.has(id);
  const verb = fill.side === 'buy' ? 'Bought' : 'Sold';
  const whose = late ? ' on an order recorded as closed' : id === null ? ' on an order that is not the bot’s' : '';
  notice(turn, {
    level: late ? 'page' : id === null ? 'warn' : 'info',
    op: late ? 'late-fill' : id === null ? 'external-fill' : 'fill',
    symbol: fill.symbol,
    orderId: fill.orderId,
    message: `${verb} ${plain(fill.quantity)} @ ${plain(fill.price)} (${fill.liquidity})${whose}.`,
  });
  if (id !== null) {
    checkOverfill(turn, market, id);
    notifyExpensiveTrade(turn, market.run, fill);
  }
  checkSelfTrade(turn, fill);
}

/** Notifies of the first fee in an asset that no run trades: it has no price here, and so counts in no profit (F49). */
function notifyUntrackedFee(turn: Step, { tradeId: id, symbol, commission, commissionAsset: asset }: Fill): void {
  const { durable } = turn.state;
  if (keepsOf(durable)(asset) || balanceOf(durable.books.ledger, asset, 'fees') !== 0n) return;
  const message = `The fee of trade ${id} was ${plain(commission)} ${asset}: no run trades it, so it is in no profit.`;
  notice(turn, { level: 'warn', op: 'fill-dearer', symbol, message });
}

/**
 * More filled than was ordered (M4): it is booked as it is, with a notice, and nothing more is placed before a person
 * has looked.
 */
function checkOverfill(turn: Step<'session'>, market: Market, id: IntentId): void {
  const { durable } = turn.state;
  const intent = durable.orders.intents.get(id) ?? durable.orders.closed.get(id);
  if (!intent?.filled.gt(intent.quantity)) return;
  const [filled, quantity] = [plain(intent.filled), plain(intent.quantity)];
  const message = `${filled} of order ${intent.orderId ?? id} are filled, and it was of ${quantity}.`;
  intentNotice(turn, intent, { level: 'page', op: 'overfill', message });
  haltSymbol(turn, market, message, 'answers-untrue');
}

/** Both sides are ours (F51): two bookings that only move fee and tax. */
function checkSelfTrade(turn: Step, { symbol, tradeId: id, side }: Fill): void {
  const other = bookedAs(turn.state.durable.books.booked, { symbol, tradeId: id, side: opposite(side) });
  if (other === null) return;
  const message = `Trade ${id} is a self-trade: both sides are the account's.`;
  notice(turn, { level: 'page', op: 'self-trade', symbol, message });
}

// The costs of own trades, against the configured fees and tax.

/** Q11: charges are rounded to eight decimals. */
export const ROUNDING = 1e-8;

/** One sentence; null if it cost no more. Only charges in quote can be compared with a ratio of quote. */
export function whyExpensive(
  fill: Fill,
  { costs, instrument }: Pick<RunSettings, 'costs' | 'instrument'>,
): string | null {
  const { side, tradeId: id, commission, commissionAsset, quoteQuantity: notional, liquidity, tds } = fill;
  if (!notional.gt(0)) return null;
  const percent = (part: typeof tds): string => plain(part.div(notional).mul(100).toDecimalPlaces(4));
  const fee = notional.mul(liquidity === 'maker' ? costs.makerFeeRatio : costs.takerFeeRatio);
  if (commissionAsset === instrument.quote && commission.gt(fee.add(ROUNDING)))
    return `Trade ${id} cost ${percent(commission)} %, more than the configured fee with its tax.`;
  if (side === 'sell' && tds.gt(notional.mul(costs.tdsRatio).add(ROUNDING)))
    return `Trade ${id} had ${percent(tds)} % withheld as tax, more than tdsRatio.`;
  return null;
}

/** Configured costs put the floor under every quote: notified once per set of parameters. */
function notifyExpensiveTrade(turn: Step<'session'>, run: RunSettings, fill: Fill): void {
  const { expensiveNotified } = turn.state.session;
  const why = expensiveNotified.has(run) ? null : whyExpensive(fill, run);
  if (why === null) return;
  expensiveNotified.add(run);
  const message = `${why} Quotes earn less than intended: set costs to the exchange’s charges.`;
  notice(turn, { level: 'warn', op: 'fill-dearer', symbol: fill.symbol, message });
}
