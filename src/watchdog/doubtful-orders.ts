// What rests and may be the bot's, once all that is known to be its own is proved gone.
import type { OrderId } from '../domain/ids.ts';
import type { OpenOrder } from '../domain/order.ts';
import { mayBeCopyOf } from './sweep-match.ts';
import type { Sweep } from './sweep-state.ts';

export interface DoubtfulOrders {
  /** About which a person was asked. */
  readonly asked: readonly OrderId[];
  /** Which a second copy of a create may have made, whose first one has its name (F11). */
  readonly copies: readonly OrderId[];
}

/** Those that the last lists of the sweep show. */
export function doubtfulIn(sweep: Sweep, questioned: ReadonlySet<OrderId>): DoubtfulOrders {
  const rows = [...sweep.scopes.keys()].flatMap((name) => sweep.listed.get(name)?.rows ?? []);
  const idsOf = (are: (row: OpenOrder) => boolean): OrderId[] => rows.filter(are).map(({ orderId }) => orderId);
  const isAsked = ({ orderId }: OpenOrder): boolean => questioned.has(orderId);
  return { asked: idsOf(isAsked), copies: idsOf((row) => !isAsked(row) && isCopy(sweep, row)) };
}

function isCopy({ targets, closed, creates, settings }: Sweep, row: OpenOrder): boolean {
  if (targets.has(row.orderId) || closed.has(row.orderId)) return false;
  return [...creates.values()].some((create) => mayBeCopyOf(create, row, settings.match));
}

/** Null where there is none. `when`: of the proof; empty for one of just now. */
export function doubtfulWords({ asked, copies }: DoubtfulOrders, when = ''): string | null {
  if (asked.length + copies.length === 0) return null;
  const count = asked.length === 1 ? 'One order' : `${asked.length} orders`;
  return [
    `What is known to be the bot's is not open: proved by two complete lists${when === '' ? '' : `, ${when}`}.`,
    ...(asked.length === 0
      ? []
      : [`${count} may be the bot's: a person was asked, and it is not canceled without his word.`]),
    ...(copies.length === 0
      ? []
      : [`${copies.join(' and ')} may be of a second copy of a create of the bot's: not canceled, look whose it is.`]),
  ].join(' ');
}
