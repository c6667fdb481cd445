// How the cancels of a whole symbol fared so far that serve as its fence.
import type { IntentId } from '../../domain/ids.ts';
import type { EpochMs } from '../../domain/time.ts';
import type { CancelRequest } from '../../venue/requests.ts';

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
