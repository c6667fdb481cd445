// Pipeline step: stops a side where all of its orders filling would carry inventory over a bound.
import { Decimal, maxOf, minOf, ZERO } from '../../domain/decimal.ts';
import type { Side } from '../../domain/order.ts';
import { slotOf } from '../../domain/quote.ts';
import { remainingOutside, sumBySlot } from '../live-funds.ts';
import { changeEach, type Draft } from './draft.ts';

/** Its name in `explain`. */
export const INVENTORY_BOUNDS = 'inventory bounds';

/**
 * The worst case counts: every bid fills and no ask does, or the reverse. Own orders in slots that get no quote still
 * may fill and take room; in a slot that does, the larger of the old order and the new quote does, as only one of them
 * is on the book at a time.
 */
export function boundInventory(draft: Draft): Draft {
  const bounds = { buy: highestBase(draft), sell: draft.settings.inventory.minBase };
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

/** What may fill on the side until inventory is at its bound, in base; `null` where nothing bounds it. */
export function roomFor(side: Side, draft: Draft): Decimal | null {
  const { total } = draft.view.base;
  return side === 'buy' ? (highestBase(draft)?.sub(total) ?? null) : total.sub(draft.settings.inventory.minBase);
}

/** The tightest of `maxBase`, `maxBaseRatio` and what the portfolio leaves; `null` where none binds. */
function highestBase({ view, settings: { inventory } }: Draft): Decimal | null {
  const byAmount = [inventory.maxBase, view.mostBase].filter((bound) => bound !== undefined && bound !== null);
  if (inventory.maxBaseRatio === 1) return byAmount.length === 0 ? null : byAmount.reduce(minOf);
  const everything = view.base.total.add(view.quote.total.div(view.referencePrice));
  const byRatio = everything.mul(new Decimal(inventory.maxBaseRatio));
  return byAmount.reduce(minOf, byRatio);
}

function boundText(side: Side, { view }: Draft, bound: Decimal | null): string {
  const held = `${view.base.total.toFixed()} ${view.base.asset} are held`;
  const limit = bound?.toDecimalPlaces(8).toFixed();
  return side === 'buy'
    ? `${held} and with all bids filled it may be ${limit} at most.`
    : `${held} and with all asks filled it must be ${limit} at least.`;
}
