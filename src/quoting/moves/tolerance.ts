// How far an order may be from what is wanted before it moves: tight towards the market, wide away from it.
import { BPS, Decimal } from '../../domain/decimal.ts';
import type { Quote } from '../../domain/order.ts';
import { ratioOfBps } from '../basis-points.ts';
import type { LiveOrder } from '../live-order.ts';
import type { DiffSettings } from './refresh-settings.ts';

/** As shares of the order's price and of what remains of it. */
export interface Tolerances {
  /** Of one that is nearer to the market than is wanted: others may pick it off. */
  readonly nearer: Decimal;
  /** Of one that is farther away: it fills less often, and loses its place in the queue when it moves. */
  readonly farther: Decimal;
  /** Of one that has more left than is wanted. */
  readonly larger: Decimal;
  /** Of one that has less left. */
  readonly smaller: Decimal;
}

/** Where nothing is configured, an order may be this much farther away than it may be nearer. */
const FARTHER = 2;

/**
 * What an order farther from the market than wanted is allowed, in basis points of its price: twice what a nearer one
 * is, unless it is configured.
 */
export const priceToleranceAwayBps = ({ priceToleranceBps: nearer, priceToleranceAwayBps: away }: DiffSettings) =>
  away ?? FARTHER * nearer;

/**
 * `travelBps`: how far the reference price goes anyway while a move is on its way. A move for less is as likely to be
 * wrong as right when it arrives, so no price tolerance is smaller.
 */
export function tolerancesFrom(settings: DiffSettings, travelBps: number): Tolerances {
  return {
    nearer: ratioOfBps(Math.max(settings.priceToleranceBps, travelBps)),
    farther: ratioOfBps(Math.max(priceToleranceAwayBps(settings), travelBps)),
    larger: new Decimal(settings.sizeToleranceRatio),
    smaller: new Decimal(settings.sizeToleranceShortRatio),
  };
}

/** Why the order is not at the wanted price, a part of a sentence; null while it is near enough. */
export function priceDrift(order: LiveOrder, quote: Quote, tolerances: Tolerances): string | null {
  const towards = order.side === 'buy' ? order.price.sub(quote.price) : quote.price.sub(order.price);
  const isNearer = towards.gt(0);
  const tolerance = isNearer ? tolerances.nearer : tolerances.farther;
  if (towards.abs().lte(order.price.mul(tolerance))) return null;
  const bps = tolerance.mul(BPS).toDecimalPlaces(2).toFixed();
  const way = isNearer ? 'farther from' : 'nearer to';
  return (
    `${quote.price.toFixed()} is wanted, ${way} the market by more than ${bps} bps of its ` +
    `${order.price.toFixed()}.`
  );
}

/** Why what remains of it is not the wanted size; null while it is near enough. */
export function sizeDrift({ remaining }: LiveOrder, { quantity }: Quote, tolerances: Tolerances): string | null {
  const missing = quantity.sub(remaining);
  const tolerated = missing.gt(0) ? quantity.mul(tolerances.smaller) : remaining.mul(tolerances.larger);
  if (missing.abs().lte(tolerated)) return null;
  return `A size of ${quantity.toFixed()} is wanted and ${remaining.toFixed()} of it remains.`;
}
