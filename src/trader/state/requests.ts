// What has left in this session and is on its way: what the choice of the next request goes by.
import type { EpochMs } from '../../domain/time.ts';
import type { InFlight } from './contact.ts';

export interface Requests {
  /** Those that are on their way, by key. */
  readonly inFlight: Map<string, InFlight>;
  /** How many have left, by kind and outcome. */
  readonly counts: Map<string, number>;
  /** Requests per second that each lane makes at present, as it learned. */
  readonly pace: { public: number; private: number };
  /** How many of the last private requests were repeated cancels, in a row. */
  cancelsRepeated: number;
  /** How many have left on the private lane. */
  privateTurns: number;
  /** How many reads have left on the private lane since the last create. */
  readsSinceCreate: number;
  /** When a create last had to wait for room within a minute; null once that is written down. */
  createsWithheldAt: EpochMs | null;
  /** Own orders are read symbol by symbol until then: a page for the whole account may have been cut. */
  scopedOrdersUntil: EpochMs;
}

/** `pace`: as configured. */
export const startRequests = (pace: Requests['pace']): Requests => ({
  inFlight: new Map(),
  counts: new Map(),
  pace: { ...pace },
  cancelsRepeated: 0,
  privateTurns: 0,
  readsSinceCreate: 0,
  createsWithheldAt: null,
  scopedOrdersUntil: 0,
});
