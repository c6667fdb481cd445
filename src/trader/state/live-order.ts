// What a session knows of an order, or of a create, beside its intent. The next session begins to know it anew.
import type { IntentId } from '../../domain/ids.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Absence, NOTHING_SHOWN } from './absence.ts';

/** What is known of a cancel beside the intent's state. */
export interface CancelAttempt {
  sentAt: EpochMs;
  /** Null while it is in flight. */
  answeredAt: EpochMs | null;
  /** The venue said that it took the cancel; false means that it must be sent again if the order is still listed. */
  acknowledged: boolean;
  attempts: number;
}

/** Owned linearly, like the state that holds it. */
export interface LiveOrder {
  /** The last cancel of it; null before the first. */
  cancel: CancelAttempt | null;
  /** When the last list left that showed it; null before the first. */
  listedAt: EpochMs | null;
  /** When the first list left that lacked it for so long that its locks say no more (`locks.ts`); null before. */
  lackedAt: EpochMs | null;
  /** How far the proof has come that it was never placed, where its create has no certain answer. */
  absence: Absence;
  /** Its create was answered with another order's id. */
  isMisnamed: boolean;
}

/** Of a session's state. */
interface LiveOrders {
  readonly orders: Map<IntentId, LiveOrder>;
}

const startLiveOrder = (): LiveOrder => ({
  cancel: null,
  listedAt: null,
  lackedAt: null,
  absence: NOTHING_SHOWN,
  isMisnamed: false,
});

const NOTHING_KNOWN: Readonly<LiveOrder> = Object.freeze(startLiveOrder());

export const liveOrderOf = ({ orders }: LiveOrders, intentId: IntentId): Readonly<LiveOrder> =>
  orders.get(intentId) ?? NOTHING_KNOWN;

/** The same to be written to. */
export function liveOrderToChange({ orders }: LiveOrders, intentId: IntentId): LiveOrder {
  const known = orders.get(intentId);
  if (known !== undefined) return known;
  const begun = startLiveOrder();
  orders.set(intentId, begun);
  return begun;
}

/** The proof of absence has come further, or begins anew. */
export function noteAbsence(state: LiveOrders, intentId: IntentId, changes: Partial<Absence>): void {
  const order = liveOrderToChange(state, intentId);
  order.absence = { ...order.absence, ...changes };
}
