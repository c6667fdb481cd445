// Orders of which one is the bot's, and which is not certain: none is canceled before a person has said whose it is.
import type { OpenOrder } from '../../../domain/order.ts';
import type { Intent } from '../../durable/intent.ts';
import type { Turn } from '../../state/turn.ts';
import type { CandidateOrder } from '../account-policy.ts';
import { askAbout, isPossibleDuplicate } from '../attribution/questions.ts';

/**
 * Where more than one could be the create's, or a person was asked about the only one: that the other one is gone
 * afterwards says nothing of whose that was.
 */
export function askIfAmbiguous(turn: Turn, intent: Intent, candidates: readonly CandidateOrder[]): boolean {
  const orders = candidates.map(({ orderId }) => orderId);
  if (orders.length < 2 && !orders.some((id) => isPossibleDuplicate(turn.state.durable, id))) return false;
  const message =
    `${orders.length} orders could be intent ${intent.intentId}, and which is not certain: ${orders.join(', ')}. ` +
    'Cancel by hand what is not wanted, then resume the symbol.';
  const rows = candidates.flatMap(({ row }) => (row === null ? [] : [row]));
  askAbout(turn, intent.symbol, { orders, as: 'twin', rows, message, intents: [intent.intentId] });
  return true;
}

/** It may be a second order of ours, and may be the owner's: it is never canceled. */
export function askAboutDuplicate(turn: Turn, original: Intent, { row }: { readonly row: OpenOrder }): false {
  const ours = original.orderId === null ? `intent ${original.intentId}` : `order ${original.orderId}`;
  const what = `${row.side} ${row.originalQuantity.toFixed()} @ ${row.price.toFixed()}`;
  const message =
    `Order ${row.orderId} (${what}) is the same as our ${ours} and may be a second one of it. Cancel by hand what ` +
    'is not wanted, then resume the symbol.';
  // One that has its order already is in no question: the other one may be its second.
  const intents = original.orderId === null ? [original.intentId] : [];
  askAbout(turn, original.symbol, { orders: [row.orderId], as: 'twin', rows: [row], message, intents });
  return false;
}
