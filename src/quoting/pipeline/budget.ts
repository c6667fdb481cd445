// Pipeline step: fits sizes to the funds, innermost quotes first. What does not fit is shrunk, and dropped where too
// little would be left. The risk gate holds each order to the same budget, beside all that is or may be live.
import { type Decimal, maxOf, minOf, ONE, ZERO } from '../../domain/decimal.ts';
import { floorToLot } from '../../domain/instrument.ts';
import { type Quote, type Side, slotOf } from '../../domain/order.ts';
import { buyFactor, fundsLocked, fundsNeeded, sumBySlot } from '../live-funds.ts';
import type { LiveOrder } from '../live-order.ts';
import { type Change, changeEach, type Draft } from './draft.ts';

/** Its name in `explain`. */
export const BUDGET = 'budget';

/** What is left for one side while its quotes are served, in quote for bids and in base for asks. */
interface Purse {
  /** Free funds above the reserve. */
  readonly pool: Decimal;
  /** Left under the cap on all orders of the side; `null` without one. */
  readonly cap: Decimal | null;
}

/**
 * A quote may use the free funds, and what the own orders in its own slot lock: this is what is wanted in the end, and
 * where the new order has no room beside them the risk gate makes it wait. What an order in another slot locks can't be
 * counted on before it is gone, so it never is; where that slot gets no quote it counts against the cap of its side
 * until then.
 */
export function fitBudget(draft: Draft): Draft {
  const { view, settings } = draft;
  const { reserveQuote, reserveBase, maxQuote, maxBase } = settings.budget;
  /** Fee included, as the caps count it. */
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
  const [locked, capped] = [sumBySlot(draft.live, fundsLocked), sumBySlot(draft.live, needed)];
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
  /** What one unit of base needs: quote with the fee for a bid, one of base for an ask. */
  readonly perUnit: Decimal;
  /** What own orders in the slot lock at the least, and what they count under the cap. */
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
