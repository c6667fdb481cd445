// Moving quotes out of a forbidden zone in whole ticks: what both guards do.
import type { Decimal } from '../../domain/decimal.ts';
import type { Side } from '../../domain/order.ts';
import { outermost } from '../outward.ts';
import { changeEach, type Draft, type StepNote } from './draft.ts';
import { apartFrom, whyNotPlaceable } from './round-to-steps.ts';

/** The highest bid and the lowest ask that may be quoted, on tick; `null` where nothing limits the side. */
export type PriceLimits = { readonly [S in Side]: Decimal | null };

/** Quotes inside their limit go to it, and those behind make room, one tick apart. */
export function keepBeyond(draft: Draft, limits: PriceLimits, note: StepNote & { readonly why: string }): Draft {
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
