// The engine's whole numbers as the wire writes them: plain notation, no trailing zeros. They work on the digits, not
// through a Decimal: a page of the book has a hundred of them, and an order several.
import { type Decimal, plain } from '../../domain/decimal.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { Lots, Ticks, Units } from '../../matching/types.ts';

export function priceText(price: Ticks, instrument: Instrument): string {
  return stepsText(price, instrument.tickSize);
}

export function quantityText(quantity: Lots, instrument: Instrument): string {
  return stepsText(quantity, instrument.lotSize);
}

export function unitsText(units: Units, decimals: number): string {
  const negative = units < 0n;
  const text = pointed((negative ? -units : units).toString(), decimals);
  return negative ? `-${text}` : text;
}

/** A step as `units` of 10^-decimals. */
interface StepDigits {
  readonly units: number;
  readonly decimals: number;
}

/** What `digitsOf` found: as many entries as there are steps of instruments, and gone with them. */
const knownSteps = new WeakMap<Decimal, StepDigits>();

function digitsOf(step: Decimal): StepDigits {
  const known = knownSteps.get(step);
  if (known !== undefined) return known;
  const decimals = step.decimalPlaces();
  const digits = { units: Number(step.toFixed(decimals).replace('.', '')), decimals };
  knownSteps.set(step, digits);
  return digits;
}

function stepsText(steps: number, step: Decimal): string {
  const { units, decimals } = digitsOf(step);
  const total = steps * units;
  // A product that a number can't hold exactly is left to the Decimal.
  return Number.isSafeInteger(total) && total >= 0 ? pointed(String(total), decimals) : plain(step.mul(steps));
}

/** Digits with a point before the last `decimals` of them, without trailing zeros. */
function pointed(whole: string, decimals: number): string {
  if (decimals === 0) return whole;
  const digits = whole.padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > point && digits[end - 1] === '0') end -= 1;
  return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
}
