// Rounding to steps. The name of each function gives the direction; nothing here rounds to nearest.
import { Decimal } from './decimal.ts';
import type { Instrument } from './instrument.ts';

function floorToStep(value: Decimal, step: Decimal): Decimal {
  return value.div(step).toDecimalPlaces(0, Decimal.ROUND_FLOOR).mul(step);
}

function ceilToStep(value: Decimal, step: Decimal): Decimal {
  return value.div(step).toDecimalPlaces(0, Decimal.ROUND_CEIL).mul(step);
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
