// Each symbol's current parameters, including changes by `set` or `reload` since the start.
import { revisionOf } from '../../trader/observe/revise-run.ts';
import type { TraderState } from '../../trader/state/state.ts';

/** `values`: by dotted path, as in `set`. */
export type RunningParameters = ReturnType<typeof runningParameters>[number];

export const runningParameters = (state: TraderState | null) =>
  state === null
    ? []
    : [...state.markets].map(([symbol, { run }]) => ({
        symbol,
        revision: revisionOf(state.durable, symbol),
        values: run.parameters,
      }));
