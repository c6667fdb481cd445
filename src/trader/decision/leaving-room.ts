// A create that has no room beside orders that leave is not refused: it waits until they are proved closed.
import { leavesSlotFree } from '../../quoting/live-order.ts';
import type { Denial, DenyCode, RiskContext } from '../../quoting/risk-context.ts';
import type { WaitsForRoom } from '../decision.ts';
import { type Intent, isLeaving } from '../intent.ts';
import { isUnresolved } from '../resolve.ts';
import type { TraderState } from '../state.ts';

/** What orders that leave take, as they count as live until they are proved closed. */
const TAKEN: ReadonlySet<DenyCode> = new Set(['slot', 'duplicate', 'self-cross', 'inventory', 'open-orders', 'funds']);

/** Whether the create would be let through if other orders of ours were gone. */
export const lacksRoom = ({ code }: Denial): boolean => TAKEN.has(code);

/** An order that takes room and is most likely gone, or never came. */
const mayGo = (intent: Intent): boolean => isLeaving(intent) || isUnresolved(intent);

const SHARED_BY: Partial<Record<DenyCode, WaitsForRoom['sharedBy']>> = {
  funds: 'side',
  inventory: 'side',
  'open-orders': 'all',
};

/** What the create waits for; null where no order that leaves can be what it was denied for. */
export function roomTakenByLeaving(state: TraderState, denial: Denial, context: RiskContext): WaitsForRoom | null {
  if (!lacksRoom(denial)) return null;
  const { code, message } = denial;
  const here = context.orders.filter(leavesSlotFree).length;
  const sharedBy = SHARED_BY[code] ?? 'level';
  const leaving = sharedBy !== 'level' ? [...state.durable.intents.values()].filter(mayGo).length : here;
  if (leaving === 0) return null;
  const until = leaving === 1 ? 'an order that leaves is' : `${leaving} orders that leave are`;
  return { why: `${message} The quote waits until ${until} proved closed.`, sharedBy };
}
