// Open orders on the account that no intent owns: the owner's, and those that may be ours. Reads only.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { OpenOrder } from '../../domain/order.ts';
import { THIRD_PARTY_REMEMBERED } from '../durable/orders.ts';
import { marketOf, symbolsOf, type TraderState } from '../state/state.ts';

export interface UnmatchedRow {
  readonly row: OpenOrder;
  /** A person was asked whose it is. */
  readonly mayBeOurs: boolean;
}

/** As the last complete lists showed them; of more than 500, those that may be ours go first. */
export function unmatchedOrders(state: TraderState): UnmatchedRow[] {
  const listed = symbolsOf(state).flatMap((symbol) => unmatchedIn(state, symbol));
  const all = [...listed, ...state.otherMarkets.map((row) => ({ row, mayBeOurs: false }))];
  if (all.length <= THIRD_PARTY_REMEMBERED) return all;
  const sorted = all.toSorted((one, other) => Number(other.mayBeOurs) - Number(one.mayBeOurs));
  return sorted.slice(0, THIRD_PARTY_REMEMBERED);
}

export function unmatchedIn(state: TraderState, symbol: InstrumentSymbol): UnmatchedRow[] {
  const { unmatchedRows, unmatched } = marketOf(state, symbol).openOrders;
  return unmatchedRows
    .filter(({ orderId }) => !state.durable.orders.byOrderId.has(orderId))
    .map((row) => ({ row, mayBeOurs: unmatched.get(row.orderId)?.mayBeOurs === true }));
}

/** Whether the last complete list of the symbol shows an order that may be ours, and nobody but a person can tell. */
export const isPossibleDuplicateOpen = (state: TraderState, symbol: InstrumentSymbol): boolean =>
  unmatchedIn(state, symbol).some(({ mayBeOurs }) => mayBeOurs);
