// Amounts of money in a configuration: decimal text in, Decimal out, so that none passes through a float.
import { z } from 'zod';
import { Decimal, decimal, parseDecimal } from '../domain/decimal.ts';

/** Of a configured value, where it is shown; `base` and `quote` are the assets of the symbol. */
export type Unit = 'base' | 'quote' | 'bps' | '1/bps' | 'bps/s' | 'bps/√s' | '1/s' | 'ms' | 's' | 'min';

/** Decimal text such as `"0.25"`, in quotes where the file format has numbers of its own. */
export function amount(bound: 'positive' | 'not negative', unit?: Unit) {
  const toAmount = z.string().transform((text, context): Decimal => {
    const value = parseDecimal(text);
    if (value !== null && (bound === 'positive' ? value.gt(0) : value.gte(0))) return value;
    context.issues.push({
      code: 'custom',
      message: `"${text}" is not an amount that is ${bound}, such as "0.25".`,
      input: text,
    });
    return z.NEVER;
  });
  return toAmount.meta({ unit, expects: `an amount ${bound === 'positive' ? '>' : '≥'} 0, such as 0.25` });
}

// Numbers within bounds, in a configuration.

export const between = (least: number, most: number, unit?: Unit) => z.number().min(least).max(most).meta({ unit });
export const above0 = (most: number, unit?: Unit) => z.number().positive().max(most).meta({ unit });
export const whole = (least: number, most: number, unit?: Unit) => z.number().int().min(least).max(most).meta({ unit });

// Basis points of a configuration as ratios.

const BASIS_POINT = decimal('0.0001');

/** 25 → 0.0025. A product: a division costs several times as much. */
export function ratioOfBps(bps: number): Decimal {
  const known = ratios.get(bps);
  if (known !== undefined) return known;
  const ratio = new Decimal(bps).mul(BASIS_POINT);
  if (ratios.size >= MOST_RATIOS) ratios.clear();
  ratios.set(bps, ratio);
  return ratio;
}

/** Nearly all basis points come from a configuration. Cleared when full. */
const ratios = new Map<number, Decimal>();
const MOST_RATIOS = 256;

/** Finer than any tick or lot: all forty digits of a division would slow down every later step. */
export const FINE_PLACES = 20;

// Whether a value is a usable number, in case a caller's data has holes.

/** Finite and above zero. Checks the sign instead of comparing, as a comparison creates another Decimal. */
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
