// What is kept of a market beside its book, where its strategy needs it: public trades, what the strategy remembers,
// and books of symbols that no run has.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { Estimates } from '../../estimates/estimate.ts';
import { type MarketEstimates, NO_ESTIMATES } from '../../estimates/estimators.ts';
import type { ReferenceSource } from '../../quoting/reference-price.ts';
import { type Needs, NO_KNOWLEDGE, type TradesSeen } from '../../quoting/strategy.ts';
import { askNeeds, type KeptMemory, type NeedsAnswer, startMemory } from '../../quoting/strategy-call/ask-strategy.ts';
import type { RunSettings } from './settings.ts';
import { type BookSurface, type Surface, startBook, startSurface } from './surfaces.ts';

export interface MarketKnowledge {
  readonly needs: Needs;
  /** Rises with all that a strategy is told and that no ledger, order or book of its own shows. */
  version: number;
  /** The read of public trades. */
  readonly tradesRead: Surface;
  /** Null before the first page. */
  trades: TradesSeen | null;
  /** What books and public trades have added to the estimates, */
  noted: MarketEstimates;
  /** and what that came to when the last of them was read. */
  estimates: Estimates;
  /** What the strategy remembers, or how it failed while it took note of something. */
  memory: KeptMemory;
}

const NO_NEEDS: Needs = {};

/** What is read for the run, beside its book; nothing where the strategy fails to say it. */
export const needsOf = (run: RunSettings): Needs => readsFor(askNeeds(run.strategy, run.params), run);

const readsFor = (asked: NeedsAnswer, { referenceSource }: RunSettings): Needs =>
  withReference(asked.kind === 'strategy-failed' ? NO_NEEDS : asked.needs, referenceSource);

/** Asks the strategy what it needs, and begins its memory. Where either fails, the first decision halts the symbol. */
export function startKnowledge(run: RunSettings): MarketKnowledge {
  const asked = askNeeds(run.strategy, run.params);
  return {
    needs: readsFor(asked, run),
    version: 0,
    tradesRead: startSurface(),
    trades: null,
    noted: NO_ESTIMATES,
    estimates: NO_KNOWLEDGE.estimates,
    memory: asked.kind === 'strategy-failed' ? asked : startMemory(run.strategy, run.params),
  };
}

/** A reference price may need to be read as well. */
export const withReference = (needs: Needs, source: ReferenceSource): Needs =>
  source === 'lastTrade' ? { ...needs, trades: true } : needs;

/** Books that a strategy needs of symbols that no run has, by symbol. */
export function startOtherBooks(
  markets: ReadonlyMap<InstrumentSymbol, { readonly knowledge: MarketKnowledge }>,
): ReadonlyMap<InstrumentSymbol, BookSurface> {
  const needed = [...markets.values()].flatMap(({ knowledge }) => knowledge.needs.books ?? []);
  return new Map(needed.filter((symbol) => !markets.has(symbol)).map((symbol) => [symbol, startBook()]));
}
