// Quotes at fixed distances around the reference price, on one or more levels, optionally skewed against inventory. The
// simplest strategy that earns a spread, and the starting point for your own.
import { z } from 'zod';
import { type Decimal, maxOf, minOf, ONE, ZERO } from '../src/domain/decimal.ts';
import type { Quote, Side } from '../src/domain/order.ts';
import { above0, amount, between, FINE_PLACES, ratioOfBps } from '../src/quoting/amount.ts';
import { defineStrategy, type MarketView, type Step } from '../src/quoting/strategy.ts';

const distanceBps = above0(9_999, 'bps');
const MOST_LEVELS = 5;
export const fixedSpreadParams = z
  .object({
    levels: z.number().int().min(1).max(MOST_LEVELS).default(1).describe('Quotes per side.'),
    halfSpreadBps: distanceBps
      .default(100)
      .describe('Distance of the innermost level from the reservation price, in basis points of it.'),
    halfSpreadStepBps: between(0, 9_999, 'bps')
      .default(50)
      .describe('Added to the distance for each further level, in basis points.'),
    orderSize: amount('positive').describe('Size of the innermost level, in the unit of sizeUnit.'),
    orderSizeStep: amount('not negative').prefault('0').describe('Added to the size for each further level.'),
    sizeUnit: z
      .enum(['quote', 'base'])
      .default('quote')
      .describe(
        'Whether sizes are amounts of the quote asset, converted at the reservation price, or of the base asset.',
      ),
    bidHalfSpreadsBps: z.array(distanceBps).max(MOST_LEVELS).optional().describe(listText('Distances of the bids')),
    askHalfSpreadsBps: z.array(distanceBps).max(MOST_LEVELS).optional().describe(listText('Distances of the asks')),
    bidSizes: z.array(amount('positive')).max(MOST_LEVELS).optional().describe(listText('Sizes of the bids')),
    askSizes: z.array(amount('positive')).max(MOST_LEVELS).optional().describe(listText('Sizes of the asks')),
    skewBps: between(0, 5_000, 'bps')
      .default(0)
      .describe('How far the reservation price moves when inventory is a full range off its target, in basis points.'),
    inventoryRangeBase: amount('positive', 'base')
      .optional()
      .describe(
        'Deviation from the target that counts as a full range, in base. Unset: all holdings in base, or none.',
      ),
  })
  .refine((params) => (params.bidSizes ?? []).length <= (params.bidHalfSpreadsBps?.length ?? params.levels), {
    message: 'bidSizes has more entries than there are bids.',
    path: ['bidSizes'],
  })
  .refine((params) => (params.askSizes ?? []).length <= (params.askHalfSpreadsBps?.length ?? params.levels), {
    message: 'askSizes has more entries than there are asks.',
    path: ['askSizes'],
  });

export type FixedSpreadParams = z.output<typeof fixedSpreadParams>;

function listText(what: string): string {
  return `${what}, innermost first, instead of first and step; a list that is empty quotes no such side.`;
}

export const strategy = defineStrategy<FixedSpreadParams>({
  name: 'fixed-spread',
  params: fixedSpreadParams.describe('Levels at fixed distances; prices lean with inventory. Begin with it.'),
  ignoresNow: true,
  widthBps: (params) => params.skewBps + Math.max(0, ...distancesOf('buy', params), ...distancesOf('sell', params)),
  quote(view, params) {
    const reservationPrice = reservationPriceOf(view, params);
    // One rate for all levels and both sides, so that a bid and the opposite ask have the same base.
    const basePerUnit = params.sizeUnit === 'base' ? ONE : ONE.div(reservationPrice).toDecimalPlaces(FINE_PLACES);
    const around = { reservationPrice, basePerUnit };
    const quotes = [...side('buy', around, params), ...side('sell', around, params)];
    return { quotes, explain: [reservationStep(view, params, reservationPrice)] };
  },
});

/**
 * Inventory off its target in units of the range, −1 (short of it) to 1 (over it). Without a range of its own, 1 is
 * everything in base and −1 is nothing in base.
 */
export function inventoryDeviation(view: MarketView, inventoryRangeBase?: Decimal): Decimal {
  const { base, quote, inventoryTarget: target, referencePrice } = view;
  const deviation = base.total.sub(target);
  const everything = base.total.add(quote.total.div(referencePrice));
  const range = inventoryRangeBase ?? (deviation.gt(0) ? everything.sub(target) : target);
  return range.gt(0) ? maxOf(ONE.neg(), minOf(ONE, deviation.div(range))) : ZERO;
}

/** reference·(1 − skew·deviation): lower when too much base is held, so that we sell sooner and buy later. */
function reservationPriceOf(view: MarketView, { skewBps, inventoryRangeBase }: FixedSpreadParams): Decimal {
  if (skewBps === 0) return view.referencePrice;
  const shift = inventoryDeviation(view, inventoryRangeBase).mul(ratioOfBps(skewBps));
  return view.referencePrice.mul(ONE.sub(shift)).toDecimalPlaces(FINE_PLACES);
}

interface Around {
  readonly reservationPrice: Decimal;
  /** Base per unit of a size. */
  readonly basePerUnit: Decimal;
}

function side(name: Side, { reservationPrice, basePerUnit }: Around, params: FixedSpreadParams): Quote[] {
  return distancesOf(name, params).map((halfSpreadBps, level) => {
    const distance = ratioOfBps(halfSpreadBps);
    const price = reservationPrice.mul(name === 'buy' ? ONE.sub(distance) : ONE.add(distance));
    return { side: name, level, price, quantity: sizeOf(name, level, params).mul(basePerUnit) };
  });
}

function distancesOf(name: Side, params: FixedSpreadParams): readonly number[] {
  const { levels, halfSpreadBps, halfSpreadStepBps } = params;
  const list = name === 'buy' ? params.bidHalfSpreadsBps : params.askHalfSpreadsBps;
  return list ?? Array.from({ length: levels }, (_, level) => halfSpreadBps + level * halfSpreadStepBps);
}

/** A list that is shorter than the levels goes on with first and step. */
function sizeOf(name: Side, level: number, params: FixedSpreadParams): Decimal {
  const list = name === 'buy' ? params.bidSizes : params.askSizes;
  const listed = list?.[level];
  if (listed !== undefined) return listed;
  return params.orderSizeStep.isZero() ? params.orderSize : params.orderSize.add(params.orderSizeStep.mul(level));
}

function reservationStep(view: MarketView, params: FixedSpreadParams, reservationPrice: Decimal): Step {
  const { base, inventoryTarget, referencePrice } = view;
  const places = view.instrument.tickSize.decimalPlaces() + 2;
  const held = `${base.total.toFixed()} ${base.asset} are held, ${inventoryTarget.toDecimalPlaces(8).toFixed()} wanted`;
  return {
    name: 'reservation price',
    before: referencePrice.toDecimalPlaces(places).toFixed(),
    after: reservationPrice.toDecimalPlaces(places).toFixed(),
    why: params.skewBps === 0 ? 'No skew of prices is set.' : `${held}; the skew is ${params.skewBps} bps at most.`,
  };
}
