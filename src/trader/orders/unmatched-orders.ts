// Unmatched orders: those on the account that no intent owns. They are a third party's, or a second order of one of
// ours that the exchange should not have made.
import { Decimal } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { Read } from '../../venue/outcomes.ts';
import { liveIntents } from '../durable/durable.ts';
import type { Intent } from '../durable/intent.ts';
import { isAlike, isUnresolved, originalAmong, unresolvedOf, wasThereBefore } from '../policy/attribution/match.ts';
import { askAbout, isQuestioned, isThirdParty, orderWords } from '../policy/attribution/questions.ts';
import { policyOf } from '../policy/policy-of.ts';
import { marketOf, type TraderState } from '../state/state.ts';
import type { UnmatchedOrder } from '../state/surfaces.ts';
import { notice, type Turn } from '../state/turn.ts';

/**
 * Takes note of the rows that nobody owns after adoption had its turn. The policy says what is done about a possible
 * duplicate, and about an order that is not ours.
 */
export function noteUnmatchedOrders(turn: Turn, symbol: InstrumentSymbol, read: Read<readonly OpenOrder[]>): void {
  const { state } = turn;
  const policy = policyOf(state);
  const { unmatched } = marketOf(state, symbol).openOrders;
  for (const row of read.rows) {
    if (state.durable.orders.byOrderId.has(row.orderId)) continue;
    const before = unmatched.get(row.orderId);
    const seen = { row, firstReceivedAt: before?.firstReceivedAt ?? read.receivedAt, lastSentAt: read.sentAt };
    const onItsWay = isOnItsWay(state, row, read.complete);
    const disowned = isThirdParty(state.durable, row.orderId);
    const asked = !disowned && (before?.mayBeOurs === true || isQuestioned(state.durable, row.orderId));
    const original = onItsWay || asked || disowned ? null : originalOf(turn, symbol, row);
    if (original && policy.takeDuplicate(turn, original, { row, sentAt: read.sentAt })) continue;
    const unrounded = original || onItsWay || asked || disowned ? null : unroundedOf(turn, symbol, row);
    // A list that may be cut may lack the very order that was sent.
    const mayLack = unrounded !== null && !read.complete && !policy.trustsIncompleteLists;
    const waits = onItsWay || mayLack || mayBeNamed(state, row);
    const toAsk = waits ? null : unrounded;
    unmatched.set(row.orderId, { ...seen, waits, mayBeOurs: asked || original !== null || toAsk !== null });
    if (toAsk) askAboutRounded(turn, toAsk, row);
    else if (asked && before === undefined) notifyAgain(turn, symbol, row);
    else if (!asked && !original && !waits) policy.noteThirdPartyOrder(turn, row, before?.waits !== false);
  }
  forget(state, symbol, read);
}

/**
 * An order of a create that is not answered yet, and will be named in a moment; or of one that a whole list may show to
 * be it.
 */
function isOnItsWay(state: TraderState, row: OpenOrder, complete: boolean): boolean {
  return liveIntents(state.durable, row.symbol).some(
    (intent) => (intent.state === 'sent' || (!complete && isUnresolved(intent))) && isAlike(intent, row),
  );
}

/** An order that the answer to a create on its way may name, with values that the exchange changed a little (F16). */
const mayBeNamed = (state: TraderState, row: OpenOrder): boolean =>
  liveIntents(state.durable, row.symbol).some((intent) => mayBeAlteredOnItsWay(state, intent, row));

/** Whether an order that is listed so may be that of the intent, whose create is not answered yet. */
export const mayBeAlteredOnItsWay = (state: TraderState, intent: Intent, row: OpenOrder): boolean =>
  intent.state === 'sent' &&
  row.type === 'limit' &&
  mayBeAltered(intent, row) &&
  !wasThereBefore(state, intent, row.orderId);

/** So far a venue may round what was sent, at the most. */
const ROUNDED_PRICE_RATIO = 0.001;
const ROUNDED_QUANTITY_RATIO = 0.05;

/** The create without an answer that this row may be the order of, rounded by the exchange (F16). */
function unroundedOf({ state }: Turn, symbol: InstrumentSymbol, row: OpenOrder): Intent | null {
  const couldBe = (intent: Intent): boolean =>
    isRounded(intent, row) &&
    !wasThereBefore(state, intent, row.orderId) &&
    policyOf(state).matchOf(state, intent, row) !== 'none';
  return unresolvedOf(state, symbol).find(couldBe) ?? null;
}

/** Whether a row may have the values that were sent, rounded by the exchange (F16). */
function isRounded(intent: Intent, row: OpenOrder): boolean {
  return (
    row.type === 'limit' &&
    row.side === intent.side &&
    isRoundingOf(row.price, intent.price, ROUNDED_PRICE_RATIO) &&
    isRoundingOf(row.originalQuantity, intent.quantity, ROUNDED_QUANTITY_RATIO)
  );
}

/** Whether a row is so near to what was sent that the exchange may have changed the values (F16). */
export function mayBeAltered(intent: Intent, row: OpenOrder): boolean {
  const off = (value: Decimal, sent: Decimal): Decimal => value.sub(sent).abs();
  return (
    row.side === intent.side &&
    off(row.price, intent.price).lte(intent.price.mul(ROUNDED_PRICE_RATIO)) &&
    off(row.originalQuantity, intent.quantity).lte(intent.quantity.mul(ROUNDED_QUANTITY_RATIO))
  );
}

/** Whether a value is another with its last digits rounded away: nearer to it than one of its own last digit. */
function isRoundingOf(rounded: Decimal, sent: Decimal, mostRatio: number): boolean {
  const off = rounded.sub(sent).abs();
  const zeros = /^\d*[1-9](0*)$/.exec(rounded.toFixed())?.[1]?.length ?? 0;
  const lastDigit = new Decimal(10).pow(zeros - rounded.decimalPlaces());
  return off.lt(lastDigit) && off.lte(sent.mul(mostRatio));
}

/**
 * Taken for absent it would be an order that nobody owns; taken for ours it might be the owner's. A person must say.
 */
function askAboutRounded(turn: Turn, intent: Intent, row: OpenOrder): void {
  const sent = `${intent.side} ${intent.quantity.toFixed()} @ ${intent.price.toFixed()}`;
  const message =
    `${orderWords(row)} may be intent ${intent.intentId} (${sent}), kept with other values. Look it up at the ` +
    "exchange, then resume the symbol: with --adopt-orders where it is the bot's.";
  const intents = [intent.intentId];
  const question = { orders: [row.orderId], rows: [row], message: `O${message.slice(1)}`, intents };
  askAbout(turn, intent.symbol, { ...question, as: 'near' });
}

/**
 * The own order that this row repeats: delivered twice to the exchange (F11), held for not placed and there after all,
 * or with a time that can't be true.
 */
function originalOf(turn: Turn, symbol: InstrumentSymbol, row: OpenOrder): Intent | null {
  return originalAmong(
    turn,
    symbol,
    (intent) => isAlike(intent, row) && !wasThereBefore(turn.state, intent, row.orderId),
  );
}

/** After a start, whoever reads the log finds the question again. */
function notifyAgain(turn: Turn, symbol: InstrumentSymbol, row: OpenOrder): void {
  const message =
    `Order ${row.orderId} (${row.side} ${row.remainingQuantity.toFixed()} @ ${row.price.toFixed()}) may be the ` +
    `bot's: it is left alone until ${symbol} is resumed.`;
  notice(turn, { level: 'warn', op: 'order-questioned', symbol, orderId: row.orderId, message });
}

/** One that was not listed for so long that no list can be behind is gone. */
function forget(state: TraderState, symbol: InstrumentSymbol, read: Read<unknown>): void {
  const { readLagBoundMs } = state.settings.assumptions;
  const { unmatched } = marketOf(state, symbol).openOrders;
  for (const [orderId, order] of unmatched) {
    const isGone = order.lastSentAt + readLagBoundMs < read.sentAt && !tellsApart(state, symbol, order);
    if (state.durable.orders.byOrderId.has(orderId) || isGone) unmatched.delete(orderId);
  }
}

/**
 * Whether it was of another quantity than a create without an answer at its price: as long as that is not settled, what
 * the order filled would be taken for a part of it by whoever did not know.
 */
function tellsApart(state: TraderState, symbol: InstrumentSymbol, { row, mayBeOurs }: UnmatchedOrder): boolean {
  const lost = unresolvedOf(state, symbol);
  const isAtItsPrice = lost.some(({ side, price }) => row.side === side && row.price.eq(price));
  return isAtItsPrice && !mayBeOurs && !lost.some((intent) => isAlike(intent, row));
}
