// The one place where a strategy is called. A strategy is user code: whatever it throws or returns is an outcome.
import type { MarketView, Strategy } from '../strategy.ts';
import { atOnce } from './at-once.ts';
import { handedView } from './handed.ts';
import { type ReadAnswer, readAnswer } from './read-answer.ts';
import { placeOf, type StrategyFailure, thrownText } from './strategy-failure.ts';

export type StrategyAnswer = ({ readonly kind: 'answered' } & ReadAnswer) | StrategyFailure;

export function askStrategy(strategy: Strategy, view: MarketView, params: unknown, memory: unknown): StrategyAnswer {
  try {
    // Reading the answer may run the strategy's code, too: a getter may throw.
    const read = readAnswer(atOnce(strategy.quote(handedView(view), params, memory), 'quote()'));
    if (typeof read !== 'string') return { kind: 'answered', ...read };
    return { kind: 'strategy-failed', strategy: strategy.name, message: read, place: null };
  } catch (thrown) {
    return {
      kind: 'strategy-failed',
      strategy: strategy.name,
      message: thrownText(thrown),
      place: placeOf(thrown),
    };
  }
}
