// What may be changed while the exchange runs, and what an exchange starts with.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { DurationMs } from '../../domain/time.ts';
import type { AccountName } from '../../matching/types.ts';
import type { EndpointName } from '../../venue/requests.ts';
import { type DeliveryRules, NO_DELIVERY_RULES } from '../delivery/delivery.ts';
import type { FailureRule } from '../wire/failures.ts';
import type { Quirks } from '../wire/quirks.ts';
import type { RateLimits } from '../wire/rate-limit.ts';

/** The control interface writes here, through `control`, and nowhere else; a change counts from the next request on. */
export interface Controls {
  quirks: Quirks;
  /** Per address for public and legacy calls, per key for private ones; an empty list sets no limit. */
  rateLimits: RateLimits;
  /** Everything is answered with 503: -1125, or on the legacy interface a status without a code. */
  maintenance: boolean;
  /** Answered with 404: -1404 `Endpoint disabled.`, or on the legacy interface a status without a code. */
  disabledEndpoints: readonly EndpointName[];
  /** API keys whose account can't be found: signed right, they get -2004. */
  unidentifiedKeys: readonly string[];
  /**
   * Creates get 200 `{msg}`, also those that are on their way; what others in the market want to do there is dropped,
   * so nothing matches. Cancels work.
   */
  frozenSymbols: readonly InstrumentSymbol[];
  /** Creates of these accounts get 200 `{msg}`, also those that are on their way. Cancels work. */
  frozenAccounts: readonly AccountName[];
  /**
   * How far the exchange's own clock is ahead of `now`, negative behind: the `Date` header, the moments of rate limits,
   * the timestamps that it accepts and the times that it stamps on what happens (`ownTime`). What lags and windows
   * measure, and when the crowd acts, is not touched.
   */
  clockOffsetMs: DurationMs;
  /** Calls that fail by order; they change as they are used up. */
  failures: readonly FailureRule[];
  /**
   * What befalls requests and answers on their way; the HTTP shell counts and carries it out, `answer` knows nothing of
   * it.
   */
  delivery: DeliveryRules;
}

/** What an exchange starts with: nothing is wrong. */
export function initialControls({ quirks, rateLimits }: Pick<Controls, 'quirks' | 'rateLimits'>): Controls {
  return {
    quirks,
    rateLimits,
    maintenance: false,
    disabledEndpoints: [],
    unidentifiedKeys: [],
    frozenSymbols: [],
    frozenAccounts: [],
    clockOffsetMs: 0,
    failures: [],
    delivery: NO_DELIVERY_RULES,
  };
}
