// What a strategy says before it is asked for quotes: what it needs, and whether it fits a market. It is user code,
// too: what it throws, or what is no answer, is an outcome.
import type { Instrument } from '../../domain/instrument.ts';
import type { Needs } from '../knowledge.ts';
import type { Strategy } from '../strategy.ts';
import { atOnce } from './at-once.ts';
import { failureText, placeOf, type StrategyFailure, thrownText } from './strategy-failure.ts';

export type NeedsAnswer = { readonly kind: 'needs'; readonly needs: Needs } | StrategyFailure;

const SYMBOL = /^[A-Z0-9]+\/[A-Z0-9]+$/;

export function askNeeds(strategy: Strategy, params: unknown): NeedsAnswer {
  const failed = (message: string, place: string | null = null): StrategyFailure => ({
    ...{ kind: 'strategy-failed', strategy: strategy.name, message, place },
  });
  try {
    const { trades, books, externalPrice } = atOnce(strategy.needs?.(params), 'needs()') ?? {};
    if (books !== undefined && !(Array.isArray(books) && books.every((each) => SYMBOL.test(String(each)))))
      return failed(`its needs name books ${JSON.stringify(books)}, and a list of symbols like BTC/INR was expected.`);
    const kept = [...new Set(books ?? [])];
    return { kind: 'needs', needs: { trades: trades === true, books: kept, externalPrice: externalPrice === true } };
  } catch (thrown) {
    return failed(thrownText(thrown), placeOf(thrown));
  }
}

/** Why the strategy can't quote the market with these parameters, as a sentence; null where it can. */
export function askWhyUnfit(strategy: Strategy, params: unknown, instrument: Instrument): string | null {
  try {
    const why = atOnce(strategy.whyUnfit?.(params, { ...instrument }), 'whyUnfit()') ?? null;
    return why === null ? null : String(why);
  } catch (thrown) {
    return failureText({
      ...{ kind: 'strategy-failed', strategy: strategy.name, message: thrownText(thrown), place: placeOf(thrown) },
    });
  }
}
