// Pipeline step: leans sizes towards the inventory target, up to twice the size on one side and nothing on the other.
import { Decimal, maxOf, minOf, ONE, ZERO } from '../../domain/decimal.ts';
import type { Side } from '../../domain/order.ts';
import { slotOf } from '../../domain/quote.ts';
import { floorToLot } from '../../domain/rounding.ts';
import { changeEach, type Draft, leaveAll } from './draft.ts';
import { whyNotPlaceable } from './round-to-steps.ts';
import { isFlattening } from './sessions.ts';

const NAME = 'inventory skew';
const TWO = ONE.add(ONE);
/** A share of a size finer than any lot; forty digits would only make every product after it slow. */
const RATIO_PLACES = 12;

export interface SkewInput {
  /** In base, free and reserved. */
  readonly base: Decimal;
  /** In quote, free and reserved. */
  readonly quote: Decimal;
  /** Base that we want to hold. */
  readonly target: Decimal;
  /** In quote per base. */
  readonly price: Decimal;
  /** Sizes of all quotes of both sides together, in base. */
  readonly orderSize: Decimal;
  readonly multiplier: number;
}

/**
 * What sizes are multiplied with. v = base·price, V = v + quote, T = target·price,
 * R = min(order size·price·multiplier, V/2), d = v < T ? min(R, T) : R; bids clamp(1 + (T−v)/d, 0, 2), asks 2 − bids.
 * Nothing to lean on (no orders or no holdings) leaves both at 1.
 */
export function skewRatios({ base, quote, target, price, orderSize, multiplier }: SkewInput): Record<Side, Decimal> {
  const held = base.mul(price);
  const wanted = target.mul(price);
  const range = minOf(orderSize.mul(price).mul(new Decimal(multiplier)), held.add(quote).div(TWO));
  const distance = held.lt(wanted) ? minOf(range, wanted) : range;
  if (!distance.gt(0)) return { buy: ONE, sell: ONE };
  const lean = wanted.sub(held).div(distance).toDecimalPlaces(RATIO_PLACES);
  const buy = minOf(TWO, maxOf(ZERO, ONE.add(lean)));
  return { buy, sell: TWO.sub(buy) };
}

export function skewSizes(draft: Draft): Draft {
  const { enabled, multiplier } = draft.settings.inventorySkew;
  if (!enabled) return leaveAll(draft, { name: NAME, unchanged: 'The skew of sizes is switched off.' });
  if (draft.strategy.ownsInventory === true) {
    return leaveAll(draft, { name: NAME, unchanged: `${draft.strategy.name} leans its own sizes.` });
  }
  if (isFlattening(draft))
    return leaveAll(draft, { name: NAME, unchanged: 'Before it closes no more is sold, or bought, than lacks.' });
  const { view } = draft;
  const orderSize = draft.quotes.reduce((sum, quote) => sum.add(quote.quantity), ZERO);
  const ratios = skewRatios({
    base: view.base.total,
    quote: view.quote.total,
    target: view.inventoryTarget,
    price: view.referencePrice,
    orderSize,
    multiplier,
  });
  const inventory =
    `${view.base.total.toFixed()} ${view.base.asset} against a target of ` +
    `${view.inventoryTarget.toDecimalPlaces(8).toFixed()}`;
  const whyOn = (side: Side) => `Inventory is ${inventory}: size × ${ratios[side].toDecimalPlaces(4).toFixed()}.`;
  const whys = { buy: whyOn('buy'), sell: whyOn('sell') };
  const enlarged = draft.quotes.filter(({ side }) => ratios[side].gt(ONE));
  const enlargedFrom = new Map(enlarged.map((quote) => [slotOf(quote), quote.quantity]));
  return changeEach({ ...draft, enlargedFrom }, { name: NAME, unchanged: `Inventory is ${inventory}.` }, (quote) => {
    const ratio = ratios[quote.side];
    const why = whys[quote.side];
    if (ratio.eq(ONE)) return null;
    return ratio.isZero() ? { drop: why } : { quote: { ...quote, quantity: quote.quantity.mul(ratio) }, why };
  });
}

/**
 * What the skew made too large for one order is made as large as one may be, at its last price. What the strategy
 * itself wants too large stays so: the risk gate denies it, as it may be a mistyped amount.
 */
export function fitEnlarged(draft: Draft): Draft {
  const { mostPerOrder, enlargedFrom, view } = draft;
  if (mostPerOrder === null || enlargedFrom.size === 0) return draft;
  const { maxOrderQuantity, maxOrderNotional } = mostPerOrder;
  return changeEach(draft, { name: NAME, unchanged: 'No larger size is over what one order may be.' }, (quote) => {
    const plain = enlargedFrom.get(slotOf(quote)) ?? quote.quantity;
    const most = maxOf(plain, minOf(maxOrderQuantity, maxOrderNotional.div(quote.price)));
    if (quote.quantity.lte(most)) return null;
    const fitted = { ...quote, quantity: floorToLot(most, view.instrument) };
    const refusal = whyNotPlaceable(fitted, view.instrument);
    return refusal === null ? { quote: fitted, why: 'One order may be no larger.' } : { drop: refusal };
  });
}
