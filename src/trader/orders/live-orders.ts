// Our intents as quoting sees them.
import type { Decimal } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { LiveOrder } from '../../quoting/live-order.ts';
import { liveIntents } from '../durable/durable.ts';
import { type Intent, isLeaving, mayBeLive, remainingOf } from '../durable/intent.ts';
import type { TraderState } from '../state/state.ts';
import { isDoubtful } from './doubtful.ts';

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
    exposed: exposedPart(state, intent, now),
    sentAt: intent.sentAt,
    status: statusOf(state, intent),
  }));
}

function statusOf(state: TraderState, intent: Intent): LiveOrder['status'] {
  if (intent.state === 'open') return 'open';
  if (isLeaving(intent)) return 'leaving';
  return isDoubtful(state, intent) ? 'doubtful' : 'pending';
}

/**
 * What of it may yet change the inventory: all, but for an order that is gone and waits for the proof of what filled.
 */
export function exposedPart({ settings }: TraderState, intent: Intent, now: EpochMs): Decimal {
  const remaining = remainingOf(intent);
  if (intent.state !== 'closing') return remaining;
  const step = settings.assumptions.closingExposure?.findLast(({ afterMs }) => now - intent.since >= afterMs);
  return remaining.mul(step?.ratio ?? 1);
}
