// Optional step in two parts: when one order of a pair has filled, the other hangs: it stays in place for a while. The
// first part takes it out of the steps that set prices and sizes, the second puts it back after the last guard.
import type { Decimal } from '../../domain/decimal.ts';
import { opposite, type Quote, type Side, type Slot, slotOf } from '../../domain/order.ts';
import { MINUTE } from '../../domain/time.ts';
import { ratioOfBps } from '../amount.ts';
import { innermostOf, type LiveOrder, leavesSlotFree, outwardBy } from '../live-order.ts';
import type { QuotingSettings } from '../quoting-settings.ts';
import { type Change, changeEach, type Draft } from './draft.ts';
import { apartFrom, restingLimits, whyNotPlaceable } from './guards.ts';
import { roomFor } from './inventory-steps.ts';
import { neverToUndercut } from './price-steps.ts';
import { isFlattening } from './sessions.ts';

const NAME = 'hanging orders';

type Hanging = NonNullable<QuotingSettings['hanging']>;

/** An order hangs where it rests, and its level waits on the other side. */
export function holdHanging(draft: Draft): Draft {
  if (draft.settings.hanging === undefined || isFlattening(draft)) return draft;
  const hanging = hangingOrders(draft, draft.settings.hanging);
  const held = changeEach(draft, { name: NAME, unchanged: 'No order is left of a pair.' }, (quote): Change => {
    const order = hanging.get(slotOf(quote));
    if (order !== undefined) {
      const { price, remaining: quantity } = order;
      return { quote: { ...quote, price, quantity }, why: 'The other order of its pair has filled: it stays.' };
    }
    const pair = pairOf(quote);
    return hanging.has(pair) ? { drop: `Its order has filled, and that of its pair still stands in ${pair}.` } : null;
  });
  const hangs = (quote: Quote): boolean => hanging.has(slotOf(quote));
  return { ...held, quotes: held.quotes.filter((quote) => !hangs(quote)), hanging: held.quotes.filter(hangs) };
}

/**
 * Puts hanging orders back among the quotes, which are sorted by price again. A quote at a hanging order's price makes
 * room.
 */
export function returnHanging(draft: Draft): Draft {
  if (draft.hanging.length === 0) return draft;
  const apart = keptApart(draft);
  const quotes = [...apart.quotes, ...draft.hanging].sort(fromInnermost);
  const reason = (of: Side): string | null => (quotes.some(({ side }) => side === of) ? null : apart.noQuote[of]);
  return { ...apart, quotes, hanging: [], noQuote: { buy: reason('buy'), sell: reason('sell') } };
}

const pairOf = ({ side, level }: Pick<Quote, 'side' | 'level'>): Slot => slotOf({ side: opposite(side), level });

/** The orders that fit into the inventory bounds, innermost levels first. Other quotes get the remaining room. */
function hangingOrders(draft: Draft, limits: Hanging): ReadonlyMap<Slot, LiveOrder> {
  const hanging = new Map<Slot, LiveOrder>();
  const room = { buy: roomFor('buy', draft), sell: roomFor('sell', draft) };
  for (const quote of draft.quotes) {
    const order = leftOfPair(quote, draft);
    if (order === null || !mayHang(order, draft, limits)) continue;
    const left = room[order.side]?.sub(order.remaining) ?? null;
    if (left?.lt(0)) continue;
    room[order.side] = left;
    hanging.set(order.slot, order);
  }
  return hanging;
}

/**
 * The order in the quote's slot, if the same level's order on the other side filled completely while both were live,
 * and no other has replaced it; `null` if the pair is complete, or gone.
 */
function leftOfPair(quote: Quote, { live, view }: Draft): LiveOrder | null {
  const [slot, pair] = [slotOf(quote), pairOf(quote)];
  const [order, ...more] = live.filter((each) => each.slot === slot && !leavesSlotFree(each));
  if (order === undefined || more.length > 0 || !order.remaining.gt(0)) return null;
  if (live.some((each) => each.slot === pair && !leavesSlotFree(each))) return null;
  const filled = view.ownFills.findLast((fill) => fill.slot === pair && fill.completesOrder);
  return filled !== undefined && order.sentAt < filled.at ? order : null;
}

/** Longest time that an order hangs. */
const HANGS_MS = 30 * MINUTE;

/** Whether it is near and young enough, no guard would move it, and it undercuts no price that quotes must respect. */
function mayHang({ side, price, sentAt }: LiveOrder, draft: Draft, { cancelBps }: Hanging): boolean {
  const { view, settings, live } = draft;
  const { referencePrice: reference, now, instrument } = view;
  if (now - sentAt >= HANGS_MS) return false;
  if (
    price
      .sub(reference)
      .abs()
      .gt(reference.mul(ratioOfBps(cancelBps)))
  )
    return false;
  const own = innermostOf(opposite(side), live);
  const guards = [restingLimits(view, settings.guard)[side], own && outwardBy(side, own, instrument.tickSize)];
  const limits = [...guards, ...neverToUndercut(draft, side)];
  return limits.every((limit) => limit === null || (side === 'buy' ? price.lte(limit) : price.gte(limit)));
}

/** Quotes moved off the prices of hanging orders, outward in whole ticks. */
function keptApart(draft: Draft): Draft {
  const { instrument } = draft.view;
  const taken = new Set(draft.hanging.map(({ price }) => price.toFixed()));
  const last: Partial<Record<Side, Decimal>> = {};
  const note = { name: NAME, unchanged: 'No quote is at the price of an order that hangs.' };
  return changeEach(draft, note, (quote) => {
    const { side } = quote;
    let price = apartFrom(last[side], side, quote.price, instrument);
    while (taken.has(price.toFixed())) price = outwardBy(side, price, instrument.tickSize);
    const moved = { ...quote, price };
    const refusal = price.eq(quote.price) ? null : whyNotPlaceable(moved, instrument);
    if (refusal !== null) return { drop: refusal };
    last[side] = price;
    return price.eq(quote.price) ? null : { quote: moved, why: 'An order that hangs has this price.' };
  });
}

function fromInnermost(a: Quote, b: Quote): number {
  if (a.side !== b.side) return a.side === 'buy' ? -1 : 1;
  return a.side === 'buy' ? b.price.cmp(a.price) : a.price.cmp(b.price);
}
