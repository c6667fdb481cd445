// The only place that calls a strategy. A strategy is user code: anything it throws or returns is an outcome.
import { Decimal } from '../../domain/decimal.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { WrittenLevel } from '../../domain/order-book.ts';
import type { MarketEvent, MarketView, Needs, PastReference, Strategy } from '../strategy.ts';
import { failureOf, failureText, type ReadAnswer, readAnswer, type StrategyFailure } from './read-answer.ts';

type StrategyAnswer = ({ readonly kind: 'answered' } & ReadAnswer) | StrategyFailure;

export function askStrategy(strategy: Strategy, view: MarketView, params: unknown, memory: unknown): StrategyAnswer {
  return guarded(strategy, () => {
    // Reading the answer may run the strategy's code, too: a getter may throw.
    const read = readAnswer(atOnce(strategy.quote(handedView(view), params, memory), 'quote()'));
    return typeof read === 'string' ? refusal(strategy, read) : { kind: 'answered', ...read };
  });
}

/** Its answer, or what it throws as an outcome. */
function guarded<T>(strategy: Strategy, ask: () => T): T | StrategyFailure {
  try {
    return ask();
  } catch (thrown) {
    return failureOf(strategy, thrown);
  }
}

/** An invalid answer. */
const refusal = ({ name }: Strategy, message: string): StrategyFailure => ({
  ...{ kind: 'strategy-failed', strategy: name, message, place: null },
});

// How far out a strategy says it quotes. It is user code too: an exception, or anything but a number, counts as no
// answer.

/** In basis points of the reference price; null if the strategy does not say. */
export function askWidthBps({ widthBps }: Strategy, params: unknown): number | null {
  try {
    const width = atOnce(widthBps?.(params), 'widthBps()');
    return typeof width === 'number' && Number.isFinite(width) && width >= 0 ? width : null;
  } catch {
    return null;
  }
}

// A strategy must answer every call at once. Nothing would await a promise.

/** Returns the answer; throws if it is a promise. `of` names the call. */
function atOnce<T>(answer: T, of: string): T {
  // style-allow async-in-pure-code: a strategy that answers with a promise is refused here
  if (!(answer instanceof Promise)) return answer;
  // The promise's result is ignored; an unhandled rejection would end the process.
  answer.catch(() => {});
  // style-allow throw-in-pure-code: it is caught where all is caught that a strategy throws
  throw new Error(`it returned a promise: ${of} must answer at once.`);
}

// A strategy's input can't be changed: pipeline and risk gate see the market as it was read.

export function handedView(view: MarketView): MarketView {
  if (Object.isFrozen(view)) return view;
  // Lists and maps that grow in place are copied.
  return frozen({ ...view, references: frozenReferences(view.references), books: new Map(view.books) });
}

/** Freezes the prices added since the last call: earlier ones are frozen. */
function frozenReferences(references: readonly PastReference[]): readonly PastReference[] {
  for (let index = references.length - 1; index >= 0; index -= 1) {
    const each = references[index];
    if (each === undefined || Object.isFrozen(each)) break;
    frozen(each);
  }
  return Object.freeze([...references]);
}

export const handedEvent = (event: MarketEvent): MarketEvent => frozen(event);

/** Freezes a value with everything reachable from it. An already frozen value was frozen here, contents included. */
function frozen<T extends object>(value: T): T {
  if (value instanceof WrittenLevel || value instanceof Decimal || Object.isFrozen(value)) return value;
  Object.freeze(value);
  const parts = value instanceof Map ? value.values() : Array.isArray(value) ? value : Object.values(value);
  for (const each of parts)
    if (typeof each === 'object' && each !== null && !(each instanceof WrittenLevel)) frozen(each);
  return value;
}

// A strategy's memory between decisions. Its reducer is user code, like `quote`: anything it throws is an outcome.

export type KeptMemory = { readonly kind: 'kept'; readonly memory: unknown } | StrategyFailure;

/** The memory before the first event; `undefined` for a strategy without one. */
export function startMemory(strategy: Strategy, params: unknown): KeptMemory {
  return guarded(strategy, () => ({ kind: 'kept', memory: atOnce(strategy.memory?.start(params), 'memory.start()') }));
}

/** The memory after the event. */
export function reduceMemory(
  strategy: Strategy,
  params: unknown,
  { memory, event }: { readonly memory: unknown; readonly event: MarketEvent },
): KeptMemory {
  const kept = strategy.memory;
  if (kept === undefined) return { kind: 'kept', memory };
  return guarded(strategy, () => {
    return { kind: 'kept', memory: atOnce(kept.reduce(memory, event, params), 'memory.reduce()') };
  });
}

// A strategy's answers before it is asked for quotes: its needs, and whether it fits a market. It is user code too: an
// exception or an invalid answer is an outcome.

export type NeedsAnswer = { readonly kind: 'needs'; readonly needs: Needs } | StrategyFailure;

const SYMBOL = /^[A-Z0-9]+\/[A-Z0-9]+$/;

export function askNeeds(strategy: Strategy, params: unknown): NeedsAnswer {
  return guarded(strategy, () => {
    const { trades, books, externalPrice } = atOnce(strategy.needs?.(params), 'needs()') ?? {};
    if (books !== undefined && !(Array.isArray(books) && books.every((each) => SYMBOL.test(String(each))))) {
      const named = JSON.stringify(books);
      return refusal(strategy, `its needs name books ${named}, and a list of symbols like BTC/INR was expected.`);
    }
    const kept = [...new Set(books ?? [])];
    return { kind: 'needs', needs: { trades: trades === true, books: kept, externalPrice: externalPrice === true } };
  });
}

/** Why the strategy can't quote the market with these parameters, as a sentence; null if it can. */
export function askWhyUnfit(strategy: Strategy, params: unknown, instrument: Instrument): string | null {
  const why = guarded(strategy, () => {
    const said = atOnce(strategy.whyUnfit?.(params, { ...instrument }), 'whyUnfit()') ?? null;
    return said === null ? null : String(said);
  });
  return typeof why === 'object' && why !== null ? failureText(why) : why;
}
