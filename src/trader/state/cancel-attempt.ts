// How a cancel of ours fared so far.
import type { EpochMs } from '../../domain/time.ts';

/** What is known of a cancel beside the intent's state. */
export interface CancelAttempt {
  sentAt: EpochMs;
  /** Null while it is in flight. */
  answeredAt: EpochMs | null;
  /** The venue said that it took the cancel; false means that it must be sent again if the order is still listed. */
  acknowledged: boolean;
  attempts: number;
}
