// Converts between the decimals of the wire and the integers of the engine. Values off the step are refused, never
// rounded.
import { Decimal } from '../domain/decimal.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { Lots, Ticks, Units } from './types.ts';

/** Price in quote per base → ticks; `null` if it is not a multiple of the tick size, or beyond 2^53 − 1 ticks. */
export function toTicks(price: Decimal, instrument: Pick<Instrument, 'tickSize'>): Ticks | null {
  return wholeSteps(price, instrument.tickSize) as Ticks | null;
}

/** Ticks → price in quote per base. */
export function fromTicks(ticks: Ticks, instrument: Pick<Instrument, 'tickSize'>): Decimal {
  return instrument.tickSize.mul(ticks);
}

/** Quantity in base → lots; `null` if it is not a multiple of the lot size, or beyond 2^53 − 1 lots. */
export function toLots(quantity: Decimal, instrument: Pick<Instrument, 'lotSize'>): Lots | null {
  return wholeSteps(quantity, instrument.lotSize) as Lots | null;
}

/** Lots → quantity in base. */
export function fromLots(lots: Lots, instrument: Pick<Instrument, 'lotSize'>): Decimal {
  return instrument.lotSize.mul(lots);
}

/** Amount of an asset → units of 10^-decimals; `null` when it has more decimals than that. */
export function toUnits(amount: Decimal, decimals: number): Units | null {
  if (!amount.isFinite() || amount.decimalPlaces() > decimals) return null;
  return BigInt(amount.toFixed(decimals).replace('.', ''));
}

/** Units of 10^-decimals → amount of the asset, exact at any length. */
export function fromUnits(units: Units, decimals: number): Decimal {
  return new Decimal(`${units}e-${decimals}`);
}

function wholeSteps(value: Decimal, step: Decimal): number | null {
  // The quotient alone is not enough: beyond 40 digits it is rounded, and may look whole.
  if (!value.isFinite() || !value.mod(step).isZero()) return null;
  const steps = value.div(step).toNumber();
  return Number.isSafeInteger(steps) ? steps + 0 : null;
}
