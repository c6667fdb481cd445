// How far the reference price goes anyway, in the time that a move takes to reach the book.
import type { DurationMs } from '../../domain/time.ts';
import { MINUTE, SECOND } from '../../domain/time.ts';
import type { Market, PriceTravel } from '../state/market.ts';
import type { RunSettings } from '../state/settings.ts';
import { marketOf, stretch, type TraderState } from '../state/state.ts';

type References = Market['references'];

const BPS_PER_ONE = 10_000;

/** Fewer changes than these say nothing; what is configured does then. */
const LEAST_CHANGES = 12;

/** What the price did over a longer time, as over an outage, is none of the changes that are looked for. */
const LONGEST_CHANGE_MS: DurationMs = MINUTE;

/**
 * Of prices oldest first; each change is over `overMs` at the least, and little more. Null where there are too few of
 * them.
 */
export function travelIn(references: References, overMs: DurationMs): PriceTravel | null {
  const mostMs = Math.max(LONGEST_CHANGE_MS, 2 * overMs);
  let squares = 0;
  let elapsed = 0;
  let changes = 0;
  let start = 0;
  for (const { at, float } of references) {
    while (at - (references[start]?.at ?? at) > mostMs) start += 1;
    const first = references[start];
    if (first === undefined || at - first.at < overMs || at === first.at) continue;
    squares += ((float / first.float - 1) * BPS_PER_ONE) ** 2;
    elapsed += at - first.at;
    changes += 1;
    start += 1;
  }
  return changes < LEAST_CHANGES ? null : { bps: Math.sqrt(squares / changes), overMs: elapsed / changes };
}

/** Works out what was seen, once for each reference price that is kept. */
export function noteTravel(state: TraderState, { instrument, quoting }: RunSettings): void {
  const market = marketOf(state, instrument.symbol);
  market.travel ??= travelIn(market.references, moveTakesMs(state, quoting.guard.expectedDelayMs));
}

/**
 * In basis points of the reference price. What was seen in the last minutes; before there is enough of it, the
 * volatility that the guard is configured with. A price is taken to go with the square root of the time.
 */
export function travelBpsOf(state: TraderState, { instrument, quoting }: RunSettings): number {
  const { guard } = quoting;
  const takesMs = moveTakesMs(state, guard.expectedDelayMs);
  const { travel } = marketOf(state, instrument.symbol);
  const { bps, overMs } = travel ?? { bps: guard.volatilityBpsPerSqrtSecond, overMs: SECOND };
  return bps * Math.sqrt(takesMs / overMs);
}

/** A book may be one interval old, the lane must give two turns, and the order must reach the book. */
function moveTakesMs(state: TraderState, expectedDelayMs: DurationMs): DurationMs {
  const bookMs = state.settings.polling.bookMs * stretch(state, 'public');
  return bookMs + (2 * SECOND) / state.requests.pace.private + expectedDelayMs;
}
