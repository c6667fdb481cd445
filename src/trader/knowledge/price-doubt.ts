// Whether what a market shows is fit to make a price of for another one.
import { type Decimal, decimal } from '../../domain/decimal.ts';
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import type { ReferenceSource } from '../../quoting/reference-price.ts';
import { marketIn } from '../durable/market.ts';
import { marketOf, type TraderState } from '../state/state.ts';

/** The sentence of its halt. Also one of a journal from before, whose sentence had no numbers. */
const JUMPED = /The reference price jumped(?: from (?<from>[\d.]+) to (?<to>[\d.]+) )?.* and stayed: /;
const FAR_FROM_STATED =
  /The reference price was (?<to>[\d.]+) at .*, far from the stated (?<from>[\d.]+), and stayed: /;

export const isJumpHalt = (reason: string): boolean => JUMPED.test(reason) || FAR_FROM_STATED.test(reason);

/** The price of before or the stated one, and the one that books showed; null where the sentence has no numbers. */
export function pricesOfJumpHalt(reason: string): { readonly from: Decimal; readonly to: Decimal } | null {
  const { from, to } = (JUMPED.exec(reason) ?? FAR_FROM_STATED.exec(reason))?.groups ?? {};
  return from === undefined || to === undefined ? null : { from: decimal(from), to: decimal(to) };
}

/** Why a price of this market is not fit to convert that of another one; null where it is. */
export function priceDoubt(state: TraderState, symbol: InstrumentSymbol): string | null {
  const { jump, lastGoodReference } = marketOf(state, symbol);
  if (isJumpHalt(marketIn(state.durable, symbol).halt?.reason ?? ''))
    return `${symbol} is halted here because its price jumped.`;
  if (jump !== null) return `The price of ${symbol} jumped here, and is not trusted.`;
  return lastGoodReference === null ? `No second book has confirmed the price of ${symbol} here yet.` : null;
}

/** Prices that are not the exchange's own tell nothing of its books, and its books nothing of them. */
export const OF_OTHERS: ReadonlySet<ReferenceSource> = new Set<ReferenceSource>(['external', 'fixed']);

/** Of the books that the strategy of the symbol needs, those that no price is made of now. */
export function doubtedBooks(state: TraderState, symbol: InstrumentSymbol): readonly InstrumentSymbol[] {
  const { books = NONE } = marketOf(state, symbol).knowledge.needs;
  if (books.length === 0) return NONE;
  return books.filter((other) => {
    const run = state.markets.get(other)?.run;
    return run !== undefined && !OF_OTHERS.has(run.referenceSource) && priceDoubt(state, other) !== null;
  });
}

const NONE: readonly InstrumentSymbol[] = [];
