// A create that has no room beside orders that leave, or whose create has no answer, is not refused: it waits.
import { ZERO } from '../../domain/decimal.ts';
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { amountDecimal } from '../../ledger/amount.ts';
import type { LiveOrder } from '../../quoting/live-order.ts';
import type { Denial, DenyCode, RiskContext } from '../../quoting/risk/risk-context.ts';
import type { Limits } from '../../quoting/risk/risk-limits.ts';
import type { Holding } from '../../quoting/strategy.ts';
import { type Intent, isLeaving, mayBeLive, remainingOf } from '../durable/intent.ts';
import { reserveLeft } from '../durable/reserve.ts';
import { isUnresolved } from '../policy/attribution/match.ts';
import type { WaitsForRoom, WantedCreate } from '../state/decision.ts';
import type { TraderState } from '../state/state.ts';
import { assessCreate } from './proposal.ts';
import { riskContext } from './view.ts';

/** What other orders take, and who could take it as well. */
const SHARED_BY: Partial<Record<DenyCode, WaitsForRoom['sharedBy']>> = {
  slot: 'level',
  duplicate: 'level',
  'self-cross': 'level',
  inventory: 'side',
  budget: 'side',
  funds: 'asset',
  'open-orders': 'all',
};

/** Whether the create would be let through if other orders of ours were gone. */
export const lacksRoom = ({ code }: Denial): boolean => SHARED_BY[code] !== undefined;

/** What the create waits for; null where it would lack room as well if those orders were proved gone. */
export function roomTakenByLeaving(
  state: TraderState,
  symbol: InstrumentSymbol,
  wanted: WantedCreate,
  { denial, now }: { readonly denial: Denial; readonly now: EpochMs },
): WaitsForRoom | null {
  const sharedBy = SHARED_BY[denial.code];
  const going = [...state.durable.orders.intents.values()].filter(mayGo);
  if (sharedBy === undefined || going.length === 0) return null;
  const verdict = assessCreate(state, symbol, wanted, contextWithout(state, symbol, { going, now }));
  if (verdict.kind === 'denied' && lacksRoom(verdict)) return null;
  const until = going.length === 1 ? 'an order that leaves is' : `${going.length} orders that leave are`;
  return { why: `${denial.message} The quote waits until ${until} proved closed.`, sharedBy };
}

/** Places for orders that leave which no move takes: one a side, for what must go at once. */
const KEPT_PLACES = 2;

type Places = Pick<Limits, 'maxLeaving'>;

/** Places for orders that leave which moves may take; one move is always possible. */
export const placesForMoves = ({ maxLeaving }: Places): number =>
  Math.max(1, maxLeaving - Math.min(KEPT_PLACES, Math.floor(maxLeaving / 2)));

/**
 * Whether a level may move now, where nobody is in danger: not with the last places beside orders that leave. An order
 * that has come too near, and whose level then had none, would leave the side empty for a whole proof.
 */
export function leavesPlaces(orders: readonly LiveOrder[], limits: Places): boolean {
  const levels = new Set(orders.map(({ slot }) => slot)).size;
  return orders.length - levels < placesForMoves(limits);
}

/** An order that takes room and is most likely gone, or never came. */
const mayGo = (intent: Intent): boolean => isLeaving(intent) || isUnresolved(intent);

/** What the risk gate would be given if these orders were closed. */
function contextWithout(
  state: TraderState,
  symbol: InstrumentSymbol,
  { going, now }: { readonly going: readonly Intent[]; readonly now: EpochMs },
): RiskContext {
  const gone = new Set(going);
  const context = riskContext(state, symbol, now, (intent) => mayBeLive(intent) && !gone.has(intent));
  const freed = (holding: Holding): Holding => ({
    ...holding,
    free: holding.free.add(reservedBy(going, holding.asset)),
  });
  return { ...context, base: freed(context.base), quote: freed(context.quote) };
}

function reservedBy(intents: readonly Intent[], asset: Asset) {
  return intents
    .filter(({ reserve }) => reserve.asset === asset)
    .reduce((sum, intent) => sum.add(amountDecimal(reserveLeft(intent, remainingOf(intent)))), ZERO);
}
