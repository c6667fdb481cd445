// Fills that were booked as the owner's before their order turned out to be ours: lists had lacked it for longer than
// they trail.
import { plain } from '../../domain/decimal.ts';
import type { OrderId } from '../../domain/ids.ts';
import { toFillRecord } from '../durable/fold/fill-record.ts';
import type { Intent } from '../durable/intent.ts';
import { bookedBefore } from '../policy/attribution/match.ts';
import { marketOf } from '../state/state.ts';
import { emit, intentNotice, type Step } from '../state/turn.ts';
import { fillPriceText } from './trusted-price.ts';

/** Books them for the intent that their order belongs to. */
export function attributeBooked(turn: Step, intent: Intent, orderId: OrderId): void {
  for (const fill of bookedBefore(turn.state.durable, intent, orderId)) {
    const mid = fillPriceText(marketOf(turn.state, fill.symbol));
    const { symbol, tradeId, side } = fill;
    const corrected = { symbol, tradeId, side, fill: toFillRecord(fill), intentId: intent.intentId, mid };
    emit(turn, { type: 'fill-corrected', payload: { ...corrected, attributed: true, at: turn.now } });
    const message =
      `Trade ${fill.tradeId} (${plain(fill.quantity)} @ ${plain(fill.price)}) was booked as the owner's, and is of ` +
      `intent ${intent.intentId}.`;
    intentNotice(turn, intent, { level: 'warn', op: 'adopted', message });
  }
}
