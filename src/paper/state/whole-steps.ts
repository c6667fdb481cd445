// Reads the price or quantity of an order as a whole number of its steps, straight from the digits of the text.
import { type Decimal, decimal } from '../../domain/decimal.ts';

/** A step as `coefficient` × 10^-`decimals`. */
interface Step {
  readonly coefficient: number;
  readonly decimals: number;
}

const PLAIN_DECIMAL = /^(\d+)(?:\.(\d+))?$/;
/**
 * Digits before the point, and after it, that are looked at: more of either is no price and no quantity of anything.
 */
const DIGITS_MAX = 30;
/** So many digits are exact in a number. */
const EXACT_DIGITS = 15;
/** An instrument's steps never change, and taking one apart costs more than reading a price. */
const KNOWN_STEPS = new WeakMap<Decimal, Step>();

/** `malformed`: not text in plain notation, or not above zero. */
export type NoSteps = 'malformed' | 'off-step' | 'too-large';

/** `too-large`: more than 2^53 − 1 steps. */
export function readSteps(given: unknown, step: Decimal): number | NoSteps {
  const match = typeof given === 'string' ? PLAIN_DECIMAL.exec(given) : null;
  if (match === null) return 'malformed';
  let [text, whole = '', fraction = ''] = match;
  if (text.length > DIGITS_MAX) {
    [whole, fraction] = [withoutZerosBefore(whole), withoutZerosBehind(fraction)];
    if (whole.length > DIGITS_MAX) return 'too-large';
    if (fraction.length > DIGITS_MAX) return 'off-step';
    text = `${whole}.${fraction}0`;
  }
  const { coefficient, decimals } = takenApart(step);
  if (whole.length + decimals > EXACT_DIGITS || fraction.length > decimals) return readLong(text, step);
  const scaled = Number(whole + fraction.padEnd(decimals, '0'));
  if (scaled === 0) return 'malformed';
  return scaled % coefficient === 0 ? scaled / coefficient : 'off-step';
}

function withoutZerosBefore(digits: string): string {
  let from = 0;
  while (from < digits.length - 1 && digits[from] === '0') from += 1;
  return digits.slice(from);
}

function withoutZerosBehind(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

function takenApart(step: Decimal): Step {
  const known = KNOWN_STEPS.get(step);
  if (known) return known;
  const decimals = step.decimalPlaces();
  const apart = { coefficient: step.mul(decimal(10).pow(decimals)).toNumber(), decimals };
  KNOWN_STEPS.set(step, apart);
  return apart;
}

/** Whatever has too many digits for a number to be exact, or more decimals than the step (perhaps all zeros). */
function readLong(text: string, step: Decimal): number | NoSteps {
  const value = decimal(text);
  if (value.isZero()) return 'malformed';
  const steps = value.div(step).toNumber();
  if (steps > Number.MAX_SAFE_INTEGER) return 'too-large';
  return value.mod(step).isZero() ? steps : 'off-step';
}
