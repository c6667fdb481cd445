// Sides that move outwards as a whole: all levels by the same distance, so that they keep the distances between them.
import type { Decimal } from '../../domain/decimal.ts';
import type { Side } from '../../domain/order.ts';
import { innermostOf, outwardBy } from '../outward.ts';
import { changeEach, type Draft, type StepNote } from './draft.ts';

/** In quote per base; `null` leaves the side where it is. */
export type Shifts = { readonly [S in Side]: Decimal | null };

/** How far each side's innermost quote is inside the side's limit; `null` where it is not, or there is no limit. */
export function missingTo(limits: Shifts, { quotes }: Draft): Shifts {
  const missing = (side: Side, limit: Decimal | null): Decimal | null => {
    const price = innermostOf(side, quotes);
    if (price === null || limit === null) return null;
    const distance = side === 'buy' ? price.sub(limit) : limit.sub(price);
    return distance.gt(0) ? distance : null;
  };
  return { buy: missing('buy', limits.buy), sell: missing('sell', limits.sell) };
}

export function shiftSides(
  draft: Draft,
  { why, ...note }: StepNote & { readonly why: (side: Side) => string },
  shifts: Shifts,
): Draft {
  return changeEach(draft, note, (quote) => {
    const { side } = quote;
    const distance = shifts[side];
    if (distance === null) return null;
    return { quote: { ...quote, price: outwardBy(side, quote.price, distance) }, why: why(side) };
  });
}
