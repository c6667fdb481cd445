// The parameters that each symbol is quoted by now, also where `set` or `reload` changed them since the start.
import type { Parameters } from '../../trader/durable/revision.ts';
import { revisionOf } from '../../trader/observe/revise-run.ts';
import { runOf, symbolsOf, type TraderState } from '../../trader/state/state.ts';

export interface RunningParameters {
  readonly symbol: string;
  readonly revision: number;
  /** By dotted path, as `set` names them. */
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
