// Whether nothing is open any more of what a halt asks about.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { unresolvedOf } from '../policy/attribution/match.ts';
import { policyOf } from '../policy/policy-of.ts';
import { marketOf, type TraderState } from '../state/state.ts';

/**
 * No list shows an order that may be the bot's, two lists in a row at the least, and no read can tell more of a create
 * without an answer: then a person can resume the symbol while the bot runs.
 */
export function isQuestionOver(state: TraderState, symbol: InstrumentSymbol): boolean {
  const { unmatched, beforeSentAt } = marketOf(state, symbol).openOrders;
  const isOpen = [...state.durable.orders.questioned].some(([id, of]) => of.symbol === symbol && unmatched.has(id));
  const policy = policyOf(state);
  return (
    beforeSentAt !== null &&
    !isOpen &&
    unresolvedOf(state, symbol).every((intent) => policy.isAskedAboutFills(state, intent))
  );
}
