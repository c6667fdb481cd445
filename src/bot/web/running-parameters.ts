// Each symbol's current parameters, including changes by `set` or `reload` since the start.
import type { Parameters } from '../../trader/durable/revision.ts';
import { revisionOf } from '../../trader/observe/revise-run.ts';
import { runOf, symbolsOf, type TraderState } from '../../trader/state/state.ts';

export interface RunningParameters {
  readonly symbol: string;
  readonly revision: number;
  /** By dotted path, as in `set`. */
  readonly values: Parameters;
}

export const runningParameters = (state: TraderState | null): readonly RunningParameters[] =>
  state === null
    ? []
    : symbolsOf(state).map((symbol) => ({
        symbol,
        revision: revisionOf(state.durable, symbol),
        values: runOf(state, symbol).parameters,
      }));
