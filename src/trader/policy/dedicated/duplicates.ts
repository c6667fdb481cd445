// A second order of one create (F11): on an account that is the bot's alone it can only be ours, so it is taken on,
// canceled and counted.
import type { Fill } from '../../../domain/fill.ts';
import { type IntentId, intentId, type OrderId } from '../../../domain/ids.ts';
import type { InstrumentSymbol } from '../../../domain/instrument.ts';
import type { OpenOrder } from '../../../domain/order.ts';
import type { EpochMs } from '../../../domain/time.ts';
import type { Intent } from '../../durable/intent.ts';
import { liveOrderToChange } from '../../state/live-order.ts';
import { touch } from '../../state/state.ts';
import { emit, intentNotice, type Turn } from '../../state/turn.ts';
import { couldHaveFilled, earliestOf, hadLeft, originalAmong, wasThereBefore } from '../attribution/match.ts';
import { isQuestioned, isThirdParty } from '../attribution/questions.ts';

/** One that a list shows. */
export function takeDuplicate(
  turn: Turn,
  original: Intent,
  { row, sentAt }: { readonly row: OpenOrder; readonly sentAt: EpochMs },
): true {
  const id = adoptDuplicate(turn, original, { orderId: row.orderId, evidence: 'open-order' });
  liveOrderToChange(turn.state, id).listedAt = sentAt;
  return true;
}

/** Fills of orders that nobody owns: a second order may fill before any list shows it. */
export function takeFilledDuplicates(turn: Turn, symbol: InstrumentSymbol, fills: readonly Fill[]): void {
  const { state } = turn;
  for (const [orderId, rows] of Map.groupBy(fills, (fill) => fill.orderId)) {
    const { durable } = state;
    if (durable.orders.byOrderId.has(orderId)) continue;
    if (isQuestioned(durable, orderId) || isThirdParty(durable, orderId)) continue;
    const earliest = earliestOf(state);
    const couldBe = (intent: Intent): boolean =>
      couldHaveFilled(intent, rows) &&
      rows.every(({ venueTime }) => venueTime >= earliest(intent)) &&
      !wasThereBefore(state, intent, orderId) &&
      rows.reduce((left, row) => left.sub(row.quantity), intent.quantity).gte(0);
    const of =
      originalAmong(turn, symbol, (intent) => couldBe(intent) && hadLeft(state, intent, rows)) ??
      originalAmong(turn, symbol, couldBe);
    if (of) adoptDuplicate(turn, of, { orderId, evidence: 'fill' });
  }
}

/** Takes the order on as another of ours, and returns its name. It is canceled as soon as the lane opens. */
function adoptDuplicate(
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
