// The list of own open orders: its rows of our intents, intents that it lacks, and rows that are not ours.
import { Decimal, plain } from '../../domain/decimal.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { Read } from '../../venue/outcomes.ts';
import type { ReadRequest } from '../../venue/requests.ts';
import { haltForLaterOrders } from '../account/stale-journal.ts';
import { longestListGapMs } from '../contact/responsive.ts';
import { liveIntents } from '../durable/durable.ts';
import type { Intent } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import { judgeBook } from '../knowledge/record-reads.ts';
import { takesEffectBy } from '../orders/proofs.ts';
import { adoptFromOrders } from '../orders/resolve.ts';
import { endWaiting, mayBeAltered, recordUnmatchedOrders } from '../orders/unmatched-orders.ts';
import { isAlike, unresolvedOf } from '../policy/attribution/match.ts';
import { askAbout, orderWords } from '../policy/attribution/questions.ts';
import { policyOf } from '../policy/policy-of.ts';
import type { Market } from '../state/market.ts';
import { seenOf, seenToChange } from '../state/seen.ts';
import type { SessionFacts } from '../state/session.ts';
import { lagBoundMs, touch, type With } from '../state/state.ts';
import { countFailedRead, need, type OpenOrdersSurface, recordGoodRead } from '../state/surfaces.ts';
import { emit, haltSymbol, intentNotice, notice, type Step, type Turn } from '../state/turn.ts';
import { extendStopProof, unproveStop } from './stopping.ts';

/** Own orders are read symbol by symbol for this long after a page for the whole account may have been cut. */
const SCOPED_FOR_MS = 10 * 60_000;

/** The list of one market, or of the whole account. */
export function observeOpenOrders(
  turn: Turn,
  markets: readonly Market[],
  { symbol: only }: ReadRequest<'open-orders'>,
  read: Read<readonly OpenOrder[]>,
): void {
  const { state } = turn;
  if (!read.complete && only === undefined) state.requests.scopedOrdersUntil = turn.now + SCOPED_FOR_MS;
  if (!read.complete) {
    const message = read.incompleteBecause ?? 'The list of own orders may be cut.';
    notice(turn, { level: 'warn', op: 'read-failed', message, ...(only === undefined ? {} : { symbol: only }) });
  }
  haltForLaterOrders(turn, markets, read);
  if (only === undefined) policyOf(state.settings).takeOtherMarkets(turn, read.rows);
  if (only === undefined && read.complete)
    state.otherMarkets = read.rows.filter((row) => !state.markets.has(row.symbol));
  for (const market of markets)
    observeMarket(turn, market, { ...read, rows: read.rows.filter((row) => row.symbol === market.symbol) });
}

function observeMarket(turn: Turn, market: Market, listed: Read<readonly OpenOrder[]>): void {
  const { state } = turn;
  const { symbol, openOrders: surface } = market;
  if (unresolvedOf(state.durable, symbol).length > 0) adoptFromOrders(turn, market, listed);
  const byId = new Map(listed.rows.map((row) => [row.orderId, row]));
  // Orders that it shows are open in any case.
  const read = flagMassClose(turn, market, { read: listed, byId }) ? { ...listed, complete: false } : listed;
  for (const intent of liveIntents(state.durable, symbol))
    observeIntent(turn, market, intent, { read, row: rowOf(byId, intent) });
  reopenClosed(turn, market, read);
  recordUnmatchedOrders(turn, market, read);
  judgeBook(turn, market);
  endWaiting(market, turn.now);
  if (!read.complete) {
    unproveStop(state.durable, market, read.rows);
    return countFailedRead(surface);
  }
  surface.unmatchedRows = read.rows.filter((row) => !state.durable.orders.byOrderId.has(row.orderId));
  if (isAfterGap(state, surface, read.sentAt)) surface.readSince = read.sentAt;
  if (surface.sentAt !== null && read.sentAt > surface.sentAt) surface.beforeSentAt = surface.sentAt;
  recordGoodRead(surface, read.sentAt);
  extendStopProof(turn, market, read);
}

/** Whether this list comes after a gap; if lists are always as rare as this one, they leave no gaps. */
function isAfterGap(
  state: With<'settings' | 'markets' | 'otherBooks' | 'requests'>,
  { sentAt, beforeSentAt }: OpenOrdersSurface,
  nowSentAt: EpochMs,
): boolean {
  if (sentAt === null) return true;
  const before = beforeSentAt === null ? 0 : sentAt - beforeSentAt;
  return nowSentAt - sentAt > Math.max(longestListGapMs(state), 2 * before);
}

/**
 * More than half of the own orders that this list must hold are missing from it, as when an outage is answered with an
 * empty list (F38): a single such list proves no absence, and is read again before anything is concluded. The next one
 * is trusted. True if this is the first.
 */
function flagMassClose(
  turn: Step<'settings' | 'orders'>,
  market: Market,
  { read, byId }: { read: Read<readonly OpenOrder[]>; byId: ReadonlyMap<OrderId, OpenOrder> },
): boolean {
  const { state } = turn;
  const { symbol, openOrders: surface } = market;
  if (!read.complete) return false;
  const open = liveIntents(state.durable, symbol).filter((intent) => intent.state === 'open');
  const listed = open.filter((intent) => rowOf(byId, intent) !== undefined);
  const gone = open.filter((intent) => rowOf(byId, intent) === undefined && isGone(state, intent, read.sentAt));
  const before = surface.massCloseSentAt;
  const suspicious = gone.length >= 2 && gone.length > listed.length;
  surface.massCloseSentAt = suspicious ? (before ?? read.sentAt) : null;
  if (!suspicious || (before !== null && read.sentAt > before)) return false;
  need(surface, turn.now);
  const message =
    `${gone.length} of ${gone.length + listed.length} own orders are missing from one list: ` +
    'it is read again before the bot acts on it.';
  notice(turn, { level: 'warn', op: 'mass-close', symbol, message });
  return true;
}

const rowOf = (byId: ReadonlyMap<OrderId, OpenOrder>, intent: Intent): OpenOrder | undefined =>
  intent.orderId === null ? undefined : byId.get(intent.orderId);

function observeIntent(
  turn: Step<'settings' | 'session' | 'orders'>,
  market: Market,
  intent: Intent,
  { read, row }: { read: Read<unknown>; row: OpenOrder | undefined },
): void {
  if (row) observeListed(turn, market, intent, row, read.sentAt);
  else if (read.complete && isGone(turn.state, intent, read.sentAt)) {
    const listed = seenOf(turn.state.orders, intent.intentId).listedAt !== null;
    intentNotice(turn, intent, {
      level: 'debug',
      op: 'closing',
      message: `Order ${intent.orderId ?? ''} is ${listed ? 'no longer' : 'not'} listed: its fills are counted.`,
    });
    const reads = { orders: [read.sentAt] };
    emit(turn, { type: 'listed', payload: { intentId: intent.intentId, listed: false, reads, at: turn.now } });
    touch(market);
  }
}

/**
 * Absence proves something only in a list that left after the exchange named the order, and after the lists' lag (F12).
 * An order whose create was answered late may be no older than the answer, or than the horizon.
 */
function isGone({ settings, orders }: With<'settings' | 'orders'>, intent: Intent, sentAt: EpochMs): boolean {
  if (intent.state !== 'open' && intent.state !== 'cancel-sent') return false;
  const { cancel, listedAt } = seenOf(orders, intent.intentId);
  if (cancel !== null && cancel.answeredAt === null) return false;
  const from = intent.state === 'open' ? Math.min(intent.since, intent.horizon) : intent.sentAt;
  return listedAt !== null ? sentAt > listedAt : sentAt >= from + lagBoundMs(settings) && sentAt > intent.since;
}

function observeListed(
  turn: Step<'settings' | 'session' | 'orders'>,
  market: Market,
  intent: Intent,
  row: OpenOrder,
  sentAt: EpochMs,
): void {
  const { state } = turn;
  const order = seenToChange(state.orders, intent.intentId);
  order.listedAt = Math.max(sentAt, order.listedAt ?? 0);
  order.shownFilled = Decimal.max(row.executedQuantity, order.shownFilled);
  adoptValues(turn, market, intent, row);
  if (row.executedQuantity.gt(intent.filled)) need(market.trades, turn.now);
  if (order.cancel !== null && isBelied(state, intent, sentAt)) {
    order.cancel.acknowledged = false;
    if (intent.state === 'cancel-sent')
      intentNotice(turn, intent, {
        level: 'warn',
        op: 'cancel-ineffective',
        message: `Order ${row.orderId} is still listed after its cancel: it is sent again.`,
      });
  }
  if (intent.state !== 'closing') return;
  // The acknowledged cancel may still be true, with this list only late: then the order is gone.
  const believed = Math.max(intent.since, takesEffectBy(state, intent)) + lagBoundMs(state.settings);
  if (sentAt >= believed) reopen(turn, market, intent);
}

/**
 * Whether a list that shows the order disproves its acknowledged cancel: until the cancel has reached the book, and for
 * a lag afterward, a list may rightly show the order. A disproved acknowledgement proves nothing any more, whatever
 * later lists lack.
 */
function isBelied(state: With<'settings' | 'orders'>, intent: Intent, sentAt: EpochMs): boolean {
  const { cancel } = seenOf(state.orders, intent.intentId);
  if (cancel === null || cancel.answeredAt === null) return false;
  return cancel.acknowledged && sentAt >= takesEffectBy(state, intent) + lagBoundMs(state.settings);
}

/** The exchange keeps the order with another price or quantity than was sent (F16): the exchange's values count. */
function adoptValues(turn: Step<'session'>, market: Market, intent: Intent, row: OpenOrder): void {
  if (row.type !== 'limit' || isAlike(intent, row)) return;
  if (!mayBeAltered(intent, row)) return haltForOther(turn, market, intent, row);
  const [price, quantity] = [plain(row.price), plain(row.originalQuantity)];
  emit(turn, { type: 'order-differs', payload: { intentId: intent.intentId, price, quantity, at: turn.now } });
  const message =
    `Order ${row.orderId} is ${quantity} @ ${price} on the exchange and was sent as ${plain(intent.quantity)} @ ` +
    `${plain(intent.price)}.`;
  intentNotice(turn, intent, { level: 'page', op: 'order-differs', message });
  touch(market);
}

/**
 * A create got another one's answer: the order with that id was not sent by it, and which order is ours is unknown
 * (F79).
 */
function haltForOther(turn: Step<'session'>, market: Market, intent: Intent, row: OpenOrder): void {
  const sent = `${intent.side} ${plain(intent.quantity)} @ ${plain(intent.price)}`;
  const message =
    `The exchange named ${orderWords(row)} for our ${sent}: it is another order. Cancel unwanted orders by hand, ` +
    'then resume the symbol.';
  haltSymbol(turn, market, message, 'order-unknown');
}

function reopen(turn: Step, market: Market, intent: Intent): void {
  const belied = intent.cancel === 'acknowledged' ? ({ belied: true } as const) : {};
  emit(turn, { type: 'listed', payload: { intentId: intent.intentId, listed: true, ...belied, at: turn.now } });
  intentNotice(turn, intent, {
    level: 'warn',
    op: 'reopened',
    message: `Order ${intent.orderId ?? ''} is listed again.`,
  });
  touch(market);
}

/**
 * An order that a list shows a lag bound after it was proved closed is open again, and is canceled like all orders of a
 * halted symbol (F33). One with other values than were sent is not ours, even if it was attributed to us.
 */
function reopenClosed(
  turn: Step<'settings' | 'session' | 'orders'>,
  market: Market,
  read: Read<readonly OpenOrder[]>,
): void {
  const { state } = turn;
  const { orders } = state.durable;
  for (const row of read.rows) {
    const id = orders.byOrderId.get(row.orderId);
    const closed = id === undefined ? undefined : orders.closed.get(id);
    if (id === undefined || closed === undefined) continue;
    if (row.type !== 'limit' || !mayBeAltered(closed, row)) {
      askAboutOther(turn, market, closed, row);
      continue;
    }
    if (read.sentAt < closedFrom(state.session, closed, turn.now) + lagBoundMs(state.settings)) continue;
    // Trades prove that all of it has filled: only the list is late.
    const mayRest = row.originalQuantity.gt(closed.filled);
    if (!mayRest && marketIn(state.durable, market.symbol).halt !== null) continue;
    const then = mayRest ? ': it is canceled again' : '';
    const message = `Order ${row.orderId} is listed although it was proved closed${then}.`;
    intentNotice(turn, closed, { level: 'warn', op: 'stray-order', message });
    // The next proof would be as wrong: an assumption about the exchange does not hold.
    haltSymbol(turn, market, `${message} Its lists trail by more than assumptions.readLagBoundMs.`, 'answers-untrue');
    if (!mayRest) continue;
    const reads = { orders: [read.sentAt] };
    emit(turn, { type: 'listed', payload: { intentId: id, listed: true, reads, at: turn.now } });
    const open = orders.intents.get(id);
    if (open !== undefined) observeListed(turn, market, open, row, read.sentAt);
    touch(market);
  }
}

/**
 * Another order closed the create: fills don't show the size of their order (decision 0015). From now on it belongs to
 * no intent, and none of our cancels is for it.
 */
function askAboutOther(turn: Step<'session'>, market: Market, intent: Intent, row: OpenOrder): void {
  const sent = `${intent.side} ${plain(intent.quantity)} @ ${plain(intent.price)}`;
  const message =
    `A list shows ${orderWords(row)}, which was held for our ${sent}: it is another order, and is left alone. What ` +
    "is booked of it stays the bot's. Look it up at the exchange, then resume the symbol: with --adopt-orders where " +
    "it is the bot's.";
  askAbout(turn, market, { orders: [row.orderId], as: 'other', rows: [row], message });
}

/**
 * By our current clock: orders closed by an earlier session were closed before this one began, whatever the clock was
 * set to since.
 */
function closedFrom(session: SessionFacts, { since }: Intent, now: EpochMs): EpochMs {
  return since >= session.startedAt && since <= now ? since : session.startedAt;
}
