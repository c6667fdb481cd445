// Whether the market is over: recordings come to their end, a made-up market does not.
import type { ExchangeState } from '../state/state.ts';

/** Whether nobody but those who send requests will act any more. */
export function hasEnded({ seats }: Pick<ExchangeState, 'seats'>): boolean {
  return seats.length > 0 && seats.every(({ crowd, state }) => crowd.nextAt(state) === null);
}
