// A second order of one create (F11): on an account that is the bot's alone it can only be ours, so it is taken on,
// canceled and counted.
import type { Fill } from '../../domain/fill.ts';
import { type IntentId, intentId, type OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { MINUTE } from '../../domain/time.ts';
import { liveIntents } from '../durable/durable.ts';
import type { Intent } from '../durable/intent.ts';
import { emit, intentNotice, type Turn } from '../fold/turn.ts';
import { isDedicated, wasThereBefore } from '../policy/foreign.ts';
import { type TraderState, touch } from '../state/state.ts';
import { couldHaveFilled, earliestOf } from './resolve.ts';

/**
 * How many of the last closed intents can have an image, and how long ago they closed at most: beyond it, chance is
 * likelier.
 */
const RECENTLY = 256;
const IMAGE_WITHIN_MS = 15 * MINUTE;

/**
 * Our order that something on the account may be the second one of: those that may be live, then the last closed ones.
 */
export function imageAmong(
  { state, now }: Pick<Turn, 'state' | 'now'>,
  symbol: InstrumentSymbol,
  couldBe: (intent: Intent) => boolean,
): Intent | null {
  const live = liveIntents(state.durable, symbol).find(couldBe);
  if (live) return live;
  const closed = [...state.durable.orders.closed.values()].slice(-RECENTLY).reverse();
  return (
    closed.find((intent) => intent.symbol === symbol && now - intent.since < IMAGE_WITHIN_MS && couldBe(intent)) ?? null
  );
}

/** Takes the order on as another of ours, and returns its name. It is canceled as soon as the lane opens. */
export function adoptDuplicate(
  turn: Turn,
  of: Intent,
  { orderId, evidence }: { readonly orderId: OrderId; readonly evidence: 'open-order' | 'fill' },
): IntentId {
  const id = intentId(`${of.intentId}~${orderId}`);
  emit(turn, {
    type: 'duplicate-found',
    payload: { intentId: id, of: of.intentId, orderId, evidence, at: turn.now },
  });
  intentNotice(turn, of, {
    level: 'page',
    op: 'duplicate-order',
    message:
      `Order ${orderId} is a second one of intent ` +
      `${of.intentId}${of.orderId === null ? '' : ` beside order ${of.orderId}`}: the exchange took one create ` +
      'twice. It is canceled.',
  });
  touch(turn.state, of.symbol);
  return id;
}

/**
 * Fills of orders that nobody owns, where the account is the bot's alone: a second order may fill before any list shows
 * it.
 */
export function adoptDuplicatesFromFills(turn: Turn, symbol: InstrumentSymbol, fills: readonly Fill[]): void {
  const { state } = turn;
  if (!isDedicated(state)) return;
  for (const [orderId, rows] of Map.groupBy(fills, (fill) => fill.orderId)) {
    if (state.durable.orders.byOrderId.has(orderId)) continue;
    const earliest = earliestOf(state);
    const couldBe = (intent: Intent): boolean =>
      couldHaveFilled(intent, rows) &&
      rows.every(({ venueTime }) => venueTime >= earliest(intent)) &&
      !wasThereBefore(state, intent, orderId) &&
      rows.reduce((left, row) => left.sub(row.quantity), intent.quantity).gte(0);
    const of = imageAmong(turn, symbol, couldBe);
    if (of) adoptDuplicate(turn, of, { orderId, evidence: 'fill' });
  }
}

/** Second orders that are still to be canceled. */
export function* duplicatesToCancel({ durable }: TraderState): Generator<{ intentId: IntentId; orderId: OrderId }> {
  for (const { intentId, orderId, state, duplicateOf } of durable.orders.intents.values())
    if (duplicateOf !== null && state === 'open' && orderId !== null) yield { intentId, orderId };
}
