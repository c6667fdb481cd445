// Closes own orders: the proof is the caller's, except for a completely filled order, whose fills are its proof.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { liveIntents } from '../durable/durable.ts';
import type { Reads } from '../durable/hold-events.ts';
import { type ClosedAs, type Intent, remainingOf } from '../durable/intent.ts';
import { marketOf, touch } from '../state/state.ts';
import { emit, intentNotice, type Step } from '../state/turn.ts';

/** Closes completely filled orders, whatever their state: nothing else can happen to them. */
export function closeFilled(turn: Step<'orders'>, symbol: InstrumentSymbol): void {
  for (const intent of liveIntents(turn.state.durable, symbol)) {
    if (intent.orderId !== null && !remainingOf(intent).gt(0))
      closeEnded(turn, intent, { as: 'filled', reads: readsOfFills(turn, symbol) });
  }
}

interface Closing {
  readonly as: ClosedAs;
  readonly reads: Reads;
}

/** Closes an order that was on the book. */
export function closeEnded(turn: Step<'orders'>, intent: Intent, closing: Closing): void {
  const { filled, quantity, orderId, intentId } = intent;
  closeOrder(turn, intent, closing);
  const part = filled.gt(0) ? `, ${filled.toFixed()} of ${quantity.toFixed()} filled` : '';
  const message = `Order ${orderId ?? intentId} is ${closing.as}${part}.`;
  intentNotice(turn, intent, { level: 'info', op: 'closed', message });
}

/** Closes it in the journal, without a notice. */
export function closeOrder(turn: Step<'orders'>, { intentId, symbol }: Intent, { as, reads }: Closing): void {
  const { state, now } = turn;
  emit(turn, { type: 'closed', payload: { intentId, as, reads, at: now } });
  state.orders.seen.delete(intentId);
  touch(state, symbol);
}

/** The evidence of a fill: the current page, and a reading under way, whose earlier pages may have shown it. */
export function readsOfFills({ state, answered }: Step, symbol: InstrumentSymbol): Pick<Reads, 'trades'> {
  const reading = marketOf(state, symbol).backfill?.firstSentAt ?? null;
  const page = answered?.list === 'trades' ? answered.sentAt : null;
  const trades = [...new Set([reading, page])].filter((sentAt) => sentAt !== null);
  return trades.length === 0 ? {} : { trades };
}
