// Exact arithmetic for the twin: a numerator over a denominator, and three ways to a whole number. Nothing is negative.
import type { Decimal } from '../../../src/domain/decimal.ts';

export interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

/** A decimal as the fraction that it is written as: 0.00472 = 472 / 100000. */
export function fractionOf(value: Decimal): Fraction {
  const [whole = '0', decimals = ''] = value.toFixed().split('.');
  return { top: BigInt(whole + decimals), bottom: 10n ** BigInt(decimals.length) };
}

export function times(...factors: readonly Fraction[]): Fraction {
  return factors.reduce((product, factor) => ({
    top: product.top * factor.top,
    bottom: product.bottom * factor.bottom,
  }));
}

export const whole = (value: bigint | number): Fraction => ({ top: BigInt(value), bottom: 1n });
export const floor = ({ top, bottom }: Fraction): bigint => top / bottom;
export const ceil = ({ top, bottom }: Fraction): bigint => (top + bottom - 1n) / bottom;
export const halfUp = ({ top, bottom }: Fraction): bigint => (2n * top + bottom) / (2n * bottom);

export function exact(value: Fraction): bigint {
  if (value.top % value.bottom !== 0n) throw new Error(`${value.top}/${value.bottom} is not a whole number of units.`);
  return value.top / value.bottom;
}
