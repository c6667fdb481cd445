// What `cancel-all` leaves on the account: read off the last lists of its sweep.
import type { OrderId } from '../../domain/ids.ts';
import type { OpenOrder } from '../../domain/order.ts';
import type { UnmatchedOrderView } from '../../trader/status/snapshot.ts';
import { unmatchedView } from '../../trader/status/views.ts';
import type { Read } from '../../venue/outcomes.ts';
import type { Sweep } from '../../watchdog/sweep-state.ts';
import { unmatchedLines } from '../status/status-words.ts';

export interface LeftResting {
  /** False where the last list of some scope was cut, or none could be had: there may be more. */
  readonly complete: boolean;
  /** All that are open and not known to be the bot's. */
  readonly orders: readonly UnmatchedOrderView[];
}

/** `questioned`: orders that may be the bot's. */
export function leftResting(sweep: Sweep, questioned: ReadonlySet<OrderId>): LeftResting {
  const lists = [...sweep.scopes.keys()].map((name) => sweep.listed.get(name));
  const isOwn = ({ orderId }: OpenOrder): boolean => sweep.targets.has(orderId) || sweep.closed.has(orderId);
  const rows = lists.flatMap((list) => list?.rows ?? []).filter((row) => !isOwn(row));
  const isAccount = sweep.settings.whose === 'account';
  return {
    complete: lists.every((list) => list?.complete === true),
    orders: rows.map((row) => unmatchedView({ row, mayBeOurs: isAccount || questioned.has(row.orderId) })),
  };
}

/** Of a list whose orders nobody has asked to be canceled. */
export const leftIn = ({ rows, complete }: OrderList): LeftResting => ({
  complete,
  orders: rows.map((row) => unmatchedView({ row, mayBeOurs: false })),
});

type OrderList = Pick<Read<readonly OpenOrder[]>, 'rows' | 'complete'>;

/** Lines for a terminal, also where nothing is left. */
export function leftLines({ complete, orders }: LeftResting): string[] {
  const cut = 'What rests on the account is not fully known: its list could not be read whole.';
  return [...unmatchedLines(orders), ...(complete ? [] : [cut])];
}
