// Rounding to steps. The name of each function gives the direction; nothing here rounds to nearest.
import type { Decimal } from './decimal.ts';
import type { Instrument } from './instrument.ts';

/** Whole steps, towards zero. A division to a whole number: one to forty digits costs several times as much. */
const wholeSteps = (value: Decimal, step: Decimal): Decimal => value.divToInt(step).mul(step);

function floorToStep(value: Decimal, step: Decimal): Decimal {
  const whole = wholeSteps(value, step);
  return value.lt(whole) ? whole.sub(step) : whole;
}

function ceilToStep(value: Decimal, step: Decimal): Decimal {
  const whole = wholeSteps(value, step);
  return value.gt(whole) ? whole.add(step) : whole;
}

/** The highest valid price at or under `price`: for bids, away from the market. */
export function floorToTick(price: Decimal, instrument: Instrument): Decimal {
  return floorToStep(price, instrument.tickSize);
}

/** The lowest valid price at or over `price`: for asks, away from the market. */
export function ceilToTick(price: Decimal, instrument: Instrument): Decimal {
  return ceilToStep(price, instrument.tickSize);
}

/** The largest valid quantity at or under `quantity`. */
export function floorToLot(quantity: Decimal, instrument: Instrument): Decimal {
  return floorToStep(quantity, instrument.lotSize);
}

/** The smallest valid quantity at or over `quantity`. */
export function ceilToLot(quantity: Decimal, instrument: Instrument): Decimal {
  return ceilToStep(quantity, instrument.lotSize);
}

export function isOnTick(price: Decimal, instrument: Instrument): boolean {
  return price.mod(instrument.tickSize).isZero();
}

export function isOnLot(quantity: Decimal, instrument: Instrument): boolean {
  return quantity.mod(instrument.lotSize).isZero();
}
