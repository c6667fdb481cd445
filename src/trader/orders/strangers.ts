// Orders on the account that no intent owns: the owner's, or an image of one of ours that the exchange should not have
// made.
import { Decimal } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { Read } from '../../venue/outcomes.ts';
import { liveIntents } from '../durable/durable.ts';
import type { Intent } from '../durable/intent.ts';
import { notice, type Turn } from '../fold/turn.ts';
import { isDedicated, orderWords, refuse, wasThereBefore } from '../policy/foreign.ts';
import { surfaceOf, type TraderState } from '../state/state.ts';
import type { Stranger } from '../state/surfaces.ts';
import { adoptDuplicate, imageAmong } from './duplicates.ts';
import { askAbout, isQuestioned } from './questions.ts';
import { isAlike, isUnresolved, unresolvedOf } from './resolve.ts';

/**
 * Takes note of the rows that nobody owns after adoption had its turn, and halts the symbol where one is the image of
 * an own order.
 */
export function noteStrangers(turn: Turn, symbol: InstrumentSymbol, read: Read<readonly OpenOrder[]>): void {
  const { state } = turn;
  const { strangers } = surfaceOf(state.surfaces.openOrders, symbol);
  for (const row of read.rows) {
    if (state.durable.orders.byOrderId.has(row.orderId)) continue;
    const before = strangers.get(row.orderId);
    const seen = { row, firstReceivedAt: before?.firstReceivedAt ?? read.receivedAt, lastSentAt: read.sentAt };
    const onItsWay = isOnItsWay(state, row, read.complete);
    const asked = before?.image === true || isQuestioned(state.durable, row.orderId);
    const isThirdParty = state.durable.orders.thirdParty.has(row.orderId);
    const image = onItsWay || asked || isThirdParty ? null : imageOf(turn, symbol, row);
    if (image && isDedicated(state)) {
      const id = adoptDuplicate(turn, image, { orderId: row.orderId, evidence: 'open-order' });
      state.listedAt.set(id, read.sentAt);
      continue;
    }
    const near = image || onItsWay || asked || isThirdParty ? null : nearTo(turn, symbol, row);
    strangers.set(row.orderId, { ...seen, image: asked || image !== null || near !== null });
    if (near) haltForNear(turn, near, row);
    if (image) haltForImage(turn, image, row);
    else if (asked && before === undefined) sayAgain(turn, symbol, row);
    else if (!asked && !near && !onItsWay && (before === undefined || isDedicated(state))) report(turn, symbol, row);
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

/** So far a venue may round what was sent, at the most. */
const ROUNDED_PRICE_RATIO = 0.001;
const ROUNDED_QUANTITY_RATIO = 0.05;

/** The create without an answer that this row may be the order of, rounded by the exchange (F16). */
function nearTo({ state }: Turn, symbol: InstrumentSymbol, row: OpenOrder): Intent | null {
  const couldBe = (intent: Intent): boolean => isRounded(intent, row) && !wasThereBefore(state, intent, row.orderId);
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
export function isNearTo(intent: Intent, row: OpenOrder): boolean {
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
function haltForNear(turn: Turn, intent: Intent, row: OpenOrder): void {
  const sent = `${intent.side} ${intent.quantity.toFixed()} @ ${intent.price.toFixed()}`;
  const message =
    `${orderWords(row)} may be intent ${intent.intentId} (${sent}), kept with other values. Cancel by hand what is ` +
    'not wanted, then resume the symbol.';
  const intents = [intent.intentId];
  const question = { orders: [row.orderId], rows: [row], message: `O${message.slice(1)}`, intents };
  askAbout(turn, intent.symbol, { ...question, as: 'near' });
}

/**
 * The own order that this row repeats: delivered twice to the exchange (F11), held for not placed and there after all,
 * or with a time that can't be true. It may be the owner's, so it is never canceled: a person must look.
 */
function imageOf(turn: Turn, symbol: InstrumentSymbol, row: OpenOrder): Intent | null {
  return imageAmong(turn, symbol, (intent) => isAlike(intent, row) && !wasThereBefore(turn.state, intent, row.orderId));
}

function haltForImage(turn: Turn, image: Intent, row: OpenOrder): void {
  const ours = image.orderId === null ? `intent ${image.intentId}` : `order ${image.orderId}`;
  const what = `${row.side} ${row.originalQuantity.toFixed()} @ ${row.price.toFixed()}`;
  const message =
    `Order ${row.orderId} (${what}) is the same as our ${ours} and may be a second one of it. Cancel by hand what ` +
    'is not wanted, then resume the symbol.';
  // One that has its order already is in no question: the other one may be its second.
  const intents = image.orderId === null ? [image.intentId] : [];
  askAbout(turn, image.symbol, { orders: [row.orderId], as: 'twin', rows: [row], message, intents });
}

/** After a start, whoever reads the log finds the question again. */
function sayAgain(turn: Turn, symbol: InstrumentSymbol, row: OpenOrder): void {
  const message =
    `Order ${row.orderId} (${row.side} ${row.remainingQuantity.toFixed()} @ ${row.price.toFixed()}) may be the ` +
    `bot's: it is left alone until ${symbol} is resumed.`;
  notice(turn, { level: 'warn', op: 'order-questioned', symbol, orderId: row.orderId, message });
}

function report(turn: Turn, symbol: InstrumentSymbol, row: OpenOrder): void {
  if (isDedicated(turn.state)) return refuse(turn, orderWords(row));
  const message =
    `Order ${row.orderId} (${row.side} ${row.remainingQuantity.toFixed()} @ ${row.price.toFixed()}) is not the ` +
    `bot's: it is left alone.`;
  notice(turn, { level: 'warn', op: 'foreign-order', symbol, orderId: row.orderId, message });
}

/** A stranger that was not listed for so long that no list can be behind is gone. */
function forget(state: TraderState, symbol: InstrumentSymbol, read: Read<unknown>): void {
  const { readLagBoundMs } = state.settings.assumptions;
  const { strangers } = surfaceOf(state.surfaces.openOrders, symbol);
  for (const [orderId, stranger] of strangers) {
    const isGone = stranger.lastSentAt + readLagBoundMs < read.sentAt && !tellsApart(state, symbol, stranger);
    if (state.durable.orders.byOrderId.has(orderId) || isGone) strangers.delete(orderId);
  }
}

/**
 * Whether it was of another quantity than a create without an answer at its price: as long as that is not settled, what
 * the order filled would be taken for a part of it by whoever did not know.
 */
function tellsApart(state: TraderState, symbol: InstrumentSymbol, { row, image }: Stranger): boolean {
  const lost = unresolvedOf(state, symbol);
  const isAtItsPrice = lost.some(({ side, price }) => row.side === side && row.price.eq(price));
  return isAtItsPrice && !image && !lost.some((intent) => isAlike(intent, row));
}
