// Guards against wrong prices: steps, the other side of the book, own orders.
import { Decimal } from '../../domain/decimal.ts';
import { ceilToTick, floorToLot, floorToTick, type Instrument } from '../../domain/instrument.ts';
import { invariant } from '../../domain/invariant.ts';
import type { Quote, Side } from '../../domain/order.ts';
import { type Touch, touchOf } from '../../domain/order-book.ts';
import { isAboveZero } from '../amount.ts';
import { innermostOf, outermost, outwardBy } from '../live-order.ts';
import type { QuotingSettings } from '../quoting-settings.ts';
import type { MarketView } from '../strategy.ts';
import { changeEach, type Draft, type StepNote, shown } from './draft.ts';

/** The highest bid and the lowest ask that may be quoted, on tick; `null` if the side has no limit. */
export type PriceLimits = { readonly [S in Side]: Decimal | null };

/** Quotes inside their limit move to it, and those behind make room, one tick apart. */
function keepBeyond(draft: Draft, limits: PriceLimits, note: StepNote & { readonly why: string }): Draft {
  const { instrument } = draft.view;
  const lastMoved: Partial<Record<Side, Decimal>> = {};
  return changeEach(draft, note, (quote) => {
    const { side } = quote;
    const limit = limits[side];
    if (limit === null) return null;
    const price = apartFrom(lastMoved[side], side, outermost(side, quote.price, limit), instrument);
    if (price.eq(quote.price)) return null;
    const moved = { ...quote, price };
    const refusal = whyNotPlaceable(moved, instrument);
    if (refusal !== null) return { drop: refusal };
    lastMoved[side] = price;
    return { quote: moved, why: note.why };
  });
}

// Pipeline step: onto tick and lot, away from the market. It comes after the last wanted change of price, and the
// guards after it move whole ticks only.

/** Bids round down, asks up, quantities down; levels that fall on the same tick are set one tick apart. */
export function roundToSteps(draft: Draft): Draft {
  const { instrument } = draft.view;
  const last: Partial<Record<Side, Decimal>> = {};
  const note = { name: 'round', unchanged: 'Every quote is on tick and lot already.' };
  const why = `To tick ${instrument.tickSize.toFixed()} and lot ${instrument.lotSize.toFixed()}.`;
  return changeEach(draft, note, (quote) => {
    const { side } = quote;
    const onTick = side === 'buy' ? floorToTick(quote.price, instrument) : ceilToTick(quote.price, instrument);
    const price = apartFrom(last[side], side, onTick, instrument);
    const rounded = { ...quote, price, quantity: floorToLot(quote.quantity, instrument) };
    const refusal = whyNotPlaceable(rounded, instrument);
    if (refusal !== null) return { drop: refusal };
    last[side] = price;
    if (price.eq(quote.price) && rounded.quantity.eq(quote.quantity)) return null;
    return { quote: rounded, why };
  });
}

/** At least one tick further out than the level before it. */
export function apartFrom(last: Decimal | undefined, side: Side, price: Decimal, { tickSize }: Instrument): Decimal {
  return last === undefined ? price : outermost(side, price, outwardBy(side, last, tickSize));
}

/** Why the venue would refuse the quote, or `null`. */
export function whyNotPlaceable({ price, quantity }: Quote, instrument: Instrument): string | null {
  if (!isAboveZero(price)) return `Its price would be ${price.toFixed()}.`;
  if (!isAboveZero(quantity))
    return `Its quantity is under one lot of ${instrument.lotSize.toFixed()} ${instrument.base}.`;
  const notional = price.mul(quantity);
  if (notional.gte(instrument.minNotional)) return null;
  return (
    `${notional.toFixed()} ${instrument.quote} are under the least notional of ` +
    `${instrument.minNotional.toFixed()}.`
  );
}

// Pipeline step: keeps quotes off the other side of the book. The venue has no post-only orders, and the book has aged
// by the time an order reaches it.

/**
 * Least distance from the best price of others, in quote per base: the guard ticks, and the price's expected move until
 * the order arrives, price·σ·√(age of the book + expected delay). σ is the guard's.
 */
function guardMargin(view: MarketView, guard: QuotingSettings['guard']): Decimal {
  const ticks = view.instrument.tickSize.mul(guard.guardTicks);
  if (guard.volatilityBpsPerSqrtSecond === 0) return ticks;
  const seconds = (Math.max(0, view.now - view.bookSentAt) + guard.expectedDelayMs) / 1_000;
  const travelRatio = (guard.volatilityBpsPerSqrtSecond / 10_000) * Math.sqrt(seconds);
  return ticks.add(view.referencePrice.mul(new Decimal(travelRatio)));
}

/**
 * Where resting orders may stay: the guard ticks from the touch of others, without the margin for time, which has
 * passed for them. For `diffQuotes`. A book without two sides sets no limit here: it gives no quotes.
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

// Pipeline step: keeps quotes from meeting our own orders, those that may be live and the quotes on the other side.

const NAME = 'self-cross guard';

/**
 * A bid stays a tick under every own ask that may be live, even one about to be canceled: a cancel proves nothing until
 * it is resolved. Asks do the same, and give way to the bids quoted here. An order from before a change of the tick
 * size may rest off the new tick; quotes are on it all the same.
 */
export function guardSelfCross(draft: Draft): Draft {
  const { instrument } = draft.view;
  const { tickSize } = instrument;
  const lowestAsk = innermostOf('sell', draft.live);
  const bids = keepBeyond(
    draft,
    { buy: lowestAsk && floorToTick(outwardBy('buy', lowestAsk, tickSize), instrument), sell: null },
    { name: NAME, unchanged: 'No bid meets an own ask.', why: `An own ask may be live at ${lowestAsk?.toFixed()}.` },
  );
  const highestBid = innermostOf('buy', [...bids.live, ...bids.quotes]);
  return keepBeyond(
    bids,
    { buy: null, sell: highestBid && ceilToTick(outwardBy('sell', highestBid, tickSize), instrument) },
    {
      name: NAME,
      unchanged: 'No ask meets an own bid.',
      why: `An own bid is or may be live at ${highestBid?.toFixed()}.`,
    },
  );
}
