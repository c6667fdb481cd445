// Steps that fit quotes to the holdings, to their bounds and to the available money.
import { Decimal, maxOf, minOf, ONE, ZERO } from '../../domain/decimal.ts';
import { floorToLot } from '../../domain/instrument.ts';
import { type Quote, type Side, slotOf } from '../../domain/order.ts';
import { type InventoryRange, inventoryRange } from '../inventory.ts';
import { buyFactor, fundsLocked, fundsNeeded, type LiveOrder, remainingOutside, sumBySlot } from '../live-order.ts';
import { type Change, changeEach, type Draft, leaveAll } from './draft.ts';
import { whyNotPlaceable } from './guards.ts';
import { isFlattening } from './sessions.ts';

/** Its name in `explain`. */
export const INVENTORY_BOUNDS = 'inventory bounds';

/**
 * The worst case counts: every bid fills and no ask does, or the reverse. Own orders in slots that get no quote may
 * still fill and take room; in a slot with a quote, the larger of its orders and the new quote counts. This is the
 * final state: where the new order has no room next to the old one, the risk gate makes it wait.
 */
export function boundInventory(draft: Draft): Draft {
  const { most, least } = rangeOf(draft);
  const bounds = { buy: most, sell: least };
  const slots = new Set(draft.quotes.map(slotOf));
  const inSlot = sumBySlot(draft.live, (order) => order.remaining);
  const roomOf = (side: Side) => roomFor(side, draft)?.sub(remainingOutside(draft.live, side, slots)) ?? null;
  const room = { buy: roomOf('buy'), sell: roomOf('sell') };
  const note = { name: INVENTORY_BOUNDS, unchanged: 'Inventory stays in its bounds if one side fills completely.' };
  return changeEach(draft, note, (quote) => {
    const left = room[quote.side];
    if (left === null) return null;
    const quantity = minOf(quote.quantity, maxOf(left, ZERO));
    room[quote.side] = left.sub(maxOf(quantity, inSlot.get(slotOf(quote)) ?? ZERO));
    if (quantity.eq(quote.quantity)) return null;
    const why = boundText(quote.side, draft, bounds[quote.side]);
    return quantity.isZero() ? { drop: why } : { quote: { ...quote, quantity }, why };
  });
}

const rangeOf = ({ view, settings, limits }: Draft): InventoryRange =>
  inventoryRange(view, { ...limits, ...settings.inventory });

/** Base that may fill on the side before inventory reaches its bound; `null` without a bound. */
export function roomFor(side: Side, draft: Draft): Decimal | null {
  const { total } = draft.view.base;
  const { most, least } = rangeOf(draft);
  return side === 'buy' ? (most?.sub(total) ?? null) : total.sub(least);
}

function boundText(side: Side, { view }: Draft, bound: Decimal | null): string {
  const held = `${view.base.total.toFixed()} ${view.base.asset} are held`;
  const limit = bound?.toDecimalPlaces(8).toFixed();
  return side === 'buy'
    ? `${held} and with all bids filled it may be ${limit} at most.`
    : `${held} and with all asks filled it must be ${limit} at least.`;
}

// Pipeline step: leans sizes toward the inventory target, up to twice the size on one side and nothing on the other.

const NAME = 'inventory skew';
const TWO = ONE.add(ONE);
/** A ratio finer than any lot; forty digits would slow down every later product. */
const RATIO_PLACES = 12;

interface SkewInput {
  /** In base, free and reserved. */
  readonly base: Decimal;
  /** In quote, free and reserved. */
  readonly quote: Decimal;
  /** Target base. */
  readonly target: Decimal;
  /** In quote per base. */
  readonly price: Decimal;
  /** Sizes of all quotes of both sides together, in base. */
  readonly orderSize: Decimal;
  readonly multiplier: number;
}

/**
 * Factors for sizes. v = base·price, V = v + quote, T = target·price, R = min(order size·price·multiplier, V/2), d = v
 * < T ? min(R, T) : R; bids clamp(1 + (T−v)/d, 0, 2), asks 2 − bids. Without orders or holdings both are 1.
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
  const { inventorySkew } = draft.settings;
  if (inventorySkew === undefined) return draft;
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
    multiplier: inventorySkew.multiplier,
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
 * A quote that the skew made too large for one order shrinks to the largest allowed size, at its last price. A size
 * that the strategy itself made too large stays: the risk gate denies it, as it may be a mistyped amount.
 */
export function fitEnlarged(draft: Draft): Draft {
  const { limits, enlargedFrom, view } = draft;
  const { maxOrderQuantity, maxOrderNotional } = limits;
  if (maxOrderQuantity === undefined || maxOrderNotional === undefined || enlargedFrom.size === 0) return draft;
  return changeEach(draft, { name: NAME, unchanged: 'No larger size is over what one order may be.' }, (quote) => {
    const plain = enlargedFrom.get(slotOf(quote)) ?? quote.quantity;
    const most = maxOf(plain, minOf(maxOrderQuantity, maxOrderNotional.div(quote.price)));
    if (quote.quantity.lte(most)) return null;
    const fitted = { ...quote, quantity: floorToLot(most, view.instrument) };
    const refusal = whyNotPlaceable(fitted, view.instrument);
    return refusal === null ? { quote: fitted, why: 'One order may be no larger.' } : { drop: refusal };
  });
}

// Pipeline step: fits sizes to the funds, innermost quotes first. A quote that does not fit shrinks, and is dropped
// where too little would be left. The risk gate holds each order to the same budget, in addition to all that is or may
// be live.

/** Its name in `explain`. */
export const BUDGET = 'budget';

/** Funds left for one side while its quotes are served, in quote for bids and in base for asks. */
interface Purse {
  /** Free funds above the reserve. */
  readonly pool: Decimal;
  /** Left under the cap on all orders of the side; `null` without one. */
  readonly cap: Decimal | null;
}

/**
 * A quote may use the free funds, and the funds locked by own orders in its own slot: this is the final state, and
 * where the new order has no room next to them the risk gate makes it wait. Funds locked in another slot are not
 * available until that order is gone, so they never count; if that slot gets no quote, its order counts against the cap
 * of its side until then.
 */
export function fitBudget(draft: Draft): Draft {
  const { view, settings, limits } = draft;
  const { maxQuote, maxBase } = settings.budget;
  const { reserveQuote = ZERO, reserveBase = ZERO } = limits;
  /** Fee included, as in the caps. */
  const needed = (order: LiveOrder): Decimal => fundsNeeded({ ...order, quantity: order.remaining }, view.costs);
  const slots = new Set(draft.quotes.map(slotOf));
  const leaving = draft.live.filter(({ slot }) => !slots.has(slot));
  const capOf = (most: Decimal | undefined, side: Side): Decimal | null => {
    if (most === undefined) return null;
    const locks = leaving.filter((order) => order.side === side).map(needed);
    return maxOf(
      ZERO,
      locks.reduce((left, each) => left.sub(each), most),
    );
  };
  const purses: Record<Side, Purse> = {
    buy: { pool: maxOf(ZERO, view.quote.free.sub(reserveQuote)), cap: capOf(maxQuote, 'buy') },
    sell: { pool: maxOf(ZERO, view.base.free.sub(reserveBase)), cap: capOf(maxBase, 'sell') },
  };
  const locked = sumBySlot(draft.live, fundsLocked);
  const hasCap = maxQuote !== undefined || maxBase !== undefined;
  const capped = sumBySlot(hasCap ? draft.live : [], needed);
  const factor = buyFactor(view.costs);
  return changeEach(draft, { name: BUDGET, unchanged: 'The funds suffice for every quote.' }, (quote) => {
    const purse = purses[quote.side];
    const request = {
      quote,
      perUnit: quote.side === 'buy' ? quote.price.mul(factor) : ONE,
      locked: locked.get(slotOf(quote)) ?? ZERO,
      capped: capped.get(slotOf(quote)) ?? ZERO,
    };
    const served = serve(request, purse, draft);
    purses[quote.side] = served.purse;
    return served.change;
  });
}

interface Request {
  readonly quote: Quote;
  /** Funds per unit of base: quote with the fee for a bid, one of base for an ask. */
  readonly perUnit: Decimal;
  /** The least that own orders in the slot lock, and their amount under the cap. */
  readonly locked: Decimal;
  readonly capped: Decimal;
}

function serve(request: Request, purse: Purse, draft: Draft): { change: Change; purse: Purse } {
  const { quote, perUnit, locked } = request;
  const { instrument } = draft.view;
  const available = purse.cap === null ? purse.pool.add(locked) : minOf(purse.pool.add(locked), purse.cap);
  const need = quote.quantity.mul(perUnit);
  if (need.lte(available)) return { change: null, purse: spend(purse, need, request) };

  const quantity = floorToLot(available.div(perUnit), instrument);
  const why = shortageText(quote, need, available, draft);
  const notional = quantity.mul(quote.price);
  if (quantity.isZero() || notional.lt(instrument.minNotional)) return { change: { drop: why }, purse };
  return { change: { quote: { ...quote, quantity }, why }, purse: spend(purse, quantity.mul(perUnit), request) };
}

function spend({ pool, cap }: Purse, used: Decimal, { locked, capped }: Request): Purse {
  return { pool: pool.sub(maxOf(ZERO, used.sub(locked))), cap: cap?.sub(maxOf(used, capped)) ?? null };
}

function shortageText(quote: Quote, need: Decimal, available: Decimal, { view }: Draft): string {
  const asset = quote.side === 'buy' ? view.quote.asset : view.base.asset;
  const short = (value: Decimal) => value.toDecimalPlaces(8).toFixed();
  return `It needs ${short(need)} ${asset} and ${short(available)} ${asset} are left for it.`;
}
