// Reads the price or quantity of an order as a whole number of its steps, straight from the digits of the text.
import { type Decimal, decimal } from '../domain/decimal.ts';

/** A step as `coefficient` × 10^-`decimals`. */
interface Step {
  readonly coefficient: number;
  readonly decimals: number;
}

const PLAIN_DECIMAL = /^(\d{1,30})(?:\.(\d{1,30}))?$/;
/** So many digits are exact in a number. */
const EXACT_DIGITS = 15;
/** An instrument's steps never change, and taking one apart costs more than reading a price. */
const KNOWN_STEPS = new WeakMap<Decimal, Step>();

/**
 * `malformed`: not text in plain notation, or not above zero. `off-step`: no multiple of the step, or more than 2^53 − 1 of
 * them.
 */
export function readSteps(given: unknown, step: Decimal): number | 'malformed' | 'off-step' {
  const match = typeof given === 'string' ? PLAIN_DECIMAL.exec(given) : null;
  if (match === null) return 'malformed';
  const [text, whole = '', fraction = ''] = match;
  const { coefficient, decimals } = takenApart(step);
  if (whole.length + decimals > EXACT_DIGITS || fraction.length > decimals) return readLong(text, step);
  const scaled = Number(whole + fraction.padEnd(decimals, '0'));
  if (scaled === 0) return 'malformed';
  return scaled % coefficient === 0 ? scaled / coefficient : 'off-step';
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
function readLong(text: string, step: Decimal): number | 'malformed' | 'off-step' {
  const value = decimal(text);
  if (value.isZero()) return 'malformed';
  if (!value.mod(step).isZero()) return 'off-step';
  const steps = value.div(step).toNumber();
  return Number.isSafeInteger(steps) ? steps : 'off-step';
}
