// What decisions start from, and decisions, made anew: what the trader keeps of it must be the same.
import { decisionOf } from '../../../src/trader/decision/decide.ts';
import { basisOf } from '../../../src/trader/decision/view.ts';
import { marketOf, type TraderState } from '../../../src/trader/state/state.ts';
import { sameData } from './same-data.ts';

/**
 * A sentence for each symbol whose kept basis, or what is decided by it, is not what it would be if it were made now.
 */
export function outdatedBases(state: TraderState, now: number): string[] {
  return state.settings.runs.flatMap(({ instrument: { symbol } }) => {
    const market = marketOf(state, symbol);
    const { basis, decision } = market;
    market.decision = null;
    const kept = { basis: basisOf(state, symbol), decision: decisionOf(state, symbol, now) };
    market.basis = null;
    const anew = { basis: basisOf(state, symbol), decision: decisionOf(state, symbol, now) };
    Object.assign(market, { basis, decision });
    const isSame = sameData(
      { ...kept, basis: { ...kept.basis, source: null } },
      { ...anew, basis: { ...anew.basis, source: null } },
    );
    return isSame ? [] : [`What decisions about ${symbol} start from is outdated.`];
  });
}
