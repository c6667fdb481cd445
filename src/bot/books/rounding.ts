// The divisions of the books. Each rounds half to even and states its decimals; sums never round.
import { shownDecimals } from '../../domain/decimal.ts';
import { AMOUNT_DECIMALS, type Amount, type Value } from '../../ledger/amount.ts';

/** Half to even; `whole` is positive. */
export function divideHalfEven(numerator: bigint, whole: bigint): bigint {
  const floor = numerator / whole - (numerator % whole < 0n ? 1n : 0n);
  const twice = 2n * (numerator - floor * whole);
  if (twice === whole) return floor % 2n === 0n ? floor : floor + 1n;
  return twice > whole ? floor + 1n : floor;
}

/** A part's share of a value; the whole gets all of it. To 36 decimals. */
export const shareOf = (value: Value, part: Amount, whole: Amount): Value =>
  (part === whole ? value : divideHalfEven(value * part, whole)) as Value;

/** The tax inside an amount that contains it, by its ratio to the rest: 18 of 118 for 0.18. To 36 decimals. */
export function taxInside(value: Value, ratio: Amount): Value {
  const one = 10n ** BigInt(AMOUNT_DECIMALS);
  return divideHalfEven(value * ratio, one + ratio) as Value;
}

/** A ratio of a value. To 36 decimals. */
export const partOf = (value: Value, ratio: Amount): Value =>
  divideHalfEven(value * ratio, 10n ** BigInt(AMOUNT_DECIMALS)) as Value;

/** For people, rounded to the asset's usual decimals; machine formats have the exact amount as well. */
export function shownValue(value: Value, asset: string): string {
  const shown = shownDecimals(asset);
  const rounded = divideHalfEven(value, 10n ** BigInt(2 * AMOUNT_DECIMALS - shown));
  const digits = (rounded < 0n ? -rounded : rounded).toString().padStart(shown + 1, '0');
  return `${rounded < 0n ? '-' : ''}${digits.slice(0, -shown)}.${digits.slice(-shown)}`;
}
