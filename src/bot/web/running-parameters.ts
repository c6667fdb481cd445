// Each symbol's current parameters, including changes by `set` or `reload` since the start, and what may be set.
import { isFixed, revisionOf } from '../../trader/observe/revise-run.ts';
import type { TraderState } from '../../trader/state/state.ts';
import { writtenParameters } from '../settings/parameters.ts';

export type RunningParameters = ReturnType<typeof runningParameters>[number];

/** `path`: as in `set`; `value`: null if it is not set; `isFixed`: only a restart changes it. */
export const runningParameters = (state: TraderState | null) =>
  state === null
    ? []
    : [...state.markets].map(([symbol, { run }]) => ({
        symbol,
        revision: revisionOf(state.durable, symbol),
        parameters: writtenParameters(run.strategy, run.instrument).map((each) => ({
          ...each,
          value: run.parameters[each.path] ?? null,
          isFixed: isFixed(each.path),
        })),
      }));
