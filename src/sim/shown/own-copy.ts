// A trader that may be asked what it would show: it keeps what it works out, and the running one must not.
import type { TraderState } from '../../trader/state/state.ts';

export function ownCopy(trader: TraderState): TraderState {
  const memory = new Map(
    [...trader.memory].map(([symbol, each]) => [
      symbol,
      { ...each, references: [...each.references], basis: each.basis && { ...each.basis } },
    ]),
  );
  return { ...trader, memory };
}
