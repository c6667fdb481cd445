// Quantities that tell orders of like quotes apart: a lost create is found by its values, and the owner's order should
// not have the same.
import type { Decimal } from '../domain/decimal.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { Quote } from '../domain/order.ts';

/**
 * The quantity of a quote less 0 to `mostLots` lots, another number of them for each of `mostLots` + 1 creates in a row
 * (order-truth §3, step 4). `mostLots` 0 leaves it as it is, and so does a quantity that has no room for that above the
 * least notional.
 */
export function saltedQuantity(
  { price, quantity }: Pick<Quote, 'price' | 'quantity'>,
  { lotSize, minNotional }: Instrument,
  { mostLots, createNumber }: { readonly mostLots: number; readonly createNumber: number },
): Decimal {
  const salted = quantity.sub(lotSize.mul(createNumber % (mostLots + 1)));
  return salted.gt(0) && salted.mul(price).gte(minNotional) ? salted : quantity;
}
