// Orders on the account that no intent owns: the owner's, or an image of one of ours that the exchange should not have made.
import type { OrderId } from '../domain/ids.ts';
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { OpenOrder } from '../domain/order.ts';
import { type EpochMs, MINUTE } from '../domain/time.ts';
import type { Read } from '../venue/outcomes.ts';
import { liveIntents } from './durable.ts';
import type { Intent } from './intent.ts';
import { surfaceOf, type TraderState } from './state.ts';
import type { Stranger } from './surfaces.ts';
import { haltSymbol, notice, type Turn } from './turn.ts';

/** Whether the order was listed before the create left: then it is not the intent's, however alike they are (F39). */
export function wasThereBefore(state: TraderState, intent: Intent, orderId: OrderId): boolean {
  const seen = surfaceOf(state.surfaces.openOrders, intent.symbol).strangers.get(orderId);
  return seen !== undefined && seen.firstReceivedAt <= intent.sentAt;
}

/** Takes note of the rows that nobody owns after adoption had its turn, and halts the symbol where one is the image of an own order. */
export function noteStrangers(turn: Turn, symbol: InstrumentSymbol, read: Read<readonly OpenOrder[]>): void {
  const { state } = turn;
  const { strangers } = surfaceOf(state.surfaces.openOrders, symbol);
  for (const row of read.rows) {
    if (state.durable.orders.has(row.orderId)) continue;
    const before = strangers.get(row.orderId);
    const seen = { firstReceivedAt: before?.firstReceivedAt ?? read.receivedAt, lastSentAt: read.sentAt };
    const image = isOnItsWay(state, symbol, row) || before?.image ? null : imageOf(state, symbol, row, turn.now);
    strangers.set(row.orderId, { ...seen, image: before?.image === true || image !== null });
    if (image) haltForImage(turn, image, row);
    else if (before === undefined && !isOnItsWay(state, symbol, row)) report(turn, symbol, row);
  }
  forget(state, strangers, read);
}

/** An order of a create that is not answered yet: it will be named in a moment. */
function isOnItsWay(state: TraderState, symbol: InstrumentSymbol, row: OpenOrder): boolean {
  return liveIntents(state.durable, symbol).some((intent) => intent.state === 'sent' && isAlike(intent, row));
}

function isAlike(intent: Intent, row: OpenOrder): boolean {
  return (
    row.type === 'limit' &&
    row.side === intent.side &&
    row.price.eq(intent.price) &&
    row.originalQuantity.eq(intent.quantity)
  );
}

/**
 * The own order that this row repeats: delivered twice to the exchange (F11), held for not placed and there after all, or with a
 * time that can't be true. It may be the owner's, so it is never cancelled: a person must look.
 */
function imageOf(state: TraderState, symbol: InstrumentSymbol, row: OpenOrder, now: EpochMs): Intent | null {
  const couldBe = (intent: Intent): boolean =>
    intent.symbol === symbol && isAlike(intent, row) && !wasThereBefore(state, intent, row.orderId);
  const live = liveIntents(state.durable, symbol).find(couldBe);
  if (live) return live;
  const closed = [...state.durable.closed.values()].slice(-RECENTLY).reverse();
  return closed.find((intent) => now - intent.since < IMAGE_WITHIN_MS && couldBe(intent)) ?? null;
}

/** How many of the last closed intents are compared, and how long ago they closed at most: beyond it, chance is likelier. */
const RECENTLY = 256;
const IMAGE_WITHIN_MS = 15 * MINUTE;

function haltForImage(turn: Turn, image: Intent, row: OpenOrder): void {
  const ours = image.orderId === null ? `intent ${image.intentId}` : `order ${image.orderId}`;
  const what = `${row.side} ${row.originalQuantity.toFixed()} @ ${row.price.toFixed()}`;
  const message = `Order ${row.orderId} (${what}) is the same as our ${ours} and may be a second one of it. Cancel by hand what is not wanted, then resume the symbol.`;
  haltSymbol(turn, image.symbol, message);
}

function report(turn: Turn, symbol: InstrumentSymbol, row: OpenOrder): void {
  const message = `Order ${row.orderId} (${row.side} ${row.remainingQuantity.toFixed()} @ ${row.price.toFixed()}) is not the bot's: it is left alone.`;
  notice(turn, { level: 'warn', op: 'foreign-order', symbol, orderId: row.orderId, message });
}

/** A stranger that was not listed for so long that no list can be behind is gone. */
function forget(state: TraderState, strangers: Map<OrderId, Stranger>, read: Read<unknown>): void {
  const { readLagBoundMs } = state.settings.assumptions;
  for (const [orderId, { lastSentAt }] of strangers) {
    if (state.durable.orders.has(orderId) || lastSentAt + readLagBoundMs < read.sentAt) strangers.delete(orderId);
  }
}
