// The engine's whole numbers as the wire writes them: plain notation, no trailing zeros.
import { plain } from '../domain/decimal.ts';
import type { Instrument } from '../domain/instrument.ts';
import { fromLots, fromTicks } from '../matching/conversion.ts';
import type { Lots, Ticks, Units } from '../matching/types.ts';

export function priceText(price: Ticks, instrument: Instrument): string {
  return plain(fromTicks(price, instrument));
}

export function quantityText(quantity: Lots, instrument: Instrument): string {
  return plain(fromLots(quantity, instrument));
}

/** Works on the digits, not through a Decimal: it is done several times for every order. */
export function unitsText(units: Units, decimals: number): string {
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > point && digits[end - 1] === '0') end -= 1;
  const text = end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
  return negative ? `-${text}` : text;
}
