// Shares of an amount, such as fees and taxes, in whole units.
import type { Decimal } from '../domain/decimal.ts';
import { invariant } from '../domain/invariant.ts';
import { toUnits } from './conversion.ts';
import type { Units } from './types.ts';

/** An exact fraction between 0 and 1. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export function ratioOf(value: Decimal, name: string): Ratio {
  invariant(value.gte(0) && value.lte(1), () => `${name} is ${value.toFixed()}, not between 0 and 1.`);
  const places = value.decimalPlaces();
  const numerator = toUnits(value, places);
  invariant(numerator !== null, () => `${name} ${value.toFixed()} has no finite number of decimals.`);
  return { numerator, denominator: 10n ** BigInt(places) };
}

/** Neither `amount` nor the ratio is negative here, so that integer division rounds down. */
export function floorShare(amount: Units, { numerator, denominator }: Ratio): Units {
  return (amount * numerator) / denominator;
}

export function ceilShare(amount: Units, { numerator, denominator }: Ratio): Units {
  return (amount * numerator + denominator - 1n) / denominator;
}

export function halfUpShare(amount: Units, { numerator, denominator }: Ratio): Units {
  return (2n * amount * numerator + denominator) / (2n * denominator);
}
