// What a session knows of an order, or of a create, beside its intent. The next session begins to know it anew.
import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { IntentId, OrderId } from '../../domain/ids.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Lacked, SHOWN } from '../../venue/lacked-twice.ts';
import type { CancelRequest } from '../../venue/requests.ts';

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
export interface Seen {
  /** The last cancel of it; null before the first. */
  cancel: CancelAttempt | null;
  /** When the last list left that showed it; null before the first. */
  listedAt: EpochMs | null;
  /** The most that a list has shown of it as filled. */
  shownFilled: Decimal;
  /** What whole lists say that lack it (`orders/proofs.ts`). */
  lacked: Lacked;
  /** Of an unknown create: the first cancel of the whole symbol that left after its horizon and was acknowledged. */
  fence: { readonly sentAt: EpochMs; readonly answeredAt: EpochMs } | null;
  /** How many requests had left on the private lane when the deadline of its proof began; null before. */
  turnsBefore: number | null;
  /** It was refused for the rate, before anybody looked at it. A later session does not know that any more. */
  forRate: boolean;
  /** Its create was answered with another order's id. */
  isMisnamed: boolean;
}

/** What a session knows of the bot's own orders beside their intents. */
export interface OrdersSeen {
  /** Of the intents that are not closed; those of which nothing more is known are not in it. */
  readonly seen: Map<IntentId, Seen>;
  /** Ids of answers that may belong to another create: no later create's order has one of them. */
  readonly doubtedIds: Set<OrderId>;
}

const nothingSeen = (): Seen => ({
  cancel: null,
  listedAt: null,
  shownFilled: ZERO,
  lacked: SHOWN,
  fence: null,
  turnsBefore: null,
  forRate: false,
  isMisnamed: false,
});

const NOTHING_KNOWN: Readonly<Seen> = Object.freeze(nothingSeen());

export const seenOf = (orders: OrdersSeen, intentId: IntentId): Readonly<Seen> =>
  orders.seen.get(intentId) ?? NOTHING_KNOWN;

/** The same to be written to. */
export function seenToChange(orders: OrdersSeen, intentId: IntentId): Seen {
  const known = orders.seen.get(intentId);
  if (known !== undefined) return known;
  const begun = nothingSeen();
  orders.seen.set(intentId, begun);
  return begun;
}

/** A cancel of it leaves. */
export function beginCancel(orders: OrdersSeen, intentId: IntentId, now: EpochMs): void {
  const order = seenToChange(orders, intentId);
  const attempts = (order.cancel?.attempts ?? 0) + 1;
  order.cancel = { sentAt: now, answeredAt: null, acknowledged: false, attempts };
}

// How the cancels of a whole symbol fared so far that serve as its fence.

export type FenceRequest = Extract<CancelRequest, { kind: 'cancel-symbol' }>;

export interface Fence {
  /** When the last one left. */
  readonly sentAt: EpochMs;
  /** When the last one was answered; null while it is in flight. */
  readonly answeredAt: EpochMs | null;
  readonly attempts: number;
  /** All that have no answer yet: one that hangs is sent again, and answers come in any order. */
  readonly inFlight: ReadonlyMap<FenceRequest, FenceSent>;
  /** Of those that were acknowledged the one that left last. */
  readonly taken: { readonly sentAt: EpochMs; readonly answeredAt: EpochMs } | null;
}

export interface FenceSent {
  readonly sentAt: EpochMs;
  /** Those that it was to cancel. */
  readonly intents: readonly IntentId[];
}
