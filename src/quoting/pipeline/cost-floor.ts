// Pipeline step: moves both sides out until a round trip at the innermost prices pays its fees, its tax and the profit
// that is wanted.
import { BPS, type Decimal, ONE } from '../../domain/decimal.ts';
import { ratioOfBps } from '../basis-points.ts';
import { minimumHalfSpread } from '../costs.ts';
import type { Costs } from '../strategy.ts';
import { type Draft, leaveAll } from './draft.ts';
import { shown } from './quote-line.ts';
import { missingTo, shiftSides } from './whole-side.ts';

const NAME = 'cost floor';

/** Break-even half-spread plus the profit wanted, as a ratio of the reservation price. */
function floorHalfSpread(costs: Costs, minimumProfitBps: number): Decimal {
  return breakEvenOf(costs).add(ratioOfBps(minimumProfitBps));
}

/** Kept for as long as the costs are, which are those of the configuration: dividing at each decision is expensive. */
const breakEvens = new WeakMap<Costs, Decimal>();

function breakEvenOf(costs: Costs): Decimal {
  const known = breakEvens.get(costs);
  if (known !== undefined) return known;
  const { makerFeeRatio, effectiveTaxRatio } = costs;
  const made = minimumHalfSpread({ buyFeeRatio: makerFeeRatio, sellFeeRatio: makerFeeRatio, effectiveTaxRatio });
  breakEvens.set(costs, made);
  return made;
}

/**
 * The floor is measured from the reservation price, so that a skew for inventory still moves both sides. A side that
 * is too near moves out as a whole and keeps the distances between its levels.
 */
export function applyCostFloor(draft: Draft): Draft {
  const { enabled, minimumProfitBps } = draft.settings.costFloor;
  if (!enabled) return leaveAll(draft, { name: NAME, unchanged: 'The cost floor is switched off.' });
  const halfSpread = floorHalfSpread(draft.view.costs, minimumProfitBps);
  const limit = (ratio: Decimal): Decimal => draft.reservationPrice.mul(ratio);
  const missing = missingTo({ buy: limit(ONE.sub(halfSpread)), sell: limit(ONE.add(halfSpread)) }, draft);
  const floor =
    `${halfSpread.mul(BPS).toDecimalPlaces(2).toFixed()} bps from ` +
    `${shown(draft.reservationPrice, draft.view.instrument.tickSize)}`;
  const why = `Fees, tax and the profit wanted need ${floor} on each side.`;
  return shiftSides(draft, { name: NAME, unchanged: `Every quote is at least ${floor}.`, why: () => why }, missing);
}
