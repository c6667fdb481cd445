// Pipeline step: stops a side where all of its orders filling would carry inventory over a bound. The risk gate holds
// each order to the same bounds, beside all that is or may be live.
import { type Decimal, maxOf, minOf, ZERO } from '../../domain/decimal.ts';
import { type Side, slotOf } from '../../domain/order.ts';
import { inventoryRange } from '../inventory-range.ts';
import { remainingOutside, sumBySlot } from '../live-funds.ts';
import { changeEach, type Draft } from './draft.ts';

/** Its name in `explain`. */
export const INVENTORY_BOUNDS = 'inventory bounds';

/**
 * The worst case counts: every bid fills and no ask does, or the reverse. Own orders in slots that get no quote still
 * may fill and take room; in a slot that does, the larger of its orders and the new quote does. This is what is wanted
 * in the end: where the new order has no room beside the old one, the risk gate makes it wait.
 */
export function boundInventory(draft: Draft): Draft {
  const { most, least } = inventoryRange(draft.view, draft.settings.inventory);
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

/** What may fill on the side until inventory is at its bound, in base; `null` where nothing bounds it. */
export function roomFor(side: Side, { view, settings }: Draft): Decimal | null {
  const { total } = view.base;
  const { most, least } = inventoryRange(view, settings.inventory);
  return side === 'buy' ? (most?.sub(total) ?? null) : total.sub(least);
}

function boundText(side: Side, { view }: Draft, bound: Decimal | null): string {
  const held = `${view.base.total.toFixed()} ${view.base.asset} are held`;
  const limit = bound?.toDecimalPlaces(8).toFixed();
  return side === 'buy'
    ? `${held} and with all bids filled it may be ${limit} at most.`
    : `${held} and with all asks filled it must be ${limit} at least.`;
}
