// How far it is known of a create without a certain answer that it was never placed. A session begins to know it anew.
import type { EpochMs } from '../../domain/time.ts';

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
