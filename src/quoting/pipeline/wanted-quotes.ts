// The start of the pipeline: what the strategy wants, checked for shape and brought into order.
import type { Decimal } from '../../domain/decimal.ts';
import { touchOf } from '../../domain/order-book.ts';
import type { Quote, Slot } from '../../domain/quote.ts';
import { innermostOf } from '../outward.ts';
import type { QuotingInput } from '../quoting-input.ts';
import type { Step } from '../strategy.ts';
import { askStrategy } from '../strategy-call/ask-strategy.ts';
import type { Flaw, ReadAnswer } from '../strategy-call/read-answer.ts';
import { failureText, type StrategyFailure } from '../strategy-call/strategy-failure.ts';
import { isAboveZero } from '../usable.ts';
import type { Draft, NoQuote } from './draft.ts';
import { NO_QUOTE, QuoteLine, shown } from './quote-line.ts';

/** Why nothing may be quoted on this view at all, or `null`. Missing data has no substitute. */
export function whyNotQuotable({ view }: QuotingInput): string | null {
  if (touchOf(view.book) === null) return `The book of ${view.symbol} is empty on a side, or crossed.`;
  const { referencePrice } = view;
  if (!isAboveZero(referencePrice)) {
    return `The reference price of ${view.symbol} is ${referencePrice.toFixed()}.`;
  }
  return null;
}

export function wantedByStrategy(input: QuotingInput): Draft {
  const { strategy, params, view, memory } = input;
  const answer = askStrategy(strategy, view, params, memory);
  if (answer.kind === 'strategy-failed') return failedDraft(input, answer);
  const kept: Quote[] = [];
  const flaws: Flaw[] = [];
  const before = shown(view.referencePrice, view.instrument.tickSize);
  // Flaws first: a slot that is wanted twice has one of them and a quote, and its last line is about the quote.
  const lines: Step[] = [];
  for (const wanted of answer.wanted) {
    if (wanted.kind === 'usable') kept.push(wanted.quote);
    else {
      flaws.push(wanted);
      lines.push(flawLine(wanted, strategy.name, before));
    }
  }
  for (const quote of kept) {
    const change = { name: strategy.name, quote, before, after: quote, why: 'Wanted by the strategy.' };
    lines.push(new QuoteLine(change, view.instrument));
  }
  if (lines.length === 0)
    lines.push({ name: strategy.name, before, after: NO_QUOTE, why: 'The strategy wanted none.' });
  const quotes = inOrder(kept);
  return {
    ...startOf(input),
    reservationPrice: reservationPriceOf(quotes) ?? view.referencePrice,
    quotes,
    explain: [...answer.explain, ...lines],
    noQuote: unwanted(quotes, lines, { name: strategy.name, flaws, said: answer.noQuote }),
    flaws,
    failure: null,
  };
}

const startOf = ({ view, settings, live, strategy, mostPerOrder }: QuotingInput) => ({
  view,
  settings,
  live,
  strategy,
  mostPerOrder: mostPerOrder ?? null,
  hanging: [],
  enlargedFrom: NONE_ENLARGED,
});

const NONE_ENLARGED: Draft['enlargedFrom'] = new Map();

function failedDraft(input: QuotingInput, failure: StrategyFailure): Draft {
  const { strategy, view } = input;
  const why = failureText(failure);
  const before = shown(view.referencePrice, view.instrument.tickSize);
  return {
    ...startOf(input),
    reservationPrice: view.referencePrice,
    quotes: [],
    explain: [{ name: strategy.name, before, after: NO_QUOTE, why }],
    noQuote: { buy: why, sell: why },
    flaws: [],
    failure,
  };
}

function flawLine({ slot, why }: Flaw, name: string, before: string): Step {
  const line = { name, before, after: NO_QUOTE, why };
  return isSlot(slot) ? { ...line, slot } : line;
}

const isSlot = (slot: Flaw['slot']): slot is Slot => slot.startsWith('buy:') || slot.startsWith('sell:');

/** Bids, then asks, innermost first. */
function inOrder(quotes: readonly Quote[]): Quote[] {
  return quotes.toSorted((a, b) => (a.side === b.side ? a.level - b.level : a.side === 'buy' ? -1 : 1));
}

function reservationPriceOf(quotes: readonly Quote[]): Decimal | null {
  const bid = innermostOf('buy', quotes);
  const ask = innermostOf('sell', quotes);
  return bid && ask && bid.add(ask).div(2);
}

function unwanted(quotes: readonly Quote[], lines: readonly Step[], { name, flaws, said }: Unwanted): NoQuote {
  // One whose slot can't be told may have been meant for either side.
  const unnamed = flaws.find(({ slot }) => !isSlot(slot));
  const reason = (side: 'buy' | 'sell'): string | null => {
    if (quotes.some((quote) => quote.side === side)) return null;
    const line = lines.find(({ slot }) => slot?.startsWith(side)) ?? unnamed;
    return line?.why ?? said[side] ?? `${name} wants no ${side === 'buy' ? 'bid' : 'ask'}.`;
  };
  return { buy: reason('buy'), sell: reason('sell') };
}

interface Unwanted {
  /** The strategy's. */
  readonly name: string;
  readonly flaws: readonly Flaw[];
  /** What the strategy itself says of a side. */
  readonly said: ReadAnswer['noQuote'];
}
