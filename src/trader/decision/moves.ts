// How levels move: if there is room for both, the new order first; if pending cancels take that room, after it is free;
// otherwise the cancel first, one level of a side at a time.
import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { IntentId } from '../../domain/ids.ts';
import type { Asset, Instrument } from '../../domain/instrument.ts';
import type { Quote, Side, Slot } from '../../domain/order.ts';
import type { EpochMs } from '../../domain/time.ts';
import { amountDecimal } from '../../ledger/amount.ts';
import { isDoubtful, type LiveOrder, outwardBy } from '../../quoting/live-order.ts';
import type { Action } from '../../quoting/moves/diff.ts';
import { namedQuantity } from '../../quoting/name.ts';
import { type Assessment, assess } from '../../quoting/risk/risk.ts';
import type { Denial, DenyCode, RiskContext } from '../../quoting/risk/risk-context.ts';
import type { Limits } from '../../quoting/risk/risk-limits.ts';
import type { Holding } from '../../quoting/strategy.ts';
import { type Intent, isLeaving, mayBeLive, remainingOf, reserveLeft } from '../durable/intent.ts';
import { isUnresolved } from '../policy/attribution/match.ts';
import type { Decision, Market, WaitsForRoom, WantedCreate } from '../state/market.ts';
import type { TraderState, With } from '../state/state.ts';
import { riskContext } from './view.ts';

export type Moves = Pick<Decision, 'creates' | 'cancels'>;

export interface Judged {
  /** The risk gate's verdict on the create now. */
  readonly verdict: Assessment;
  /** Whether the move must wait until pending cancels are proved closed. */
  readonly waits: boolean;
}

/** `judged` is called for moves only. */
export function planMoves(
  actions: readonly Action[],
  live: readonly LiveOrder[],
  judged: (wanted: WantedCreate) => Judged,
): Moves {
  const creates: WantedCreate[] = [];
  const cancels: { intentId: IntentId; why: string }[] = [];
  const giving = new Set<Side>(live.filter(({ status }) => status !== 'open').map(({ side }) => side));
  for (const action of actions) {
    if (action.kind === 'create') creates.push({ slot: action.slot, quote: action.quote, replaces: null });
    if (action.kind === 'cancel') {
      cancels.push({ intentId: action.intentId, why: action.why });
      giving.add(sideOf(action.slot));
    }
    if (action.kind !== 'replace') continue;
    const { slot, quote, intentId, why } = action;
    const wanted = { slot, quote, replaces: intentId };
    const { verdict, waits } = judged(wanted);
    // A cancel would leave the level empty for as long as its successor waits.
    if (waits) continue;
    // A create that waits for the message rate is counted when it would leave, and its order stays until then.
    if (verdict.kind === 'approved' || verdict.code === 'message-rate') creates.push(wanted);
    else if (!lacksRoom(verdict) || !giving.has(quote.side)) {
      // The side's other levels stay until this one has freed room.
      cancels.push({ intentId, why });
      giving.add(quote.side);
    }
  }
  return { creates, cancels };
}

const sideOf = (slot: Slot): Side => (slot.startsWith('buy') ? 'buy' : 'sell');

// A create that lacks room because of pending cancels or unanswered creates is not refused: it waits.

/** For each denial: the room that is short, and which orders share it. */
const SHARED_BY: Partial<Record<DenyCode, WaitsForRoom['sharedBy']>> = {
  slot: 'level',
  duplicate: 'level',
  'self-cross': 'level',
  inventory: 'side',
  budget: 'side',
  funds: 'asset',
  'open-orders': 'all',
};

/** Whether the create would be approved if other orders of ours were gone. */
export const lacksRoom = ({ code }: Denial): boolean => SHARED_BY[code] !== undefined;

/** Why the create waits; null if it would lack room even without the pending cancels. */
export function roomTakenByLeaving(
  state: TraderState,
  market: Market,
  wanted: WantedCreate,
  { denial, now }: { readonly denial: Denial; readonly now: EpochMs },
): WaitsForRoom | null {
  const sharedBy = SHARED_BY[denial.code];
  const going = [...state.durable.orders.intents.values()].filter(mayGo);
  if (sharedBy === undefined || going.length === 0) return null;
  const verdict = assessCreate(state, market, wanted, contextWithout(state, market, { going, now }));
  if (verdict.kind === 'denied' && lacksRoom(verdict)) return null;
  const until = going.length === 1 ? 'an order that leaves is' : `${going.length} orders that leave are`;
  return { why: `${denial.message} The quote waits until ${until} proved closed.`, sharedBy };
}

/** Places for pending cancels that moves leave free: one per side, for urgent cancels. */
const KEPT_PLACES = 2;

type Places = Pick<Limits, 'maxLeaving'>;

/** Places for pending cancels that moves may take; at least one move is always possible. */
export const placesForMoves = ({ maxLeaving }: Places): number =>
  Math.max(1, maxLeaving - Math.min(KEPT_PLACES, Math.floor(maxLeaving / 2)));

/**
 * Whether a level may move now without urgent need: not with the last places for pending cancels. An order too close to
 * the market, without a place for its cancel, would leave the side empty for a whole proof.
 */
export function leavesPlaces(orders: readonly LiveOrder[], limits: Places): boolean {
  const levels = new Set(orders.map(({ slot }) => slot)).size;
  return orders.length - levels < placesForMoves(limits);
}

/** An order that takes room and is most likely gone, or never arrived. */
const mayGo = (intent: Intent): boolean => isLeaving(intent) || isUnresolved(intent);

/** The risk context with these orders closed. */
function contextWithout(
  state: TraderState,
  market: Market,
  { going, now }: { readonly going: readonly Intent[]; readonly now: EpochMs },
): RiskContext {
  const gone = new Set(going);
  const context = riskContext(state, market, now, (intent) => mayBeLive(intent) && !gone.has(intent));
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

// A quote as the order that would be sent for it, judged by the risk gate now.

/** The slot gives the order's place, so the quote's level is left out. */
interface Proposed extends Pick<WantedCreate, 'slot' | 'replaces'> {
  readonly quote: Omit<Quote, 'level'>;
}

export function assessCreate(
  state: With<'durable'>,
  market: Market,
  { slot, quote, replaces }: Proposed,
  context: RiskContext,
): Assessment {
  const { side } = quote;
  const { instrument } = market.run;
  const price = priceToSend(quote, context.orders, instrument);
  const { journal, orders } = state.durable;
  const quantity = namedQuantity({ ...quote, price }, instrument, {
    orders: context.orders,
    createNumber: journal.epoch + orders.nextIntentNumber,
  });
  return assess({ request: { symbol: market.symbol, side, price, quantity }, slot, replaces }, context);
}

/**
 * One tick further from the market than an unresolved order of ours, which would be found by its price and quantity.
 */
function priceToSend(
  { side, price: wanted }: Proposed['quote'],
  orders: readonly LiveOrder[],
  { tickSize }: Pick<Instrument, 'tickSize'>,
): Decimal {
  const isTaken = (at: Decimal): boolean =>
    orders.some((order) => order.side === side && isDoubtful(order) && order.price.eq(at));
  let price = wanted;
  while (isTaken(price)) price = outwardBy(side, price, tickSize);
  return price;
}
