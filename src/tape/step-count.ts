// From a number's text to a whole count of steps (ticks or lots), exactly and quickly.
import { type Decimal, parseDecimal } from '../domain/decimal.ts';

export interface StepCount {
  /** Whole steps in the number, rounded down. */
  readonly whole: number;
  /** Whether nothing was lost by rounding. */
  readonly exact: boolean;
}

/** `null` when the text is no number, is negative, or holds more steps than a number counts exactly. */
export type StepCounter = (text: string) => StepCount | null;

const ZERO_CODE = 48;
const POINT_CODE = 46;
const MOST_DIGITS = 15;

/**
 * A counter for one step size. Plain digits take the fast way, anything longer or with an exponent goes through
 * Decimal.
 */
export function stepCounter(step: Decimal): StepCounter {
  const stepDecimals = step.decimalPlaces();
  const stepUnits = step.mul(10 ** stepDecimals).toNumber();
  return (text) => {
    const digits = plainDigits(text);
    if (digits === null) return countWithDecimal(text, step);
    const numerator = digits.mantissa * 10 ** Math.max(0, stepDecimals - digits.decimals);
    const divisor = stepUnits * 10 ** Math.max(0, digits.decimals - stepDecimals);
    if (numerator > Number.MAX_SAFE_INTEGER || divisor > Number.MAX_SAFE_INTEGER) return countWithDecimal(text, step);
    const rest = numerator % divisor;
    return { whole: (numerator - rest) / divisor, exact: rest === 0 };
  };
}

function plainDigits(text: string): { mantissa: number; decimals: number } | null {
  let mantissa = 0;
  let point = -1;
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code === POINT_CODE && point < 0) {
      point = i;
      continue;
    }
    const digit = code - ZERO_CODE;
    if (digit < 0 || digit > 9) return null;
    mantissa = mantissa * 10 + digit;
  }
  const digitCount = point < 0 ? text.length : text.length - 1;
  if (digitCount === 0 || digitCount > MOST_DIGITS) return null;
  return { mantissa, decimals: point < 0 ? 0 : text.length - 1 - point };
}

function countWithDecimal(text: string, step: Decimal): StepCount | null {
  const value = parseDecimal(text);
  if (value === null || value.isNegative()) return null;
  const steps = value.div(step);
  const whole = steps.floor();
  if (whole.gt(Number.MAX_SAFE_INTEGER)) return null;
  return { whole: whole.toNumber(), exact: whole.eq(steps) };
}
