// What a session knows of an order, or of a create, beside its intent. The next session begins to know it anew.
import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { IntentId, OrderId } from '../../domain/ids.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { CancelOutcome } from '../../venue/outcomes.ts';

/** What is known of a cancel beside the intent's state. */
export interface CancelAttempt {
  sentAt: EpochMs;
  /** Null while it is in flight. */
  answeredAt: EpochMs | null;
  /** The venue said that it took the cancel; false means that it must be sent again if the order is still listed. */
  acknowledged: boolean;
  attempts: number;
}

/** How far it is known of a create without a certain answer that it was never placed. */
export interface Absence {
  /** When the first list that had to show it, and did not, left. */
  readonly missedAt: EpochMs | null;
  /** When the last list left that showed an order that may be it. */
  readonly shownAt: EpochMs | null;
  /** When the first fence after its horizon was answered: later ones prove no more. */
  readonly fencedAt: EpochMs | null;
  /** When that fence left. */
  readonly fenceSentAt: EpochMs | null;
  /** Since when no fence is waited for any more: none was taken in time. */
  readonly unfencedAt: EpochMs | null;
  /** How many requests had left on the private lane when it was first looked for. */
  readonly turnsBefore: number | null;
  /** It was refused for the rate, before anybody looked at it. A later session does not know that any more. */
  readonly forRate: boolean;
}

export const NOTHING_SHOWN: Absence = {
  missedAt: null,
  shownAt: null,
  fencedAt: null,
  fenceSentAt: null,
  unfencedAt: null,
  turnsBefore: null,
  forRate: false,
};

/** Owned linearly, like the state that holds it. */
export interface LiveOrder {
  /** The last cancel of it; null before the first. */
  cancel: CancelAttempt | null;
  /** When the last list left that showed it; null before the first. */
  listedAt: EpochMs | null;
  /** The most that a list has shown of it as filled. */
  shownFilled: Decimal;
  /**
   * When the first list left that lacked it for so long that its locks prove no more (`locked-funds.ts`); null before.
   */
  lackedAt: EpochMs | null;
  /** How far the proof has come that it was never placed, where its create has no certain answer. */
  absence: Absence;
  /** Its create was answered with another order's id. */
  isMisnamed: boolean;
}

/** An order that was listed again after it was proved closed. It is canceled again, which is harmless. */
export interface Reappeared {
  readonly symbol: InstrumentSymbol;
  /** When its cancel left; null before. */
  sentAt: EpochMs | null;
  /** When that was acknowledged; lists of before the lag bound after it tell nothing new. */
  takenAt: EpochMs | null;
}

/** What a session knows of the bot's own orders beside their intents. */
export interface OwnOrders {
  /** Of the intents that are not closed; those of which nothing more is known are not in it. */
  readonly live: Map<IntentId, LiveOrder>;
  readonly reappeared: Map<OrderId, Reappeared>;
  /** Ids of answers that may belong to another create: no later create's order has one of them. */
  readonly doubtedIds: Set<OrderId>;
}

/** Of a session's state. */
interface HasOrders {
  readonly orders: Pick<OwnOrders, 'live'>;
}

const startLiveOrder = (): LiveOrder => ({
  cancel: null,
  listedAt: null,
  shownFilled: ZERO,
  lackedAt: null,
  absence: NOTHING_SHOWN,
  isMisnamed: false,
});

const NOTHING_KNOWN: Readonly<LiveOrder> = Object.freeze(startLiveOrder());

export const liveOrderOf = ({ orders }: HasOrders, intentId: IntentId): Readonly<LiveOrder> =>
  orders.live.get(intentId) ?? NOTHING_KNOWN;

/** The same to be written to. */
export function liveOrderToChange({ orders }: HasOrders, intentId: IntentId): LiveOrder {
  const known = orders.live.get(intentId);
  if (known !== undefined) return known;
  const begun = startLiveOrder();
  orders.live.set(intentId, begun);
  return begun;
}

/** The proof of absence has come further, or begins anew. */
export function noteAbsence(state: HasOrders, intentId: IntentId, changes: Partial<Absence>): void {
  const order = liveOrderToChange(state, intentId);
  order.absence = { ...order.absence, ...changes };
}

/** One whose cancel was not acknowledged is canceled again as soon as a list shows it. */
export function noteReappearedCanceled(
  reappeared: Map<OrderId, Reappeared>,
  orderId: OrderId,
  outcome: CancelOutcome,
  now: EpochMs,
): void {
  const order = reappeared.get(orderId);
  if (order === undefined) return;
  if (outcome.kind === 'acknowledged') order.takenAt = now;
  else reappeared.delete(orderId);
}
