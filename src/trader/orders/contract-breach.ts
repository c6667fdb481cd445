// An order that the exchange said to have refused, and placed all the same. It is found by its values and is then like
// any other own order: a person is paged, quoting goes on, and only a repetition halts the symbol (decision 0028).
import type { Intent } from '../durable/intent.ts';
import { marketIn } from '../durable/market.ts';
import { noRejects } from '../state/market.ts';
import { marketOf } from '../state/state.ts';
import { haltSymbol, notice, type Turn } from '../state/turn.ts';

/** So many within an hour halt the symbol. */
const HALTS_AT = 3;

/** After the order has been adopted. The refusal was none: it counts as an acceptance among refusals in a row. */
export function noteBreach(turn: Turn, { intentId, symbol }: Intent, orderId: string): void {
  const count = marketIn(turn.state.durable, symbol).breaches.length;
  marketOf(turn.state, symbol).rejects = noRejects();
  const message =
    `The exchange refused intent ${intentId} and still placed it, as order ${orderId}. It is kept or canceled like ` +
    `every own order, and quoting goes on; ${HALTS_AT} such orders within an hour halt ${symbol}, this is number ` +
    `${count}.`;
  notice(turn, { level: 'page', op: 'contract-broken', symbol, intentId, orderId, message });
  if (count < HALTS_AT) return;
  const reason =
    `${count} orders within an hour were refused and placed all the same: ` +
    `what the exchange answers can't be relied on.`;
  haltSymbol(turn, symbol, reason, 'answers-untrue');
}
