// What strategies did wrong in the last decisions: here they halt, and people are notified.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type Flaw, failureText } from '../../quoting/strategy-call/read-answer.ts';
import { marketOf, symbolsOf } from '../state/state.ts';
import { haltSymbol, notice, type Turn } from '../state/turn.ts';

/** Halts each symbol whose strategy failed, and no other; tells quotes that can't be any. */
export function watchStrategies(turn: Turn): void {
  for (const symbol of symbolsOf(turn.state)) {
    const { decision } = marketOf(turn.state, symbol);
    const failure = decision?.failure ?? null;
    if (failure !== null) haltSymbol(turn, symbol, failureText(failure), 'strategy-error');
    const result = decision?.result ?? null;
    if (result !== null) noteFlaws(turn, symbol, result.flaws);
  }
}

/** Told once in a row of decisions that have them. */
function noteFlaws(turn: Turn, symbol: InstrumentSymbol, flaws: readonly Flaw[]): void {
  const market = marketOf(turn.state, symbol);
  const before = market.flawedSlots;
  if (flaws.length === 0 && before.size === 0) return;
  for (const { slot, why } of flaws)
    if (!before.has(slot)) notice(turn, { level: 'warn', op: 'strategy-quote', symbol, message: why });
  market.flawedSlots = new Set(flaws.map(({ slot }) => slot));
}
