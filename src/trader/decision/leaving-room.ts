// A create that has no room beside orders that leave is not refused: it waits until they are proved closed.
import type { Denial, DenyCode, RiskContext } from '../../quoting/risk-context.ts';
import { isLeaving } from '../intent.ts';
import type { TraderState } from '../state.ts';

/** What orders that leave take, as they count as live until they are proved closed. */
const TAKEN: ReadonlySet<DenyCode> = new Set(['slot', 'duplicate', 'self-cross', 'inventory', 'open-orders', 'funds']);

/** What the create waits for, one sentence; null where no order that leaves can be what it was denied for. */
export function roomTakenByLeaving(state: TraderState, { code, message }: Denial, context: RiskContext): string | null {
  if (!TAKEN.has(code)) return null;
  const here = context.orders.filter(({ status }) => status === 'leaving').length;
  const isShared = code === 'funds' || code === 'inventory' || code === 'open-orders';
  const leaving = isShared ? [...state.durable.intents.values()].filter(isLeaving).length : here;
  if (leaving === 0) return null;
  const until = leaving === 1 ? 'an order that leaves is' : `${leaving} orders that leave are`;
  return `${message} The quote waits until ${until} proved closed.`;
}
