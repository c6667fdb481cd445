// Closes own orders: the proof is the caller's, except for a completely filled order, whose fills are its proof.
import { liveIntents } from '../durable/durable.ts';
import type { Reads } from '../durable/hold-events.ts';
import { type ClosedAs, type Intent, remainingOf } from '../durable/intent.ts';
import type { Market } from '../state/market.ts';
import { touch } from '../state/state.ts';
import { emit, intentNotice, type Step } from '../state/turn.ts';

/** Closes completely filled orders, whatever their state: nothing else can happen to them. */
export function closeFilled(turn: Step<'orders'>, market: Market): void {
  for (const intent of liveIntents(turn.state.durable, market.symbol)) {
    if (intent.orderId !== null && !remainingOf(intent).gt(0))
      closeEnded(turn, market, intent, { as: 'filled', reads: readsOfFills(turn, market) });
  }
}

interface Closing {
  readonly as: ClosedAs;
  readonly reads: Reads;
}

/** Closes an order that was on the book. */
export function closeEnded(turn: Step<'orders'>, market: Market, intent: Intent, closing: Closing): void {
  const { filled, quantity, orderId, intentId } = intent;
  closeOrder(turn, market, intent, closing);
  const part = filled.gt(0) ? `, ${filled.toFixed()} of ${quantity.toFixed()} filled` : '';
  const message = `Order ${orderId ?? intentId} is ${closing.as}${part}.`;
  intentNotice(turn, intent, { level: 'info', op: 'closed', message });
}

/** Closes it in the journal, without a notice. */
export function closeOrder(turn: Step<'orders'>, market: Market, { intentId }: Intent, { as, reads }: Closing): void {
  const { state, now } = turn;
  emit(turn, { type: 'closed', payload: { intentId, as, reads, at: now } });
  state.orders.seen.delete(intentId);
  touch(market);
}

/** The evidence of a fill: the current page, and a reading under way, whose earlier pages may have shown it. */
export function readsOfFills({ answered }: Step, market: Market): Pick<Reads, 'trades'> {
  const reading = market.backfill?.firstSentAt ?? null;
  const page = answered?.list === 'trades' ? answered.sentAt : null;
  const trades = [...new Set([reading, page])].filter((sentAt) => sentAt !== null);
  return trades.length === 0 ? {} : { trades };
}
