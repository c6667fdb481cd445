// Fills that were booked as the owner's before it was known that their order is ours: lists had lacked it for longer
// than they trail (seed 7099).
import { plain } from '../../domain/decimal.ts';
import type { Fill } from '../../domain/fill.ts';
import type { OrderId } from '../../domain/ids.ts';
import type { Intent } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import { toFillRecord } from '../fold/fill-record.ts';
import { emit, intentNotice, type Turn } from '../fold/turn.ts';
import type { TraderState } from '../state/state.ts';
import { fillPriceText } from './trusted-price.ts';

/** Of the fills last booked for the symbol, those of an order that were not booked for an intent. */
export function bookedBefore({ durable }: TraderState, { symbol }: Pick<Intent, 'symbol'>, orderId: OrderId): Fill[] {
  const { recent } = marketIn(durable, symbol).tally;
  return recent.filter(({ fill, ours }) => !ours && fill.orderId === orderId).map(({ fill }) => fill);
}

/** Books them for the intent that the order has just been found to be of. */
export function attributeBooked(turn: Turn, intent: Intent, orderId: OrderId): void {
  for (const fill of bookedBefore(turn.state, intent, orderId)) {
    const mid = fillPriceText(turn.state, fill.symbol);
    emit(turn, {
      type: 'fill-corrected',
      payload: { fill: toFillRecord(fill), intentId: intent.intentId, mid, at: turn.now },
    });
    const message =
      `Trade ${fill.tradeId} (${plain(fill.quantity)} @ ${plain(fill.price)}) was booked as the owner's, and is of ` +
      `intent ${intent.intentId}.`;
    intentNotice(turn, intent, { level: 'warn', op: 'attributed', message });
  }
}
