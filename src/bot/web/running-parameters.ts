// Each symbol's current parameters, including changes by `set` or `reload` since the start.
import { revisionOf } from '../../trader/observe/revise-run.ts';
import { runOf, symbolsOf, type TraderState } from '../../trader/state/state.ts';

/** `values`: by dotted path, as in `set`. */
export type RunningParameters = ReturnType<typeof runningParameters>[number];

export const runningParameters = (state: TraderState | null) =>
  state === null
    ? []
    : symbolsOf(state).map((symbol) => ({
        symbol,
        revision: revisionOf(state.durable, symbol),
        values: runOf(state, symbol).parameters,
      }));
