// What would be quoted now: the trader's own reads and decisions, without a single order.
import type { InstrumentSymbol } from '../domain/instrument.ts';
import type { EpochMs } from '../domain/time.ts';
import type { LaneName } from '../venue/requests.ts';
import { decisionFor } from './decide.ts';
import { haltOf } from './gate.ts';
import { next, wakeAt } from './next.ts';
import { symbolsOf, type TraderState } from './state.ts';

/** Whether a request that the trader chose only looks. */
export function isRead(kind: string): boolean {
  return kind !== 'create' && !kind.startsWith('cancel');
}

/** The next read that the trader wants on a lane; `null` when it wants to wait, or to send an order: then it has seen enough. */
export function nextRead(state: TraderState, lane: LaneName, now: EpochMs): ReturnType<typeof next> | null {
  if (wakeAt(state, lane, now) > now || hasDecided(state, now)) return null;
  const choice = next(state, lane, now);
  return 'chosen' in choice && isRead(choice.chosen.request.kind) ? choice : null;
}

/** Whether every symbol has quotes or a reason that no read will change. */
export function hasDecided(state: TraderState, now: EpochMs): boolean {
  return state.phase === 'running' && symbolsOf(state).every((symbol) => isDecided(state, symbol, now));
}

function isDecided(state: TraderState, symbol: InstrumentSymbol, now: EpochMs): boolean {
  return decisionFor(state, symbol, now).result !== null || haltOf(state, symbol) !== null;
}
