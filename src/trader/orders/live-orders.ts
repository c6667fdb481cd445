// Our intents as quoting sees them.
import type { Decimal } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { LiveOrder } from '../../quoting/live-order.ts';
import { liveIntents } from '../durable/durable.ts';
import { type Intent, isLeaving, mayBeLive, remainingOf } from '../durable/intent.ts';
import { isUnresolved } from '../policy/attribution/match.ts';
import type { VenueAssumptions } from '../state/settings.ts';
import { marketOf, type TraderState } from '../state/state.ts';

/** Every intent that is or may be live; only `open` ones may be acted on. `isCounted` leaves some out. */
export function liveOrders(
  state: TraderState,
  symbol: InstrumentSymbol,
  now: EpochMs,
  isCounted: (intent: Intent) => boolean = mayBeLive,
): LiveOrder[] {
  const intents = liveIntents(state.durable, symbol).filter(isCounted);
  return intents.map((intent) => ({
    intentId: intent.intentId,
    slot: intent.slot,
    side: intent.side,
    price: intent.price,
    quantity: intent.quantity,
    remaining: remainingOf(intent),
    exposed: exposedPart(state.settings.assumptions, intent, now),
    sentAt: intent.sentAt,
    status: statusOf(state, intent),
  }));
}

function statusOf(state: Pick<TraderState, 'durable' | 'markets'>, intent: Intent): LiveOrder['status'] {
  if (intent.state === 'open') return 'open';
  if (isLeaving(intent)) return 'leaving';
  return isDoubtful(state, intent) ? 'doubtful' : 'pending';
}

/**
 * What of it may yet change the inventory: all, but for an order that is gone and waits for the proof of what filled.
 */
export function exposedPart(assumptions: VenueAssumptions, intent: Intent, now: EpochMs): Decimal {
  const remaining = remainingOf(intent);
  if (intent.state !== 'closing') return remaining;
  const step = assumptions.closingExposure?.findLast(({ afterMs }) => now - intent.since >= afterMs);
  return remaining.mul(step?.ratio ?? 1);
}

// A create that has no answer, and that a first look did not find: its level need not wait for the proof.

/**
 * Whether another order may stand in for it: a complete list of orders and own trades, both
 * asked for after the answer was given up on, do not show it. That proves nothing, and it counts as live until it is
 * resolved. One of a level at a time: where the other one is not answered either, the level waits.
 */
function isDoubtful(state: Pick<TraderState, 'durable' | 'markets'>, intent: Intent): boolean {
  if (!isUnresolved(intent)) return false;
  const { symbol, slot, since } = intent;
  const { openOrders, trades } = marketOf(state, symbol);
  const hasLeft = (sentAt: EpochMs | null): boolean => sentAt !== null && sentAt >= since;
  if (!hasLeft(openOrders.sentAt)) return false;
  if (!hasLeft(trades.sentAt) || trades.morePages) return false;
  return liveIntents(state.durable, symbol).find((each) => each.slot === slot && isUnresolved(each)) === intent;
}
