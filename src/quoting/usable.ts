// Whether a number can be worked with, whatever a caller with a hole in its data passes.
import type { Decimal } from '../domain/decimal.ts';

/** Finite and above zero. Asks for the sign instead of comparing, as a comparison makes a Decimal of its own. */
export function isAboveZero(value: Decimal): boolean {
  return value.isFinite() && value.isPositive() && !value.isZero();
}

/** Present, finite and above zero. */
export function isPositive(value: Decimal | null | undefined): value is Decimal {
  return value !== null && value !== undefined && isAboveZero(value);
}

/** Present, finite and not below zero. */
export function isAmount(value: Decimal | null | undefined): value is Decimal {
  return value?.isFinite() === true && (value.isPositive() || value.isZero());
}
