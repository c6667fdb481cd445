// The ratio behind charges that were rounded: commission to traded amount, tax to proceeds.
import { Decimal } from '../../../domain/decimal.ts';

/** What was charged, and of what. */
export interface Charge {
  readonly amount: Decimal;
  readonly of: Decimal;
}

export interface RoundedRatio {
  readonly ratio: Decimal;
  /** Decimals that the charges are rounded to. */
  readonly decimals: number;
  readonly rounding: 'half up' | 'down' | 'up' | 'exact' | 'either';
}

const ROUNDINGS = [
  ['half up', Decimal.ROUND_HALF_UP],
  ['down', Decimal.ROUND_DOWN],
  ['up', Decimal.ROUND_UP],
] as const;
/** Amounts have at most so many decimals; what is written shorter is not rounded further. */
const MOST_DECIMALS = 8;
/** Ratios are written with no more decimals than a fee of 0.1234 % with 18 % of tax needs. */
const RATIO_DECIMALS = 8;

/** The configured ratio where it explains all charges, else the shortest one that does; `null` where none does. */
export function chargedRatio(charges: readonly Charge[], configured: Decimal): RoundedRatio | null {
  const usable = charges.filter(({ of }) => of.gt(0));
  if (usable.length === 0) return null;
  const decimals = Math.max(0, ...usable.map(({ amount }) => amount.decimalPlaces()));
  const places = Math.min(Math.max(decimals, 2), MOST_DECIMALS);
  for (const at of new Set([places, MOST_DECIMALS])) {
    const found = explained(usable, configured, at) ?? shortest(usable, at);
    if (found !== null) return found;
  }
  return null;
}

function explained(charges: readonly Charge[], ratio: Decimal, decimals: number): RoundedRatio | null {
  const fitting = ROUNDINGS.filter(([, mode]) =>
    charges.every(({ amount, of }) => of.mul(ratio).toDecimalPlaces(decimals, mode).eq(amount)),
  ).map(([name]) => name);
  const [only] = fitting;
  if (only === undefined) return null;
  const exact = charges.every(({ amount, of }) => of.mul(ratio).eq(amount));
  return { ratio, decimals, rounding: exact ? 'exact' : fitting.length === 1 ? only : 'either' };
}

/** The ratio with the fewest decimals within what all charges allow. */
function shortest(charges: readonly Charge[], decimals: number): RoundedRatio | null {
  const unit = new Decimal(`1e-${decimals}`);
  const low = Decimal.max(...charges.map(({ amount, of }) => Decimal.max(0, amount.sub(unit)).div(of)));
  const high = Decimal.min(...charges.map(({ amount, of }) => amount.add(unit).div(of)));
  if (low.gt(high)) return null;
  const middle = low.add(high).div(2);
  for (let digits = 0; digits <= RATIO_DECIMALS; digits += 1) {
    const ratio = middle.toDecimalPlaces(digits);
    const found = ratio.gte(low) && ratio.lte(high) ? explained(charges, ratio, decimals) : null;
    if (found !== null) return found;
  }
  return null;
}
