// Exponential forgetting: what is one half-life old counts half.
import { type DurationMs, SECOND } from '../domain/time.ts';

/** What is left of a weight of 1 after this time; 1 for times that are not after it. */
export function keptAfter(elapsedMs: DurationMs, halfLifeMs: DurationMs): number {
  return elapsedMs <= 0 ? 1 : 2 ** (-elapsedMs / halfLifeMs);
}

/**
 * Seconds that are left of a span that ends this long ago: the integral of `keptAfter` over it. As long as the span
 * where it is short and new.
 */
export function keptSeconds(spanMs: DurationMs, endedAgoMs: DurationMs, halfLifeMs: DurationMs): number {
  if (spanMs <= 0) return 0;
  const meanLifeMs = halfLifeMs / Math.LN2;
  return (keptAfter(endedAgoMs, halfLifeMs) * -Math.expm1(-spanMs / meanLifeMs) * meanLifeMs) / SECOND;
}
