// From a view of the market to quotes ready to send: every step in order, each leaving its reason.
import { type Decimal, HALF } from '../../domain/decimal.ts';
import type { Quote, Slot } from '../../domain/order.ts';
import { touchOf } from '../../domain/order-book.ts';
import { isAboveZero } from '../amount.ts';
import { innermostOf } from '../live-order.ts';
import type { Step } from '../strategy.ts';
import { askStrategy } from '../strategy-call/ask-strategy.ts';
import { type Flaw, failureText, type ReadAnswer, type StrategyFailure } from '../strategy-call/read-answer.ts';
import { type Draft, NO_QUOTE, type NoQuote, type PipelineStep, QuoteLine, type QuotingInput, shown } from './draft.ts';
import { guardPostOnly, guardSelfCross, roundToSteps } from './guards.ts';
import { holdHanging, returnHanging } from './hanging-orders.ts';
import { boundInventory, fitBudget, fitEnlarged, skewSizes } from './inventory-steps.ts';
import {
  applyCostFloor,
  keepOffExternal,
  keepToBand,
  optimizeOrders,
  sellAboveCost,
  stayOutOfTrends,
  widenByDoubts,
  widenByVolatility,
} from './price-steps.ts';
import { keepToLocks, keepToSessions, playPingPong, waitAfterFill } from './sessions.ts';

/** Its quotes are on tick and lot. */
export type QuotingResult = Pick<Draft, 'quotes' | 'explain' | 'noQuote' | 'flaws' | 'failure'>;

// The full order: reference price → strategy → locks → sessions → price band and trend → own fills (filled delay,
// ping-pong) → order optimization → width → inventory cost → external price and its doubts → hanging orders are taken
// out → costs → inventory skew of sizes → inventory bounds → budget → round → post-only guard → self-cross guard →
// skewed sizes fit one order → hanging orders are put back → (risk gate → diff, elsewhere). No step after `round` sets
// a wanted price; the guards after it move whole ticks outward, so that funds and floor still hold.

/** Off unless set, and then without a line. */
const FEATURES: readonly PipelineStep[] = [
  ...[keepToLocks, keepToSessions, keepToBand, stayOutOfTrends, waitAfterFill, playPingPong],
  ...[optimizeOrders, widenByVolatility, sellAboveCost, keepOffExternal, widenByDoubts, holdHanging],
];
const BASICS: readonly PipelineStep[] = [applyCostFloor, skewSizes, boundInventory, fitBudget, roundToSteps];
const GUARDS: readonly PipelineStep[] = [guardPostOnly, guardSelfCross, fitEnlarged, returnHanging];

/** Pure and synchronous. An unusable view gives no quotes, with the reason on both sides. */
export function computeQuotes(input: QuotingInput): QuotingResult {
  return refusedQuotes(input) ?? guardedQuotes(roundedQuotes(input));
}

/** No quotes, with the reason, if the view is unusable at this moment; `null` if it is usable. */
export function refusedQuotes(input: QuotingInput): QuotingResult | null {
  const refusal = whyNotQuotable(input);
  if (refusal === null) return null;
  const explain = [{ name: 'market view', before: input.view.symbol, after: NO_QUOTE, why: refusal }];
  return { quotes: [], explain, noQuote: { buy: refusal, sell: refusal }, flaws: [], failure: null };
}

/** The strategy's quotes after every step before the guards. */
export function roundedQuotes(input: QuotingInput): Draft {
  const wanted = wantedByStrategy(input);
  if (wanted.failure !== null) return wanted;
  return BASICS.reduce(
    (draft, step) => step(draft),
    FEATURES.reduce((draft, step) => step(draft), wanted),
  );
}

/** The end of the pipeline. */
export function guardedQuotes(rounded: Draft): QuotingResult {
  const guarded = rounded.failure === null ? GUARDS.reduce((draft, step) => step(draft), rounded) : rounded;
  const { quotes, explain, noQuote, flaws, failure } = guarded;
  return { quotes, explain, noQuote, flaws, failure };
}

// The start of the pipeline: the strategy's quotes, checked for shape and sorted.

/** Why nothing may be quoted on this view at all, or `null`. Missing data has no substitute. */
function whyNotQuotable({ view }: QuotingInput): string | null {
  if (touchOf(view.book) === null) return `The book of ${view.symbol} is empty on a side, or crossed.`;
  const { referencePrice } = view;
  if (!isAboveZero(referencePrice)) {
    return `The reference price of ${view.symbol} is ${referencePrice.toFixed()}.`;
  }
  return null;
}

function wantedByStrategy(input: QuotingInput): Draft {
  const { strategy, params, view, memory } = input;
  const answer = askStrategy(strategy, view, params, memory);
  if (answer.kind === 'strategy-failed') return failedDraft(input, answer);
  const kept: Quote[] = [];
  const flaws: Flaw[] = [];
  const before = shown(view.referencePrice, view.instrument.tickSize);
  // Flaws first: a slot wanted twice has a flaw and a quote, and its last line is about the quote.
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

/** The part of a draft that comes from its input. */
export const startOf = ({ view, settings, live, strategy, limits }: QuotingInput) => ({
  view,
  settings,
  live,
  strategy,
  limits: limits ?? {},
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
  return bid && ask && bid.add(ask).mul(HALF);
}

function unwanted(quotes: readonly Quote[], lines: readonly Step[], { name, flaws, said }: Unwanted): NoQuote {
  // A quote without a readable slot may have been meant for either side.
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
  /** The strategy's own reasons for an empty side. */
  readonly said: ReadAnswer['noQuote'];
}
