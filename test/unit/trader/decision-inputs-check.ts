// Makes decision inputs and decisions anew: what the trader keeps of them must be the same.
import isSameData from 'fast-deep-equal/es6/index.js';
import { decisionOf } from '../../../src/trader/decision/decide.ts';
import { decisionInputsOf } from '../../../src/trader/decision/view.ts';
import { marketOf, type TraderState } from '../../../src/trader/state/state.ts';

/**
 * A sentence for each symbol whose cached inputs, or the decision made from them, differ from what they would be if
 * they were made now.
 */
export function outdatedInputs(state: TraderState, now: number): string[] {
  return state.settings.runs.flatMap(({ instrument: { symbol } }) => {
    const market = marketOf(state, symbol);
    const { inputs, decision } = market;
    market.decision = null;
    const kept = { inputs: decisionInputsOf(state, market), decision: decisionOf(state, market, now) };
    market.inputs = null;
    const anew = { inputs: decisionInputsOf(state, market), decision: decisionOf(state, market, now) };
    Object.assign(market, { inputs, decision });
    const isSame = isSameData(
      { ...kept, inputs: { ...kept.inputs, source: null } },
      { ...anew, inputs: { ...anew.inputs, source: null } },
    );
    return isSame ? [] : [`What decisions about ${symbol} start from is outdated.`];
  });
}
