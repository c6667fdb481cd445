// What strategies did wrong in the decisions since the last turn. Decisions are made whenever somebody asks, also to
// show them; only here do they halt, count and notify.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Flaw } from '../../quoting/strategy-call/read-answer.ts';
import { failureText } from '../../quoting/strategy-call/strategy-failure.ts';
import { haltSymbol, notice, type Turn } from '../fold/turn.ts';
import { countFor, memoryOf, symbolsOf } from '../state/state.ts';

/** Halts each symbol whose strategy failed, and no other; counts and tells quotes that can't be any. */
export function watchStrategies(turn: Turn): void {
  for (const symbol of symbolsOf(turn.state)) {
    const memory = memoryOf(turn.state, symbol);
    const { strategyFailure, decision } = memory;
    if (strategyFailure !== null) {
      haltSymbol(turn, symbol, failureText(strategyFailure), 'strategy-error');
      memory.strategyFailure = null;
    }
    const result = decision?.result ?? null;
    if (result !== null) noteFlaws(turn, symbol, result.flaws);
  }
}

/** Counted once a decision, told once in a row of decisions that have them. */
function noteFlaws(turn: Turn, symbol: InstrumentSymbol, flaws: readonly Flaw[]): void {
  const memory = memoryOf(turn.state, symbol);
  const before = memory.flawedSlots;
  if (flaws.length === 0 && before.size === 0) return;
  const denied = memory.decision?.denied;
  for (const { slot, why } of flaws) {
    if (denied === undefined || denied.has(slot)) continue;
    denied.set(slot, 'strategy-quote');
    memory.lastDenied = { code: 'strategy-quote', message: why };
    countFor(turn.state.denialCounts, symbol, 'strategy-quote');
    if (!before.has(slot)) notice(turn, { level: 'warn', op: 'strategy-quote', symbol, message: why });
  }
  memory.flawedSlots = new Set(flaws.map(({ slot }) => slot));
}
