// The one place where a strategy is called. A strategy is user code: whatever it throws or returns is an outcome.
import type { Instrument } from '../../domain/instrument.ts';
import type { OrderBook } from '../../domain/order-book.ts';
import type { Estimate, Intensity } from '../../estimates/estimate.ts';
import type { BookSeen, MarketEvent, MarketView, Needs, Strategy, TradesSeen } from '../strategy.ts';
import { failureOf, failureText, type ReadAnswer, readAnswer, type StrategyFailure } from './read-answer.ts';

type StrategyAnswer = ({ readonly kind: 'answered' } & ReadAnswer) | StrategyFailure;

export function askStrategy(strategy: Strategy, view: MarketView, params: unknown, memory: unknown): StrategyAnswer {
  try {
    // Reading the answer may run the strategy's code, too: a getter may throw.
    const read = readAnswer(atOnce(strategy.quote(handedView(view), params, memory), 'quote()'));
    if (typeof read !== 'string') return { kind: 'answered', ...read };
    return { kind: 'strategy-failed', strategy: strategy.name, message: read, place: null };
  } catch (thrown) {
    return failureOf(strategy, thrown);
  }
}

// How far a strategy says that it quotes. It is user code, too: what it throws, or what is no number, says nothing.

/** In basis points of the reference price; null where the strategy does not say. */
export function askWidthBps({ widthBps }: Strategy, params: unknown): number | null {
  try {
    const width = atOnce(widthBps?.(params), 'widthBps()');
    return typeof width === 'number' && Number.isFinite(width) && width >= 0 ? width : null;
  } catch {
    return null;
  }
}

// Whatever a strategy is asked, it answers at once. A promise would be waited for by nobody.

/** The answer; throws where it is a promise. `of` names what was called. */
function atOnce<T>(answer: T, of: string): T {
  // style-allow async-in-pure-code: a strategy that answers with a promise is refused here
  if (!(answer instanceof Promise)) return answer;
  // What becomes of it is nobody's business any more; a rejection that nobody takes would end the process.
  answer.catch(() => {});
  // style-allow throw-in-pure-code: it is caught where all is caught that a strategy throws
  throw new Error(`it returned a promise: ${of} must answer at once.`);
}

// What a strategy is handed is its own: whatever it does with it, pipeline and risk gate see the market as it was read.
// Decimals are shared, nothing of them can be set.

export function handedView(view: MarketView): MarketView {
  const { volatilityBpsPerSqrtSecond: volatility, tradesPerSecond, intensity } = view.estimates;
  return {
    ...view,
    instrument: { ...view.instrument },
    costs: { ...view.costs },
    externalPrice: { ...view.externalPrice },
    base: { ...view.base },
    quote: { ...view.quote },
    book: handedBook(view.book),
    ownFills: copyOf(view.ownFills),
    references: copyOf(view.references),
    locks: copyOf(view.locks),
    trades: view.trades && handedTrades(view.trades),
    books: new Map([...view.books].map(([symbol, seen]): [typeof symbol, BookSeen] => [symbol, handedSeen(seen)])),
    estimates: {
      volatilityBpsPerSqrtSecond: { ...volatility },
      tradesPerSecond: { ...tradesPerSecond },
      intensity: { buy: handedIntensity(intensity.buy), sell: handedIntensity(intensity.sell) },
    },
  };
}

export function handedEvent(event: MarketEvent): MarketEvent {
  switch (event.kind) {
    case 'book':
      return { ...event, book: handedBook(event.book) };
    case 'trades':
      return { ...event, trades: copyOf(event.trades) };
    case 'own-fill':
      return { ...event, fill: { ...event.fill } };
  }
}

/** Written out: a book has a hundred levels, and each decision hands one over. */
const handedBook = ({ bids, asks }: OrderBook): OrderBook => ({
  bids: bids.map(({ price, quantity }) => ({ price, quantity })),
  asks: asks.map(({ price, quantity }) => ({ price, quantity })),
});

const handedSeen = (seen: BookSeen): BookSeen => ({ ...seen, book: handedBook(seen.book) });

const handedTrades = (seen: TradesSeen): TradesSeen => ({ ...seen, trades: copyOf(seen.trades) });

const handedIntensity = (of: Estimate<Intensity>): Estimate<Intensity> =>
  of.kind === 'known' ? { ...of, value: { ...of.value } } : { ...of };

const copyOf = <T extends object>(rows: readonly T[]): readonly T[] => rows.map((row) => ({ ...row }));

// What a strategy keeps between decisions. Its reducer is user code, as `quote` is: whatever it throws is an outcome.

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

function guarded(strategy: Strategy, work: () => unknown): KeptMemory {
  try {
    return { kind: 'kept', memory: work() };
  } catch (thrown) {
    return failureOf(strategy, thrown);
  }
}

// What a strategy says before it is asked for quotes: what it needs, and whether it fits a market. It is user code,
// too: what it throws, or what is no answer, is an outcome.

export type NeedsAnswer = { readonly kind: 'needs'; readonly needs: Needs } | StrategyFailure;

const SYMBOL = /^[A-Z0-9]+\/[A-Z0-9]+$/;

export function askNeeds(strategy: Strategy, params: unknown): NeedsAnswer {
  try {
    const { trades, books, externalPrice } = atOnce(strategy.needs?.(params), 'needs()') ?? {};
    if (books !== undefined && !(Array.isArray(books) && books.every((each) => SYMBOL.test(String(each))))) {
      const message = `its needs name books ${JSON.stringify(books)}, and a list of symbols like BTC/INR was expected.`;
      return { kind: 'strategy-failed', strategy: strategy.name, message, place: null };
    }
    const kept = [...new Set(books ?? [])];
    return { kind: 'needs', needs: { trades: trades === true, books: kept, externalPrice: externalPrice === true } };
  } catch (thrown) {
    return failureOf(strategy, thrown);
  }
}

/** Why the strategy can't quote the market with these parameters, as a sentence; null where it can. */
export function askWhyUnfit(strategy: Strategy, params: unknown, instrument: Instrument): string | null {
  try {
    const why = atOnce(strategy.whyUnfit?.(params, { ...instrument }), 'whyUnfit()') ?? null;
    return why === null ? null : String(why);
  } catch (thrown) {
    return failureText(failureOf(strategy, thrown));
  }
}
