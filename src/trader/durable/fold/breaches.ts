// The fold of orders that were refused with 200 and placed all the same.
import { type DurationMs, type EpochMs, HOUR } from '../../../domain/time.ts';
import type { Intent } from '../intent.ts';
import type { DurableMarket } from '../market.ts';

/** How long they count. */
const WITHIN_MS: DurationMs = HOUR;

/** Notes that an intent that was refused is found to have an order. */
export function foldBreach(market: DurableMarket, { intentId }: Intent, at: EpochMs): void {
  const lately = market.breaches.filter((each) => at - each.at < WITHIN_MS);
  market.breaches = [...lately, { intentId, at }];
}
