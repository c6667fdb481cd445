// Exact amounts of money: whole numbers of 10^-18 of an asset, so that a sum never rounds.
import { Decimal, parseDecimal } from '../domain/decimal.ts';
import { invariant } from '../domain/invariant.ts';
import { fail, ok, type Result } from '../domain/result.ts';

declare const unit: unique symbol;
/** An amount of an asset (or a price in quote per base) in units of 10^-18. May be negative. */
export type Amount = bigint & { readonly [unit]: 'amount' };
/** Amount × price: a value in quote in units of 10^-36. May be negative. */
export type Value = bigint & { readonly [unit]: 'value' };

/** Decimals of an `Amount`: enough for a price of 8 decimals times a quantity of 8, with room. */
export const AMOUNT_DECIMALS = 18;
const VALUE_DECIMALS = 2 * AMOUNT_DECIMALS;
const ONE = 10n ** BigInt(AMOUNT_DECIMALS);

const amount = (units: bigint): Amount => units as Amount;
const value = (units: bigint): Value => units as Value;

export const NO_AMOUNT: Amount = amount(0n);
export const NO_VALUE: Value = value(0n);

/** The exact amount of a decimal. Fails with a sentence when it is not finite or has more than 18 decimals. */
export function amountOf(decimal: Decimal): Result<Amount> {
  if (!decimal.isFinite()) return fail(`${decimal.toString()} is not an amount: it is not finite.`);
  const decimals = decimal.decimalPlaces();
  if (decimals > AMOUNT_DECIMALS) {
    return fail(`${decimal.toFixed()} has ${decimals} decimals, an amount holds at most ${AMOUNT_DECIMALS}.`);
  }
  return ok(amount(BigInt(decimal.toFixed(AMOUNT_DECIMALS).replace('.', ''))));
}

/** An amount that the program itself wrote. Throws if the text is no number, or has more than 18 decimals. */
export function exactAmount(text: string): Amount {
  const decimal = parseDecimal(text);
  const read: Result<Amount> =
    decimal === null ? fail(`'${text.slice(0, 80)}' is not a decimal number.`) : amountOf(decimal);
  invariant(read.ok, () => (read.ok ? '' : read.error));
  return read.value;
}

/** Plain notation: no exponent, no trailing zeros. */
export const amountText = (units: Amount): string => scaledText(units, AMOUNT_DECIMALS);
export const amountDecimal = (units: Amount): Decimal => new Decimal(`${units}e-${AMOUNT_DECIMALS}`);

/** Plain notation of a value, all its digits. */
export const valueText = (units: Value): string => scaledText(units, VALUE_DECIMALS);
/** All digits of the value; arithmetic on the result rounds to the 40 digits of `Decimal`. */
export const valueDecimal = (units: Value): Decimal => new Decimal(`${units}e-${VALUE_DECIMALS}`);

/** A value that the program itself wrote. Throws if the text is no number, or has more than 36 decimals. */
export function exactValue(text: string): Value {
  const decimal = parseDecimal(text);
  invariant(decimal !== null, () => `'${text.slice(0, 80)}' is not a decimal number.`);
  const digits = decimal.toFixed(VALUE_DECIMALS);
  invariant(decimal.eq(digits), () => `${text} has more than ${VALUE_DECIMALS} decimals.`);
  return value(BigInt(digits.replace('.', '')));
}

/** By text: each booked trade writes five, and each is compared with each page that shows it. */
function scaledText(units: bigint, decimals: number): string {
  const digits = (units < 0n ? -units : units).toString().padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return `${units < 0n ? '-' : ''}${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`;
}

export const add = (a: Amount, b: Amount): Amount => amount(a + b);
export const subtract = (a: Amount, b: Amount): Amount => amount(a - b);
export const negate = (a: Amount): Amount => amount(-a);
/** Amount × price, exactly. */
export const times = (a: Amount, b: Amount): Value => value(a * b);
/** An amount of quote as a value. */
export const asValue = (a: Amount): Value => value(a * ONE);
export const addValue = (a: Value, b: Value): Value => value(a + b);
export const subtractValue = (a: Value, b: Value): Value => value(a - b);
export const negateValue = (a: Value): Value => value(-a);
