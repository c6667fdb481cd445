// Pipeline step: onto tick and lot, away from the market. It comes after the last change of price by a wish, and the
// guards after it move whole ticks only.
import type { Decimal } from '../../domain/decimal.ts';
import { ceilToTick, floorToLot, floorToTick, type Instrument } from '../../domain/instrument.ts';
import type { Quote, Side } from '../../domain/order.ts';
import { outermost, outwardBy } from '../outward.ts';
import { isAboveZero } from '../usable.ts';
import { changeEach, type Draft } from './draft.ts';

/** Bids down, asks up, quantities down; levels that fall on the same tick are set one tick apart. */
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

/** Why the venue would refuse the quote as it stands, or `null`. */
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
