// An order's reservation and a fill's charges: notional, fee and tax, in whole units.
import { type Decimal, maxOf } from '../domain/decimal.ts';
import type { Asset } from '../domain/instrument.ts';
import { invariant } from '../domain/invariant.ts';
import type { Side } from '../domain/order.ts';
import { toUnits } from './conversion.ts';
import type { Market } from './market.ts';
import type { EngineSettings, Units } from './types.ts';

/** The settings' ratios as exact fractions. */
export interface Charges {
  readonly maker: Ratio;
  readonly taker: Ratio;
  readonly tds: Ratio;
  /** A buy's reservation for the fee: the higher of the two ratios, or nothing if the fee is paid in base. */
  readonly reserved: Ratio;
  readonly share: (amount: Units, ratio: Ratio) => Units;
  /** The asset in which the buyer pays the fee. */
  readonly buyerPaysIn: 'quote' | 'base';
}

export function chargesOf(settings: EngineSettings): Charges {
  const { makerFeeRatio, takerFeeRatio, tdsRatio } = settings;
  const highest = settings.buyerFeeAsset === 'quote' ? maxOf(makerFeeRatio, takerFeeRatio) : makerFeeRatio.mul(0);
  return {
    maker: ratioOf(makerFeeRatio, 'The maker fee ratio'),
    taker: ratioOf(takerFeeRatio, 'The taker fee ratio'),
    tds: ratioOf(tdsRatio, 'The tds ratio'),
    reserved: ratioOf(highest, 'The reserved fee ratio'),
    share: settings.rounding === 'half-up' ? halfUpShare : floorShare,
    buyerPaysIn: settings.buyerFeeAsset,
  };
}

/** price × quantity in units of quote, exact. */
export function notionalOf(market: Market, price: number, quantity: number): Units {
  const product = price * quantity;
  const exact = Number.isSafeInteger(product) ? BigInt(product) : BigInt(price) * BigInt(quantity);
  return exact * market.tickLotUnits;
}

/** Lots in units of base. */
function baseUnits(market: Market, quantity: number): Units {
  return BigInt(quantity) * market.lotUnits;
}

/** An existing or intended order. */
interface Reserving {
  readonly market: Market;
  readonly side: Side;
  readonly price: number;
  readonly remaining: number;
}

/**
 * The amount that an order of `remaining` lots locks: for a buy its notional at its own limit plus the fee on it at the
 * higher ratio, rounded up; for a sell its base.
 */
export function reservationOf(charges: Charges, { market, side, price, remaining }: Reserving): Units {
  if (side === 'sell') return baseUnits(market, remaining);
  const notional = notionalOf(market, price, remaining);
  return notional + ceilShare(notional, charges.reserved);
}

/** The fields of a fill that determine its money. */
interface Fill {
  readonly price: number;
  readonly quantity: number;
  readonly makerSide: Side;
}

export interface Charge {
  readonly asset: Asset;
  readonly amount: Units;
}

/** A fill's amounts: `notional` of quote one way, `bought` of base the other, the fees, and the tax on the sale. */
export interface FillTerms {
  readonly notional: Units;
  readonly bought: Units;
  readonly buyerFee: Charge;
  readonly sellerFee: Charge;
  /** In quote. */
  readonly tds: Units;
}

export function fillTerms(charges: Charges, market: Market, { price, quantity, makerSide }: Fill): FillTerms {
  const { base, quote } = market.instrument;
  const { maker, taker, tds, share, buyerPaysIn } = charges;
  const notional = notionalOf(market, price, quantity);
  const bought = baseUnits(market, quantity);
  const [buyerRatio, sellerRatio] = makerSide === 'buy' ? [maker, taker] : [taker, maker];
  const inQuote = buyerPaysIn === 'quote';
  return {
    notional,
    bought,
    buyerFee: { asset: inQuote ? quote : base, amount: share(inQuote ? notional : bought, buyerRatio) },
    sellerFee: { asset: quote, amount: share(notional, sellerRatio) },
    tds: share(notional, tds),
  };
}

// Shares of an amount, such as fees and taxes, in whole units.

/** An exact fraction between 0 and 1. */
interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export function ratioOf(value: Decimal, name: string): Ratio {
  invariant(value.gte(0) && value.lte(1), () => `${name} is ${value.toFixed()}, not between 0 and 1.`);
  const places = value.decimalPlaces();
  const numerator = toUnits(value, places);
  invariant(numerator !== null, () => `${name} ${value.toFixed()} has no finite number of decimals.`);
  return { numerator, denominator: 10n ** BigInt(places) };
}

/** `amount` and ratio are never negative here, so integer division rounds down. */
export function floorShare(amount: Units, { numerator, denominator }: Ratio): Units {
  return (amount * numerator) / denominator;
}

export function ceilShare(amount: Units, { numerator, denominator }: Ratio): Units {
  return (amount * numerator + denominator - 1n) / denominator;
}

export function halfUpShare(amount: Units, { numerator, denominator }: Ratio): Units {
  return (2n * amount * numerator + denominator) / (2n * denominator);
}
