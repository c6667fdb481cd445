// What decisions start from, made anew: what the trader keeps of it must be the same.
import { isDeepStrictEqual } from 'node:util';
import { guardedQuotes, roundedQuotes } from '../../../src/quoting/pipeline/pipeline.ts';
import { restingLimits } from '../../../src/quoting/pipeline/post-only-guard.ts';
import { basisOf, marketView } from '../../../src/trader/decision/view.ts';
import { liveOrders } from '../../../src/trader/orders/live-orders.ts';
import { memoryOf, type TraderState } from '../../../src/trader/state/state.ts';

/**
 * A sentence for each symbol whose kept basis, or the quotes kept with it, is not what it would be if it were made now.
 */
export function outdatedBases(state: TraderState, now: number): string[] {
  return state.settings.runs.flatMap((run) => {
    const { symbol } = run.instrument;
    const memory = memoryOf(state, symbol);
    const kept = basisOf(state, symbol);
    memory.basis = null;
    const anew = basisOf(state, symbol);
    memory.basis = kept;
    const view = marketView(anew, run, now);
    if (view !== null && kept.rounded !== null) {
      const live = liveOrders(state, symbol, now);
      anew.rounded = roundedQuotes({ strategy: run.strategy, params: run.params, view, settings: run.quoting, live });
      kept.rounded = { ...kept.rounded, view, live };
      if (kept.guarded !== null) anew.guarded = guardedQuotes(anew.rounded);
    }
    // Also where the strategy looks at the moment, and no quotes are kept.
    if (view !== null && kept.restingLimits !== null) anew.restingLimits = restingLimits(view, run.quoting.guard);
    const isSame = isDeepStrictEqual({ ...kept, source: null }, { ...anew, source: null });
    return isSame ? [] : [`What decisions about ${symbol} start from is outdated.`];
  });
}
