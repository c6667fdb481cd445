// Unmatched orders: orders on the account that no intent owns. They are a third party's, or a second order that the
// exchange wrongly made of one of ours.
import { Decimal } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Read } from '../../venue/outcomes.ts';
import { type Durable, liveIntents } from '../durable/durable.ts';
import type { Intent } from '../durable/intent.ts';
import {
  bookedBefore,
  filledBy,
  isAlike,
  isUnresolved,
  mayBeInTime,
  mayBeOf,
  originalAmong,
  unresolvedOf,
  wasThereBefore,
} from '../policy/attribution/match.ts';
import { askAbout, isQuestioned, isThirdParty, orderWords } from '../policy/attribution/questions.ts';
import { policyOf } from '../policy/policy-of.ts';
import type { Market } from '../state/market.ts';
import type { With } from '../state/state.ts';
import { need } from '../state/surfaces.ts';
import { notice, type Step, type Turn } from '../state/turn.ts';

/**
 * Records rows that no intent owns, after adoption has run. The policy handles a possible duplicate, and an order that
 * is not ours.
 */
export function recordUnmatchedOrders(turn: Turn, market: Market, read: Read<readonly OpenOrder[]>): void {
  const { state } = turn;
  const policy = policyOf(state.settings);
  const { unmatched } = market.openOrders;
  for (const row of read.rows) {
    const { orderId } = row;
    if (state.durable.orders.byOrderId.has(orderId)) continue;
    const before = unmatched.get(orderId);
    const wasAsked = isQuestioned(state.durable, orderId);
    const waits = !wasAsked && mayBeNamedLater(state, market, row, read.complete);
    if (!waits && !wasAsked && !isThirdParty(state.durable, orderId)) {
      const original = originalOf(state.durable, market, row, turn.now);
      if (original && policy.takeDuplicate(turn, market, original, { row, sentAt: read.sentAt })) continue;
      const unrounded = original ? null : unroundedOf(state, market, row);
      if (unrounded) askAboutRounded(turn, market, unrounded, row);
    }
    const firstReceivedAt = before?.firstReceivedAt ?? read.receivedAt;
    unmatched.set(orderId, { row, firstReceivedAt, lastSentAt: read.sentAt, waits });
    if (wasAsked && before === undefined) notifyAgain(turn, market.symbol, row);
    if (!waits && !isQuestioned(state.durable, orderId)) policy.takeThirdPartyOrder(turn, row, before?.waits !== false);
  }
  forget(state, market, read);
}

/**
 * Whether the order may belong to an unanswered create, with values that the exchange changed a little (F16), or to one
 * that only a complete list can identify.
 */
const mayBeNamedLater = (
  state: With<'settings' | 'durable'>,
  market: Market,
  row: OpenOrder,
  complete: boolean,
): boolean =>
  liveIntents(state.durable, market.symbol).some(
    (intent) =>
      mayBeAlteredOnItsWay(market, intent, row) ||
      (!complete && policyOf(state.settings).ownerTrades && isUnresolved(intent) && mayBeAltered(intent, row)),
  );

/** Whether a listed order may belong to the intent, whose create is unanswered. */
export const mayBeAlteredOnItsWay = (market: Market, intent: Intent, row: OpenOrder): boolean =>
  intent.state === 'sent' && mayBeAltered(intent, row) && !wasThereBefore(market, intent, row.orderId);

/** An exchange rounds the sent values by at most this ratio. */
const ROUNDED_PRICE_RATIO = 0.001;
const ROUNDED_QUANTITY_RATIO = 0.05;

/** The unanswered create that this row may belong to, with values rounded by the exchange (F16). */
function unroundedOf(
  state: With<'settings' | 'session' | 'durable' | 'clock'>,
  market: Market,
  row: OpenOrder,
): Intent | null {
  const couldBe = (intent: Intent): boolean =>
    isRounded(intent, row) &&
    !wasThereBefore(market, intent, row.orderId) &&
    (!policyOf(state.settings).ownerTrades || mayBeInTime(state, intent, row));
  return unresolvedOf(state.durable, market.symbol).find(couldBe) ?? null;
}

/** Whether a row may have the sent values, rounded by the exchange (F16). */
function isRounded(intent: Intent, row: OpenOrder): boolean {
  return (
    row.type === 'limit' &&
    row.side === intent.side &&
    isRoundingOf(row.price, intent.price, ROUNDED_PRICE_RATIO) &&
    isRoundingOf(row.originalQuantity, intent.quantity, ROUNDED_QUANTITY_RATIO)
  );
}

/** Whether a row is so near to the sent values that the exchange may have changed them (F16). */
export function mayBeAltered(intent: Intent, row: OpenOrder): boolean {
  const off = (value: Decimal, sent: Decimal): Decimal => value.sub(sent).abs();
  return (
    row.type === 'limit' &&
    row.side === intent.side &&
    off(row.price, intent.price).lte(intent.price.mul(ROUNDED_PRICE_RATIO)) &&
    off(row.originalQuantity, intent.quantity).lte(intent.quantity.mul(ROUNDED_QUANTITY_RATIO))
  );
}

/**
 * Whether a value is another with its last digits rounded away: it differs by less than one unit of its own last digit.
 */
function isRoundingOf(rounded: Decimal, sent: Decimal, mostRatio: number): boolean {
  const off = rounded.sub(sent).abs();
  const zeros = /^\d*[1-9](0*)$/.exec(rounded.toFixed())?.[1]?.length ?? 0;
  const lastDigit = new Decimal(10).pow(zeros - rounded.decimalPlaces());
  return off.lt(lastDigit) && off.lte(sent.mul(mostRatio));
}

/**
 * Treated as absent, it would be an order that nobody owns; treated as ours, it might be the owner's. A person must
 * decide.
 */
function askAboutRounded(turn: Step<'session'>, market: Market, intent: Intent, row: OpenOrder): void {
  const sent = `${intent.side} ${intent.quantity.toFixed()} @ ${intent.price.toFixed()}`;
  const message =
    `${orderWords(row)} may be intent ${intent.intentId} (${sent}), kept with other values. Look it up at the ` +
    "exchange, then resume the symbol: with --adopt-orders where it is the bot's.";
  const intents = [intent.intentId];
  const question = { orders: [row.orderId], rows: [row], message: `O${message.slice(1)}`, intents };
  askAbout(turn, market, { ...question, as: 'near' });
}

/**
 * The own order that this row repeats: delivered twice to the exchange (F11), wrongly proved not placed, or with an
 * impossible time.
 */
function originalOf(durable: Durable, market: Market, row: OpenOrder, now: EpochMs): Intent | null {
  const couldBe = (intent: Intent): boolean => isAlike(intent, row) && !wasThereBefore(market, intent, row.orderId);
  return originalAmong(durable, { symbol: market.symbol, now }, couldBe);
}

/** After a restart a reader of the log finds the question again. */
function notifyAgain(turn: Step, symbol: InstrumentSymbol, row: OpenOrder): void {
  const message =
    `Order ${row.orderId} (${row.side} ${row.remainingQuantity.toFixed()} @ ${row.price.toFixed()}) may be the ` +
    `bot's: it is left alone until ${symbol} is resumed.`;
  notice(turn, { level: 'warn', op: 'orders-questioned', symbol, orderId: row.orderId, message });
}

/** An order missing for longer than any list can be behind is gone. */
function forget(state: With<'settings' | 'durable'>, market: Market, read: Read<unknown>): void {
  const { readLagBoundMs } = state.settings.assumptions;
  const { unmatched } = market.openOrders;
  for (const [orderId, order] of unmatched) {
    const isGone =
      order.lastSentAt + readLagBoundMs < read.sentAt && !tellsApart(state.durable, market.symbol, order.row);
    if (state.durable.orders.byOrderId.has(orderId) || isGone) unmatched.delete(orderId);
  }
}

/**
 * Whether its name differs from that of an unanswered create at its price: until that is settled, its fills could be
 * mistaken for a part of the create.
 */
const tellsApart = (durable: Durable, symbol: InstrumentSymbol, row: OpenOrder): boolean =>
  unresolvedOf(durable, symbol).some(
    (intent) => row.side === intent.side && row.price.eq(intent.price) && !isAlike(intent, row),
  );

// Unmatched fills: at the price of an unanswered create, for an order that no list has shown yet. They may be the
// owner's, of a smaller order, or of either of two such creates: a fill does not show the size of its order; a list
// does, as long as the order rests.

/**
 * Whether the fills of one order wait for a list to show it, because they may be part of an unknown create's order, or
 * of several. A resting order shows within the lag; one that no list shows by then is booked as the owner's, and as
 * ours if it turns out to be.
 */
export function waitForList(
  state: With<'settings' | 'durable' | 'clock'>,
  market: Market,
  found: readonly Fill[],
  now: EpochMs,
): boolean {
  const [first] = found;
  if (first === undefined) return false;
  const fills = [...bookedBefore(state.durable, first, first.orderId), ...found];
  const { openOrders: orders, trades } = market;
  const { unmatchedSince } = trades;
  const since = unmatchedSince.get(first.orderId) ?? now;
  const shows = since + state.settings.assumptions.readLagBoundMs;
  if (!isUndecided(state, market, fills) || (orders.sentAt ?? 0) >= shows) {
    unmatchedSince.delete(first.orderId);
    return false;
  }
  unmatchedSince.set(first.orderId, since);
  need(orders, (orders.sentAt ?? 0) < since ? now : shows);
  return true;
}

function isUndecided(state: With<'settings' | 'durable' | 'clock'>, market: Market, fills: readonly Fill[]): boolean {
  if (fills.some(({ orderId }) => state.durable.orders.byOrderId.has(orderId))) return false;
  const couldBe = unresolvedOf(state.durable, market.symbol).filter((intent) => mayBeOf(state, market, intent, fills));
  if (couldBe.some(({ quantity }) => filledBy(fills).eq(quantity))) return false;
  return couldBe.length > (policyOf(state.settings).ownerTrades ? 0 : 1);
}

/** A list was read: fills that waited for it are checked again. */
export function endWaiting(market: Market, now: EpochMs): void {
  const trades = market.trades;
  if (trades.unmatchedSince.size === 0) return;
  trades.failures = 0;
  need(trades, now);
}
