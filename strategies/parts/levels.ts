// From a model's distances to quotes on levels: shared by the model strategies.
import { z } from 'zod';
import { Decimal, ONE, ZERO } from '../../src/domain/decimal.ts';
import type { Quote, Side } from '../../src/domain/order.ts';
import { amount, between, FINE_PLACES } from '../../src/quoting/amount.ts';
import type { MarketView, QuoteSet, Step } from '../../src/quoting/strategy.ts';

const MOST_LEVELS = 5;
const BPS = 10_000;
/** To be spread into the parameters of a strategy. */
export const levelParams = {
  levels: z.number().int().min(1).max(MOST_LEVELS).default(1).describe('Quotes per side.'),
  halfSpreadStepBps: between(0, 9_999, 'bps')
    .default(30)
    .describe('Added to the distance of the innermost level for each further one, in basis points.'),
  orderSize: amount('positive').describe('Size of the innermost level, in the unit of sizeUnit.'),
  orderSizeStep: amount('not negative').prefault('0').describe('Added to the size for each further level.'),
  sizeUnit: z
    .enum(['quote', 'base'])
    .default('quote')
    .describe('Whether sizes are amounts of the quote asset, converted at the reference price, or of the base asset.'),
};

export interface LevelParams {
  readonly levels: number;
  readonly halfSpreadStepBps: number;
  readonly orderSize: Decimal;
  readonly orderSizeStep: Decimal;
  readonly sizeUnit: 'quote' | 'base';
}

/** Base of an order of this size. */
const inBase = (size: Decimal, { sizeUnit }: LevelParams, { referencePrice }: MarketView): Decimal =>
  sizeUnit === 'base' ? size : size.div(referencePrice).toDecimalPlaces(FINE_PLACES);

/** Inventory off its target, in orders of the innermost level: above 0 where too much base is held. */
export function inventoryInOrders(view: MarketView, params: LevelParams): number {
  const deviation = view.base.total.sub(view.inventoryTarget);
  return deviation.div(inBase(params.orderSize, params, view)).toNumber();
}

/** Distances of the innermost level from the reference price, in basis points of it; null where none is quoted. */
export interface SideDistances {
  readonly buy: number | null;
  readonly sell: number | null;
}

export interface WantedDistances {
  readonly distances: SideDistances;
  /** Why a side without a distance has none. */
  readonly noQuote: { readonly [S in Side]?: string };
  readonly explain: readonly Step[];
}

/** Quotes at these distances. A distance that is not a number, or is the whole price, gives none, with the reason. */
export function quotesAt(view: MarketView, params: LevelParams, wanted: WantedDistances): QuoteSet {
  const noQuote: { [S in Side]?: string } = { ...wanted.noQuote };
  const quotes = (['buy', 'sell'] as const).flatMap((side) => {
    const distance = wanted.distances[side];
    if (distance === null) return [];
    if (!(Number.isFinite(distance) && Math.abs(distance) < BPS)) {
      noQuote[side] = `The model gives a distance of ${distance} bps, which is no price.`;
      return [];
    }
    return sideAt(side, { view, params, distance });
  });
  return { quotes, explain: wanted.explain, noQuote };
}

interface SidePlace {
  readonly view: MarketView;
  readonly params: LevelParams;
  /** In basis points. */
  readonly distance: number;
}

function sideAt(side: Side, { view, params, distance }: SidePlace): Quote[] {
  return Array.from({ length: params.levels }, (_, level) => level).flatMap((level) => {
    const bps = new Decimal(distance + level * params.halfSpreadStepBps).div(BPS);
    const price = view.referencePrice.mul(side === 'buy' ? ONE.sub(bps) : ONE.add(bps)).toDecimalPlaces(FINE_PLACES);
    const size = params.orderSize.add(params.orderSizeStep.mul(level));
    return price.gt(ZERO) ? [{ side, level, price, quantity: inBase(size, params, view) }] : [];
  });
}

/** `12.34`: basis points for people. */
export const shownBps = (bps: number | null): string => (bps === null ? 'none' : `${bps.toFixed(2)} bps`);

/** A line with the model's innermost bid and ask. */
export function distancesStep(name: string, { buy, sell }: SideDistances, why: string): Step {
  return { name, before: 'reference price', after: `bid −${shownBps(buy)}, ask +${shownBps(sell)}`, why };
}
