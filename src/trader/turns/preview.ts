// What would be quoted now: the trader's own reads and decisions, without a single order.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { EpochMs } from '../../domain/time.ts';
import { decisionOf } from '../decision/decide.ts';
import { haltOf } from '../decision/readiness.ts';
import type { Chosen } from '../durable/chosen.ts';
import { isInformed } from '../knowledge/knowledge-of.ts';
import { marketOf, symbolsOf, type TraderState } from '../state/state.ts';
import { catchUp, commit, next } from './next.ts';
import { pickCreate } from './pick-create.ts';

/** Whether a request that the trader chose only looks. */
export function isRead(kind: string): boolean {
  return kind !== 'create' && !kind.startsWith('cancel');
}

/**
 * The next read that the trader wants on a lane, as sent; `null` when it wants to wait, or to send an order: then it
 * has seen enough.
 */
export function takeRead(state: TraderState, lane: 'public' | 'private', now: EpochMs): Chosen | null {
  catchUp(state, now);
  if (hasDecided(state, now)) return null;
  const choice = next(state, lane, now);
  return choice.kind === 'send' && isRead(choice.candidate.kind) ? commit(state, choice.candidate, now).chosen : null;
}

/** Whether every symbol has quotes or a reason that no read will change. */
export function hasDecided(state: TraderState, now: EpochMs): boolean {
  return state.phase === 'running' && symbolsOf(state).every((symbol) => isDecided(state, symbol, now));
}

function isDecided(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): boolean {
  if (haltOf(state, symbol) !== null) return true;
  // Before a second book confirms the first the risk gate refuses every order.
  if (marketOf(state, symbol).lastGoodReference === null) return false;
  return decisionOf(state, symbol, now).result !== null && isInformed(state, symbol);
}

/** More than the orders of any configuration: a strategy that wants another order each time has an end. */
const MOST_PLACED = 1_000;

/**
 * Places in this state alone, which is spent by it, what `run` would place by now: the same decisions and the same risk
 * gate, each order beside those before it. What the gate refuses stands in the decisions afterwards.
 */
export function placeInThought(state: TraderState, now: EpochMs): void {
  for (let placed = 0; placed < MOST_PLACED; placed += 1) {
    catchUp(state, now);
    const create = pickCreate(state, now, 'all-slots');
    if (create === null) return;
    commit(state, create, now);
  }
}
