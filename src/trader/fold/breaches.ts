// The fold of orders that were refused with 200 and placed all the same.
import { type DurationMs, type EpochMs, HOUR } from '../../domain/time.ts';
import type { Durable } from '../durable/durable.ts';
import type { Intent } from '../durable/intent.ts';

/** How long they count. */
const WITHIN_MS: DurationMs = HOUR;

/** Notes that an intent that was refused is found to have an order. */
export function foldBreach(durable: Durable, { intentId, symbol }: Intent, at: EpochMs): void {
  const lately = (durable.breaches.get(symbol) ?? []).filter((each) => at - each.at < WITHIN_MS);
  durable.breaches.set(symbol, [...lately, { intentId, at }]);
}
