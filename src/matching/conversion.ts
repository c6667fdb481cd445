// Converts between the decimals of the wire and the whole units of the engine. Finer values are refused, never rounded.
import { Decimal } from '../domain/decimal.ts';
import type { Units } from './types.ts';

/** Amount of an asset → units of 10^-decimals; `null` when it has more decimals than that. */
export function toUnits(amount: Decimal, decimals: number): Units | null {
  if (!amount.isFinite() || amount.decimalPlaces() > decimals) return null;
  return BigInt(amount.toFixed(decimals).replace('.', ''));
}

/** Units of 10^-decimals → amount of the asset, exact at any length. */
export function fromUnits(units: Units, decimals: number): Decimal {
  return new Decimal(`${units}e-${decimals}`);
}
