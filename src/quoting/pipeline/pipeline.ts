// From a view of the market to quotes that may be sent: every step in its order, each leaving its reason.
import type { Quote } from '../../domain/order.ts';
import type { QuotingInput } from '../quoting-input.ts';
import type { QuotingSettings } from '../quoting-settings.ts';
import type { Step } from '../strategy.ts';
import type { Flaw } from '../strategy-call/read-answer.ts';
import type { StrategyFailure } from '../strategy-call/strategy-failure.ts';
import { fitBudget } from './budget.ts';
import { applyCostFloor } from './cost-floor.ts';
import type { Draft, NoQuote, PipelineStep } from './draft.ts';
import { holdHanging, returnHanging } from './hanging-orders.ts';
import { boundInventory } from './inventory-bounds.ts';
import { fitEnlarged, skewSizes } from './inventory-skew.ts';
import { keepToLocks } from './locks.ts';
import { holdTradeRate, playPingPong, waitAfterFill } from './own-fills.ts';
import { guardPostOnly } from './post-only-guard.ts';
import { keepToBand, stayOutOfTrends } from './price-band.ts';
import { keepOffExternal, optimizeOrders, sellAboveCost, widenByDoubts, widenByVolatility } from './price-steps.ts';
import { NO_QUOTE } from './quote-line.ts';
import { roundToSteps } from './round-to-steps.ts';
import { guardSelfCross } from './self-cross-guard.ts';
import { keepToSessions } from './sessions.ts';
import { wantedByStrategy, whyNotQuotable } from './wanted-quotes.ts';

export interface QuotingResult {
  /** On tick and lot. Bids, then asks, each from the innermost outwards. */
  readonly quotes: readonly Quote[];
  /** In order. The last line with a quote's slot ends in the quote as it is here. */
  readonly explain: readonly Step[];
  /** Per side, why it has no quote, as a sentence; `null` where it has one. */
  readonly noQuote: NoQuote;
  /** Quotes that the strategy wanted and that can't be any. */
  readonly flaws: readonly Flaw[];
  /** Why the strategy gave no quotes at all; `null` where it answered, or was not asked. */
  readonly failure: StrategyFailure | null;
}

// The full order: reference price → strategy → locks → sessions → price band and trend → own fills (filled delay,
// ping-pong, trade rate) → order optimization → width → inventory cost → external price and its doubts → hanging orders
// are taken out → costs → inventory skew of sizes → inventory bounds → budget → round → post-only guard → self-cross
// guard → sizes that were skewed fit one order → hanging orders are put back → (risk gate → diff, elsewhere). Nothing
// that wishes for a price comes after `round`; the guards behind it move whole ticks outwards, so that funds and floor
// still hold.

/** These are off unless they are set, and leave no line then. */
const FEATURES: readonly PipelineStep[] = [
  ...[keepToLocks, keepToSessions, keepToBand, stayOutOfTrends, waitAfterFill, playPingPong, holdTradeRate],
  ...[optimizeOrders, widenByVolatility, sellAboveCost, keepOffExternal, widenByDoubts, holdHanging],
];
/** None of these looks at the moment (`view.now`): see `roundedQuotes`. */
const BASICS: readonly PipelineStep[] = [applyCostFloor, skewSizes, boundInventory, fitBudget, roundToSteps];
const GUARDS: readonly PipelineStep[] = [guardPostOnly, guardSelfCross, fitEnlarged, returnHanging];

/** Pure and synchronous. A view that can't be quoted on gives no quotes, with the reason on both sides. */
export function computeQuotes(input: QuotingInput): QuotingResult {
  return refusedQuotes(input) ?? guardedQuotes(roundedQuotes(input));
}

/** No quotes, with the reason, on a view that can't be quoted on at this moment; `null` where it can. */
export function refusedQuotes(input: QuotingInput): QuotingResult | null {
  const refusal = whyNotQuotable(input);
  if (refusal === null) return null;
  const explain = [{ name: 'market view', before: input.view.symbol, after: NO_QUOTE, why: refusal }];
  return { quotes: [], explain, noQuote: { buy: refusal, sell: refusal }, flaws: [], failure: null };
}

/**
 * Whether all steps before the guards give the same at every moment: none is set that looks at the time of day, at how
 * long ago something was, or at prices of before.
 */
export const stepsIgnoreNow = (settings: QuotingSettings): boolean =>
  settings.sessions === undefined &&
  settings.priceBand?.bandBps === undefined &&
  settings.trend === undefined &&
  settings.filledDelayMs === 0 &&
  settings.hanging === undefined &&
  settings.tradeRate === undefined;

/**
 * What the strategy wants, with everything applied that comes before the guards. Where the strategy ignores the moment
 * (`Strategy.ignoresNow`), and so do the steps (`stepsIgnoreNow`), two inputs that differ in `view.now` and in
 * `exposed` of own orders only have the same.
 */
export function roundedQuotes(input: QuotingInput): Draft {
  const wanted = wantedByStrategy(input);
  if (wanted.failure !== null) return wanted;
  return BASICS.reduce(
    (draft, step) => step(draft),
    FEATURES.reduce((draft, step) => step(draft), wanted),
  );
}

/** The end of the pipeline. Where the margin ignores the moment (`marginIgnoresNow`), so do the guards. */
export function guardedQuotes(rounded: Draft): QuotingResult {
  const guarded = rounded.failure === null ? GUARDS.reduce((draft, step) => step(draft), rounded) : rounded;
  const { quotes, explain, noQuote, flaws, failure } = guarded;
  return { quotes, explain, noQuote, flaws, failure };
}
