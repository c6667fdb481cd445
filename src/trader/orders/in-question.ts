// Open orders on the account that no intent owns: the owner's, and those that a person was asked about. Reads only.
import type { OpenOrder } from '../../domain/order.ts';
import { type Intent, THIRD_PARTY_REMEMBERED } from '../durable/intent.ts';
import { bookedBefore, isUnresolved, unresolvedOf } from '../policy/attribution/match.ts';
import type { Market } from '../state/market.ts';
import type { With } from '../state/state.ts';

export interface UnmatchedRow {
  readonly row: OpenOrder;
  /** A person was asked whose it is. */
  readonly mayBeOurs: boolean;
}

/** As the last complete lists showed them; if there are more than 500, those that may be ours come first. */
export function unmatchedOrders(state: With<'durable' | 'markets' | 'otherMarkets'>): UnmatchedRow[] {
  const listed = [...state.markets.values()].flatMap((market) => unmatchedIn(state, market));
  const all = [...listed, ...state.otherMarkets.map((row) => ({ row, mayBeOurs: false }))];
  if (all.length <= THIRD_PARTY_REMEMBERED) return all;
  const sorted = all.toSorted((one, other) => Number(other.mayBeOurs) - Number(one.mayBeOurs));
  return sorted.slice(0, THIRD_PARTY_REMEMBERED);
}

export function unmatchedIn(state: With<'durable'>, market: Market): UnmatchedRow[] {
  return market.openOrders.unmatchedRows
    .filter(({ orderId }) => !state.durable.orders.byOrderId.has(orderId))
    .map((row) => ({ row, mayBeOurs: state.durable.orders.questioned.has(row.orderId) }));
}

/** Whether the last complete list of the symbol shows an order that may be ours, which only a person can tell. */
export const isPossibleDuplicateOpen = (state: With<'durable'>, market: Market): boolean =>
  unmatchedIn(state, market).some(({ mayBeOurs }) => mayBeOurs);

/**
 * How an order in question shows that may be the intent's: in lists, or by its fills. Null if none shows: reads settle
 * the intent.
 */
export function questionOf(state: With<'durable'>, market: Market, intent: Intent): 'listed' | 'filled' | null {
  if (!isUnresolved(intent)) return null;
  const { unmatched } = market.openOrders;
  const asked = [...state.durable.orders.questioned]
    .filter(([, { symbol, order }]) => symbol === intent.symbol && (order === null || order.side === intent.side))
    .map(([id]) => id);
  if (asked.some((id) => unmatched.has(id))) return 'listed';
  return asked.some((id) => bookedBefore(state.durable, intent, id).length > 0) ? 'filled' : null;
}

/**
 * No list shows an order that may be the bot's, at least two lists in a row, and no read can tell more about an
 * unanswered create: then a person can resume the symbol while the bot runs.
 */
export function isQuestionOver(state: With<'durable'>, market: Market): boolean {
  const { symbol } = market;
  const { unmatched, beforeSentAt } = market.openOrders;
  const isOpen = [...state.durable.orders.questioned].some(([id, of]) => of.symbol === symbol && unmatched.has(id));
  return (
    beforeSentAt !== null &&
    !isOpen &&
    unresolvedOf(state.durable, symbol).every((each) => questionOf(state, market, each) !== null)
  );
}
