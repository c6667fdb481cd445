// The one decimal type of the program: our own clone of decimal.js, so that no other code can change its settings.
import { Decimal as Base } from 'decimal.js';

/** 40 significant digits, half-even where a division must round, and no exponent in `toString`. */
export const Decimal = Base.clone({ precision: 40, rounding: Base.ROUND_HALF_EVEN, toExpNeg: -9e15, toExpPos: 9e15 });
export type Decimal = Base;

/** decimal.js's `cmp` copies its argument, and all other comparisons use it. */
function compared(this: Decimal, value: Base.Value): number {
  const other = value instanceof Decimal ? value : value === 0 ? ZERO : new Decimal(value);
  const { d: mine, s: sign } = this;
  const { d: theirs } = other;
  if (!mine || !theirs) return Base.prototype.cmp.call(this, other);
  if (!theirs[0]) return mine[0] ? sign : 0;
  if (!mine[0]) return -other.s;
  if (sign !== other.s) return sign;
  if (this.e !== other.e) return this.e > other.e ? sign : -sign;
  const length = Math.min(mine.length, theirs.length);
  for (let index = 0; index < length; index += 1) {
    const difference = (mine[index] ?? 0) - (theirs[index] ?? 0);
    if (difference !== 0) return difference > 0 ? sign : -sign;
  }
  return mine.length === theirs.length ? 0 : mine.length > theirs.length ? sign : -sign;
}
Object.defineProperty(Decimal, 'prototype', { value: Object.create(Base.prototype, { cmp: { value: compared } }) });

export const ZERO: Decimal = new Decimal(0);
export const ONE: Decimal = new Decimal(1);
/** For multiplying: a division costs several times as much. */
export const HALF: Decimal = new Decimal('0.5');
export const BPS: Decimal = new Decimal(10_000);

const DECIMAL_TEXT = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,2})?$/;
const LONGEST_TEXT = 64;

/**
 * Parses a decimal from the venue's text: digits, an optional point, an optional exponent of at most two digits.
 * Anything else (empty, `NaN`, `1,234.5`, white space, more than 64 characters) is `null`, never a guess.
 */
export function parseDecimal(text: string): Decimal | null {
  return isDecimalText(text) ? parsedDecimal(text) : null;
}

/** Whether `parseDecimal` accepts it. */
export const isDecimalText = (text: string): boolean => text.length <= LONGEST_TEXT && DECIMAL_TEXT.test(text);

/** For a text already checked by `isDecimalText`. */
export function parsedDecimal(text: string): Decimal {
  const known = alreadyRead.get(text);
  if (known !== undefined) return known;
  const value = new Decimal(text);
  if (alreadyRead.size >= MOST_ALREADY_READ) alreadyRead.clear();
  alreadyRead.set(text, value);
  return value;
}

/**
 * Cache by text. Most levels of a book were in the last book, and decimals are immutable, so the same text may give the
 * same object. Cleared when full.
 */
const alreadyRead = new Map<string, Decimal>();
const MOST_ALREADY_READ = 4_096;

/** A decimal written by the program itself; anything unreadable is a bug. */
export function decimal(text: string | number): Decimal {
  return new Decimal(text);
}

/** Plain notation for the wire, the log and the page: no exponent, no trailing zeros. */
export function plain(value: Decimal): string {
  return value.toFixed();
}

/** For people: thousands of a decimal text separated by commas. */
export function grouped(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

export function minOf(a: Decimal, b: Decimal): Decimal {
  return a.lt(b) ? a : b;
}

export function maxOf(a: Decimal, b: Decimal): Decimal {
  return a.gt(b) ? a : b;
}

// The number of decimals in which an asset is shown to people. For machines, exact amounts are given as well.

/** Paise for the rupee. */
const SHOWN: Readonly<Record<string, number>> = { INR: 2 };
const SHOWN_ELSE = 8;

export const shownDecimals = (asset: string): number => SHOWN[asset] ?? SHOWN_ELSE;

/** Without trailing zeros. */
export const shownPlain = (amount: Decimal, asset: string): string =>
  plain(amount.toDecimalPlaces(shownDecimals(asset)));
