// A crowd whose every act is shown. The exchange lets the others act late, when somebody calls, but each act has a
// moment of its own: what the market is after each of them is seen with that moment, and no timer is needed for it.
import type { Crowd } from '../../src/crowd/types.ts';
import type { EpochMs } from '../../src/domain/time.ts';
import type { MarketReader } from '../../src/matching/types.ts';

/** `onActed` is called when what the crowd did at its time `at` is done, before anything else happens. */
export function seenCrowd<State>(
  crowd: Crowd<State>,
  onActed: (market: MarketReader, at: EpochMs) => void,
): Crowd<State> {
  let acted: { readonly market: MarketReader; readonly at: EpochMs } | null = null;
  return {
    ...crowd,
    // The exchange asks for the next act when it has applied the one before.
    nextAt(state) {
      if (acted !== null) onActed(acted.market, acted.at);
      acted = null;
      return crowd.nextAt(state);
    },
    step(state, market, now) {
      acted = { market, at: now };
      return crowd.step(state, market, now);
    },
  };
}
