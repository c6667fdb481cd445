// What a strategy keeps between decisions. Its reducer is user code, as `quote` is: whatever it throws is an outcome.
import type { MarketEvent, Strategy } from '../strategy.ts';
import { atOnce } from './at-once.ts';
import { placeOf, type StrategyFailure, thrownText } from './strategy-failure.ts';

export type KeptMemory = { readonly kind: 'kept'; readonly memory: unknown } | StrategyFailure;

/** The memory before the first event; `undefined` for a strategy that has none. */
export function startMemory(strategy: Strategy, params: unknown): KeptMemory {
  return guarded(strategy, () => atOnce(strategy.memory?.start(params), 'memory.start()'));
}

/** The memory after the events, in their order. */
export function reduceMemory(
  strategy: Strategy,
  params: unknown,
  { memory, events }: { readonly memory: unknown; readonly events: readonly MarketEvent[] },
): KeptMemory {
  const kept = strategy.memory;
  if (kept === undefined) return { kind: 'kept', memory };
  const next = (before: unknown, event: MarketEvent): unknown =>
    atOnce(kept.reduce(before, event, params), 'memory.reduce()');
  return guarded(strategy, () => events.reduce(next, memory));
}

function guarded({ name }: Strategy, work: () => unknown): KeptMemory {
  try {
    return { kind: 'kept', memory: work() };
  } catch (thrown) {
    return { kind: 'strategy-failed', strategy: name, message: thrownText(thrown), place: placeOf(thrown) };
  }
}
