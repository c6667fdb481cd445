// Traded instruments, and the steps of their prices and quantities.
import { Decimal } from './decimal.ts';

/** `BASE/QUOTE`, upper case. */
export type InstrumentSymbol = string;
/** An asset ticker, upper case. */
export type Asset = string;

export interface Instrument {
  readonly symbol: InstrumentSymbol;
  readonly base: Asset;
  readonly quote: Asset;
  /** Price step, in quote per base. */
  readonly tickSize: Decimal;
  /** Quantity step, in base. */
  readonly lotSize: Decimal;
  /** Least price × quantity of an order, in quote. */
  readonly minNotional: Decimal;
}

const SYMBOL = /^([A-Z0-9]{1,20})\/([A-Z0-9]{1,20})$/;

/** Splits `BASE/QUOTE`; `null` for text of another form. */
export function parseSymbol(text: string): { base: Asset; quote: Asset } | null {
  const match = SYMBOL.exec(text);
  const [, base, quote] = match ?? [];
  return base !== undefined && quote !== undefined ? { base, quote } : null;
}

// The venue's settings of an asset: whether it is active, and how it can be moved (specification 2.8).

/** One blockchain network of an asset. Amounts are in the asset; `null` if the venue states none. */
export interface AssetNetwork {
  readonly name: string;
  readonly deposit: {
    readonly enabled: boolean;
    readonly minimum: Decimal | null;
    /** Blocks until a deposit counts. */
    readonly confirmations: number | null;
  };
  readonly withdrawal: {
    readonly enabled: boolean;
    readonly minimum: Decimal | null;
    readonly maximum: Decimal | null;
    readonly fee: Decimal | null;
  };
}

export interface AssetSettings {
  readonly asset: Asset;
  readonly name: string;
  /** `other`: an unlisted word. */
  readonly status: 'active' | 'inactive' | 'other';
  readonly networks: readonly AssetNetwork[];
}

// Rounding to steps. Each function's name gives the direction; nothing here rounds to nearest.

/** The places of a step of 1, 0.1, 0.01 …, where rounding needs no division; null for any other step. */
function placesOf(step: Decimal): number | null {
  const known = stepPlaces.get(step);
  if (known !== undefined) return known;
  const places = /^(?:1|0\.0*1)$/.test(step.toFixed()) ? step.decimalPlaces() : null;
  stepPlaces.set(step, places);
  return places;
}

const stepPlaces = new WeakMap<Decimal, number | null>();

/** Whole steps, toward zero. */
const wholeSteps = (value: Decimal, step: Decimal): Decimal => value.divToInt(step).mul(step);

function floorToStep(value: Decimal, step: Decimal): Decimal {
  const places = placesOf(step);
  if (places !== null) return value.toDecimalPlaces(places, Decimal.ROUND_FLOOR);
  const whole = wholeSteps(value, step);
  return value.lt(whole) ? whole.sub(step) : whole;
}

function ceilToStep(value: Decimal, step: Decimal): Decimal {
  const places = placesOf(step);
  if (places !== null) return value.toDecimalPlaces(places, Decimal.ROUND_CEIL);
  const whole = wholeSteps(value, step);
  return value.gt(whole) ? whole.add(step) : whole;
}

/** The highest valid price at or below `price`: for bids, away from the market. */
export function floorToTick(price: Decimal, instrument: Instrument): Decimal {
  return floorToStep(price, instrument.tickSize);
}

/** The lowest valid price at or above `price`: for asks, away from the market. */
export function ceilToTick(price: Decimal, instrument: Instrument): Decimal {
  return ceilToStep(price, instrument.tickSize);
}

/** The largest valid quantity at or below `quantity`. */
export function floorToLot(quantity: Decimal, instrument: Instrument): Decimal {
  return floorToStep(quantity, instrument.lotSize);
}

export function isOnTick(price: Decimal, { tickSize }: Instrument): boolean {
  return isOnStep(price, tickSize);
}

export function isOnLot(quantity: Decimal, { lotSize }: Instrument): boolean {
  return isOnStep(quantity, lotSize);
}

function isOnStep(value: Decimal, step: Decimal): boolean {
  const places = placesOf(step);
  return places === null ? value.mod(step).isZero() : value.decimalPlaces() <= places;
}
