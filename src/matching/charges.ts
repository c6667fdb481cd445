// What an order reserves and what a fill costs: notional, fee and tax, in whole units.
import { maxOf } from '../domain/decimal.ts';
import type { Side } from '../domain/order.ts';
import type { Market } from './market.ts';
import { ceilShare, floorShare, halfUpShare, type Ratio, ratioOf } from './ratio.ts';
import type { EngineSettings, Units } from './types.ts';

/** The settings' ratios as exact fractions. */
export interface Charges {
  readonly maker: Ratio;
  readonly taker: Ratio;
  readonly tds: Ratio;
  /** Reserved for the fee by a buy: the higher of the two ratios, or nothing where the fee is paid in base. */
  readonly reserved: Ratio;
  readonly share: (amount: Units, ratio: Ratio) => Units;
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
  };
}

/** price × quantity in units of quote, exact. */
export function notionalOf(market: Market, price: number, quantity: number): Units {
  const product = price * quantity;
  const exact = Number.isSafeInteger(product) ? BigInt(product) : BigInt(price) * BigInt(quantity);
  return exact * market.tickLotUnits;
}

/** Lots in units of base. */
export function baseUnits(market: Market, quantity: number): Units {
  return BigInt(quantity) * market.lotUnits;
}

/** An order, or what it would be. */
interface Reserving {
  readonly market: Market;
  readonly side: Side;
  readonly price: number;
  readonly remaining: number;
}

/**
 * What an order with `remaining` lots locks: a buy its notional at its own limit plus the fee on it at the higher ratio,
 * rounded up; a sell its base.
 */
export function reservationOf(charges: Charges, { market, side, price, remaining }: Reserving): Units {
  if (side === 'sell') return baseUnits(market, remaining);
  const notional = notionalOf(market, price, remaining);
  return notional + ceilShare(notional, charges.reserved);
}
