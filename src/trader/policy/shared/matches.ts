// Which order is a create's where the owner places orders that may be like it: his are told apart by time and size.
import type { OrderId } from '../../../domain/ids.ts';
import type { OpenOrder } from '../../../domain/order.ts';
import type { Intent } from '../../durable/intent.ts';
import { marketOf, type TraderState } from '../../state/state.ts';
import type { Match, UnmatchedFills } from '../account-policy.ts';
import { earliestOf, filledBy, isAlike, latestOf, wasThereBefore } from '../attribution/match.ts';
import { isThirdParty } from '../attribution/questions.ts';

/**
 * An order that was created before the create left, or when it could no longer be taken, is the owner's, or its time is
 * not what it says, and a person is asked. A session that has placed nothing yet does not know how the times of the
 * list are shifted.
 */
export function matchOf(state: TraderState, intent: Intent, row: OpenOrder): Match {
  if (row.venueTime < earliestOf(state)(intent)) return 'none';
  if (!cameLater(state, intent, row)) return 'certain';
  return intent.sentAt < state.session.startedAt ? 'possible' : 'none';
}

/** However alike it is, the order is the owner's. */
const cameLater = (state: TraderState, intent: Intent, row: OpenOrder): boolean =>
  row.venueTime > latestOf(state, intent);

/**
 * Of an order that was listed the row says more than its fills. Those of another one must be all that was asked for
 * (`orders/unmatched-fills.ts`), and nothing like it listed besides.
 */
export function areFillsOf(state: TraderState, intent: Intent, { orderId, fills, listed }: UnmatchedFills): boolean {
  if (hasRival(state, intent, orderId)) return false;
  if (listed !== undefined && cameLater(state, intent, listed.row)) return false;
  if (listed !== undefined && (listed.mayBeOurs || !isAlike(intent, listed.row))) return listed.mayBeOurs;
  return filledBy(intent, fills).eq(intent.quantity);
}

/**
 * Whether another order is listed that is like the intent's as well: which of them fills says nothing of whose it is.
 */
function hasRival(state: TraderState, intent: Intent, id: OrderId): boolean {
  const { unmatched } = marketOf(state, intent.symbol).openOrders;
  return [...unmatched].some(
    ([other, { row }]) =>
      other !== id &&
      !state.durable.orders.byOrderId.has(other) &&
      !isThirdParty(state.durable, other) &&
      isAlike(intent, row) &&
      !cameLater(state, intent, row) &&
      !wasThereBefore(state, intent, other),
  );
}
