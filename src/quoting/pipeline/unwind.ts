// A market halted at a loss limit goes back to its inventory target: one order of one side, first resting at the best
// price of its side, later taking from the book. Every other limit holds.
import { type Decimal, maxOf, minOf, ZERO } from '../../domain/decimal.ts';
import type { Instrument } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { type Quote, slotOf } from '../../domain/order.ts';
import { touchOf } from '../../domain/order-book.ts';
import { ratioOfBps } from '../amount.ts';
import type { Unwinding } from '../block.ts';
import { leavesSlotFree } from '../live-order.ts';
import type { Limits } from '../risk/risk-limits.ts';
import { type Draft, type PipelineStep, QuoteLine, type QuotingInput, shown } from './draft.ts';
import { guardPostOnly, guardSelfCross, roundToSteps } from './guards.ts';
import { boundInventory, fitBudget } from './inventory-steps.ts';
import { type QuotingResult, refusedQuotes, startOf } from './pipeline.ts';
import { keepToLocks, keepToSessions } from './sessions.ts';

export interface UnwindInput extends QuotingInput {
  readonly limits: Limits;
  readonly unwinding: Unwinding;
  /** The reference some minutes ago, from which the collar counts as well. */
  readonly recentReference: Decimal;
}

const STEPS: readonly PipelineStep[] = [keepToLocks, keepToSessions, boundInventory, fitBudget, roundToSteps];

/** The quotes of a halted market, instead of its strategy's. Pure. */
export function unwindQuotes(input: UnwindInput): QuotingResult {
  const refused = refusedQuotes(input);
  if (refused !== null) return refused;
  const { view, unwinding } = input;
  const { side, takes } = unwinding;
  const quote = wantedOf(input);
  const isWanted = quote.quantity.gt(0);
  const why = `At a loss limit: it ${unwindWords(unwinding, view.instrument)}, ${takes ? 'from the book' : 'resting'}.`;
  const draft: Draft = {
    ...startOf(input),
    reservationPrice: view.referencePrice,
    quotes: isWanted ? [quote] : [],
    explain: [
      new QuoteLine({ name: 'unwind', quote, before: '', after: isWanted ? quote : null, why }, view.instrument),
    ],
    noQuote: {
      buy: why,
      sell: why,
      [side]: isWanted ? null : 'The base is at its target, or will be if its orders fill.',
    },
    flaws: [],
    failure: null,
  };
  const steps = [...STEPS, ...(takes ? [] : [guardPostOnly]), guardSelfCross];
  const { quotes, explain, noQuote, flaws, failure } = steps.reduce((made, step) => step(made), draft);
  return { quotes, explain, noQuote, flaws, failure };
}

/** `sells 0.3 BTC, back to its target`. */
export const unwindWords = ({ side, left }: Omit<Unwinding, 'takes'>, { base, lotSize }: Instrument): string =>
  `${side === 'buy' ? 'buys' : 'sells'} ${shown(left, lotSize)} ${base}, back to its target`;

function wantedOf({ view, live, limits, unwinding, recentReference }: UnwindInput): Quote {
  const { side, left, takes } = unwinding;
  const { collarBps, jumpBps, maxOrderQuantity, maxOrderNotional } = limits;
  const { tickSize } = view.instrument;
  const touch = touchOf(view.book);
  invariant(touch !== null, `A book of ${view.symbol} without two sides is refused before.`);
  const best = (side === 'buy' ? touch.bid : touch.ask).price;
  const inward = side === 'buy' ? tickSize : tickSize.neg();
  const collar = [rangeAround(view.referencePrice, collarBps), rangeAround(recentReference, jumpBps)];
  const least = collar.map(([from]) => from).reduce(maxOf);
  const most = collar.map(([, to]) => to).reduce(minOf);
  const farthest = side === 'buy' ? most : least;
  // One tick ahead of the best price; the post-only guard keeps it off the other side.
  const price = takes ? farthest : maxOf(least, minOf(best.add(inward), most));
  const slot = slotOf({ side, level: 0 });
  // The order in the slot is replaced; all others may yet fill.
  const filling = live
    .filter((order) => order.side === side && (order.slot !== slot || leavesSlotFree(order)))
    .reduce((sum, order) => sum.add(order.remaining), ZERO);
  const off = view.inventoryTarget.sub(view.base.total);
  const missing = minOf(left, side === 'buy' ? off : off.neg()).sub(filling);
  const quantity = minOf(missing, minOf(maxOrderQuantity, maxOrderNotional.div(price)));
  return { side, level: 0, price, quantity: maxOf(quantity, ZERO) };
}

const rangeAround = (center: Decimal, bps: number): readonly [Decimal, Decimal] => {
  const distance = center.mul(ratioOfBps(bps));
  return [center.sub(distance), center.add(distance)];
};
