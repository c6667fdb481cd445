// A session's knowledge of an order or a create, in addition to its intent. The next session starts without it.
import { type Decimal, ZERO } from '../../domain/decimal.ts';
import type { IntentId, OrderId } from '../../domain/ids.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Lacked, SHOWN } from '../../venue/lacked-twice.ts';
import type { CancelRequest } from '../../venue/requests.ts';

/** A cancel's details beyond the intent's state. */
export interface CancelAttempt {
  sentAt: EpochMs;
  /** Null while it is in flight. */
  answeredAt: EpochMs | null;
  /** The exchange acknowledged the cancel; false means that it must be sent again if the order is still listed. */
  acknowledged: boolean;
  attempts: number;
}

/** Owned linearly, like the state that holds it. */
export interface Seen {
  /** Its last cancel; null before the first. */
  cancel: CancelAttempt | null;
  /** When the last list that showed it left; null before the first. */
  listedAt: EpochMs | null;
  /** The largest filled quantity that a list has shown. */
  shownFilled: Decimal;
  /** Evidence from complete lists that lack it (`orders/proofs.ts`). */
  lacked: Lacked;
  /** For an unknown create: the first acknowledged cancel of the whole symbol that left after its horizon. */
  fence: { readonly sentAt: EpochMs; readonly answeredAt: EpochMs } | null;
  /** Number of requests sent on the private lane when its proof deadline began; null before. */
  turnsBefore: number | null;
  /** It was refused for the rate, before it was processed. A later session no longer knows that. */
  forRate: boolean;
  /** Its create was answered with another order's id. */
  isMisnamed: boolean;
}

/** A session's knowledge of the bot's own orders, in addition to their intents. */
export interface OrdersSeen {
  /** Only intents that are not closed and have further details. */
  readonly seen: Map<IntentId, Seen>;
  /** Ids of answers that may belong to another create: no later create's order may take one of them. */
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

/** The same, for writing. */
export function seenToChange(orders: OrdersSeen, intentId: IntentId): Seen {
  const known = orders.seen.get(intentId);
  if (known !== undefined) return known;
  const begun = nothingSeen();
  orders.seen.set(intentId, begun);
  return begun;
}

/** Its cancel leaves. */
export function beginCancel(orders: OrdersSeen, intentId: IntentId, now: EpochMs): void {
  const order = seenToChange(orders, intentId);
  const attempts = (order.cancel?.attempts ?? 0) + 1;
  order.cancel = { sentAt: now, answeredAt: null, acknowledged: false, attempts };
}

// Progress of the cancels of a whole symbol that serve as its fence.

export type FenceRequest = Extract<CancelRequest, { kind: 'cancel-symbol' }>;

export interface Fence {
  /** When the last one left. */
  readonly sentAt: EpochMs;
  /** When the last one was answered; null while it is in flight. */
  readonly answeredAt: EpochMs | null;
  readonly attempts: number;
  /** All unanswered ones: a hanging one is sent again, and answers come in any order. */
  readonly inFlight: ReadonlyMap<FenceRequest, FenceSent>;
  /** The acknowledged one that left last. */
  readonly taken: { readonly sentAt: EpochMs; readonly answeredAt: EpochMs } | null;
}

export interface FenceSent {
  readonly sentAt: EpochMs;
  /** The intents that it was to cancel. */
  readonly intents: readonly IntentId[];
}
