// Pipeline step: keeps quotes off the other side of the book. The venue has no post-only orders, and the book is older
// than it looks by the time an order reaches it.
import { Decimal } from '../../domain/decimal.ts';
import { ceilToTick, floorToTick } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import { type Touch, touchOf } from '../../domain/order-book.ts';
import type { QuotingSettings } from '../quoting-settings.ts';
import type { MarketView } from '../strategy.ts';
import type { Draft } from './draft.ts';
import { keepBeyond, type PriceLimits } from './price-limits.ts';
import { shown } from './quote-line.ts';

/**
 * Least distance from the best price of others, in quote per base: the guard ticks, and the distance that the price
 * may travel until the order arrives, price·σ·√(age of the book + expected delay). σ is the guard's.
 */
function guardMargin(view: MarketView, guard: QuotingSettings['guard']): Decimal {
  const ticks = view.instrument.tickSize.mul(guard.guardTicks + ticksAfterAccident(view, guard));
  const seconds = (Math.max(0, view.now - view.bookSentAt) + guard.expectedDelayMs) / 1_000;
  const travelRatio = volatilityRatio(guard) * Math.sqrt(seconds);
  return travelRatio === 0 ? ticks : ticks.add(view.referencePrice.mul(new Decimal(travelRatio)));
}

/** A fill that took liquidity is an accident: what let it happen may last. */
function ticksAfterAccident({ ownFills, now }: MarketView, guard: QuotingSettings['guard']): number {
  if (guard.accidentTicks === 0) return 0;
  const isRecent = ownFills.some(({ liquidity, at }) => liquidity === 'taker' && at > now - guard.accidentMs);
  return isRecent ? guard.accidentTicks : 0;
}

/** How far the price is taken to go in a second, as a ratio of it. */
const volatilityRatio = (guard: QuotingSettings['guard']): number =>
  guard.volatilityMultiplier * (guard.volatilityBpsPerSqrtSecond / 10_000);

/** Whether the margin is the same at every moment: the price is not taken to travel, and no accident is waited out. */
export function marginIgnoresNow(guard: QuotingSettings['guard']): boolean {
  return volatilityRatio(guard) === 0 && guard.accidentTicks === 0;
}

/**
 * Where orders that rest already may stay: the guard ticks from the touch of others, without the margin for time,
 * which they have behind them. For `diffQuotes`. A book without two sides limits nothing here: it gives no quotes.
 */
export function restingLimits(view: MarketView, guard: QuotingSettings['guard']): PriceLimits {
  const touch = touchOf(view.book);
  if (touch === null) return { buy: null, sell: null };
  return limitsFrom(touch, view.instrument.tickSize.mul(guard.guardTicks), view);
}

export function guardPostOnly(draft: Draft): Draft {
  const { view, settings } = draft;
  const touch = touchOf(view.book);
  invariant(touch !== null, `The guard was asked about a book of ${view.symbol} without two sides.`);
  const margin = guardMargin(view, settings.guard);
  const distance = `${shown(margin, view.instrument.tickSize)} from the best opposite price`;
  const limits = limitsFrom(touch, margin, view);
  const name = 'post-only guard';
  return keepBeyond(draft, limits, {
    name,
    unchanged: `Every quote is ${distance}.`,
    why: `It must stay ${distance}.`,
  });
}

function limitsFrom({ bid, ask }: Touch, margin: Decimal, { instrument }: MarketView): PriceLimits {
  return {
    buy: floorToTick(ask.price.sub(margin), instrument),
    sell: ceilToTick(bid.price.add(margin), instrument),
  };
}
