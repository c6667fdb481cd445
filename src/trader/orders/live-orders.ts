// Our intents as quoting sees them.
import type { Decimal } from '../../domain/decimal.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { LiveOrder } from '../../quoting/live-order.ts';
import { type Durable, liveIntents } from '../durable/durable.ts';
import { type Intent, isLeaving, mayBeLive, remainingOf } from '../durable/intent.ts';
import { isUnresolved } from '../policy/attribution/match.ts';
import type { Market } from '../state/market.ts';
import type { VenueAssumptions } from '../state/settings.ts';
import type { With } from '../state/state.ts';

/** Every intent that is or may be live; only `open` ones may be changed. `isCounted` leaves some out. */
export function liveOrders(
  state: With<'settings' | 'durable'>,
  market: Market,
  now: EpochMs,
  isCounted: (intent: Intent) => boolean = mayBeLive,
): LiveOrder[] {
  const intents = liveIntents(state.durable, market.symbol).filter(isCounted);
  return intents.map((intent) => ({
    intentId: intent.intentId,
    slot: intent.slot,
    side: intent.side,
    price: intent.price,
    quantity: intent.quantity,
    remaining: remainingOf(intent),
    exposed: exposedPart(state.settings.assumptions, intent, now),
    sentAt: intent.sentAt,
    status: statusOf(state.durable, market, intent),
  }));
}

function statusOf(durable: Durable, market: Market, intent: Intent): LiveOrder['status'] {
  if (intent.state === 'open') return 'open';
  if (isLeaving(intent)) return 'leaving';
  return isDoubtful(durable, market, intent) ? 'doubtful' : 'pending';
}

/**
 * The part that may still change the inventory: all of it, except for an order that is gone and waits for the proof of
 * its fills.
 */
export function exposedPart(assumptions: VenueAssumptions, intent: Intent, now: EpochMs): Decimal {
  const remaining = remainingOf(intent);
  if (intent.state !== 'closing') return remaining;
  const step = assumptions.closingExposure?.findLast(({ afterMs }) => now - intent.since >= afterMs);
  return remaining.mul(step?.ratio ?? 1);
}

// An unanswered create that a first search did not find: its level need not wait for the proof.

/**
 * Whether another order may stand in for it: a complete list of orders and complete own trades, both requested after
 * its answer was given up, don't show it. That proves nothing, and it counts as live until it is resolved. One per
 * level at a time: if the stand-in is unanswered too, the level waits.
 */
function isDoubtful(durable: Durable, { symbol, openOrders, trades }: Market, intent: Intent): boolean {
  if (!isUnresolved(intent)) return false;
  const { slot, since } = intent;
  const hasLeft = (sentAt: EpochMs | null): boolean => sentAt !== null && sentAt >= since;
  if (!hasLeft(openOrders.sentAt)) return false;
  if (!hasLeft(trades.sentAt) || trades.morePages) return false;
  return liveIntents(durable, symbol).find((each) => each.slot === slot && isUnresolved(each)) === intent;
}
