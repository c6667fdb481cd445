// The owner's orders: people are notified once, and they are left alone.
import type { OpenOrder } from '../../../domain/order.ts';
import { notice, type Turn } from '../../state/turn.ts';

export function notifyThirdPartyOrder(turn: Turn, row: OpenOrder, isNew: boolean): void {
  if (!isNew) return;
  const message =
    `Order ${row.orderId} (${row.side} ${row.remainingQuantity.toFixed()} @ ${row.price.toFixed()}) is not the ` +
    `bot's: it is left alone.`;
  notice(turn, { level: 'warn', op: 'foreign-order', symbol: row.symbol, orderId: row.orderId, message });
}
