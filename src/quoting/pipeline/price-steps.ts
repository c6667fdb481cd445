// Pipeline steps that move prices outwards: to the best level of others, by volatility, to what the base cost, to the
// price that other exchanges make, and by its doubts.
import { Decimal, ONE } from '../../domain/decimal.ts';
import type { Side } from '../../domain/order.ts';
import type { Level } from '../../domain/order-book.ts';
import { ratioOfBps } from '../basis-points.ts';
import { changeEach, type Draft, leaveAll } from './draft.ts';
import { shown } from './quote-line.ts';
import { missingTo, type Shifts, shiftSides } from './whole-side.ts';

/** Further out until no quote of a side is inside its limit. The line ends in the limit. */
function keepOutside(
  draft: Draft,
  { why, ...note }: { readonly name: string; readonly unchanged: string; readonly why: string },
  limits: Shifts,
): Draft {
  const { tickSize } = draft.view.instrument;
  const text = (limit: Decimal | null): string => (limit === null ? '' : shown(limit, tickSize));
  return shiftSides(draft, { ...note, why: (side) => `${why} ${text(limits[side])}.` }, missingTo(limits, draft));
}

/** Both sides by so many basis points of the reference price. */
function widen(draft: Draft, { bps, ...words }: { readonly name: string; readonly why: string; readonly bps: number }) {
  const by = draft.view.referencePrice.mul(ratioOfBps(bps)).toDecimalPlaces(FINE_PLACES);
  const shift = by.isZero() ? null : by;
  return shiftSides(
    draft,
    { name: words.name, unchanged: words.why, why: () => words.why },
    { buy: shift, sell: shift },
  );
}

/** One tick before the best level of others that holds more than `optimizeDepth`, with all before it, is enough. */
export function optimizeOrders(draft: Draft): Draft {
  const { optimizeDepth } = draft.settings;
  if (optimizeDepth === undefined) return draft;
  const { book, instrument } = draft.view;
  const enough = (side: Side, levels: readonly Level[]): Decimal | null => {
    const level = firstBeyond(levels, optimizeDepth);
    if (level === null) return null;
    return side === 'buy' ? level.price.add(instrument.tickSize) : level.price.sub(instrument.tickSize);
  };
  const words = {
    name: 'order optimization',
    unchanged: 'No quote is more aggressive than it takes.',
    why: 'One tick before the others is enough:',
  };
  return keepOutside(draft, words, { buy: enough('buy', book.bids), sell: enough('sell', book.asks) });
}

function firstBeyond(levels: readonly Level[], depth: Decimal): Level | null {
  let sum = new Decimal(0);
  for (const level of levels) {
    sum = sum.add(level.quantity);
    if (sum.gt(depth)) return level;
  }
  return null;
}

/** Further from the reference price by what the price moves while a quote is exposed. */
export function widenByVolatility(draft: Draft): Draft {
  const { width } = draft.settings;
  if (width === undefined) return draft;
  const volatility = draft.view.estimates.volatilityBpsPerSqrtSecond;
  const name = 'width guard';
  if (volatility.kind === 'unknown') {
    const why = `The volatility is not known: ${volatility.why}`;
    if (width.whenUnknown === 'ignore') return leaveAll(draft, { name, unchanged: why });
    return changeEach(draft, { name, unchanged: why }, () => ({ drop: why }));
  }
  const bps = width.volatilityMultiplier * volatility.value * Math.sqrt(width.horizonMs / 1_000);
  const why = `The price moves by ${volatility.value.toFixed(2)} bps per √s: ${bps.toFixed(1)} bps further out.`;
  return widen(draft, { name, why, bps });
}

const FINE_PLACES = 20;

/** No ask under what the base cost. */
export function sellAboveCost(draft: Draft): Draft {
  const { inventoryCost } = draft.settings;
  if (inventoryCost === undefined) return draft;
  const name = 'inventory cost';
  const limits = costLimits(draft);
  if (limits.sell === null)
    return leaveAll(draft, { name, unchanged: 'What the base cost is not known, or own fills hold none.' });
  const words = { unchanged: 'Every ask is above what the base cost.', why: 'Not under what the base cost:' };
  return keepOutside(draft, { name, ...words }, limits);
}

function costLimits({ view: { averageCost }, settings: { inventoryCost } }: Draft): Shifts {
  if (inventoryCost === undefined || averageCost === null) return NO_LIMITS;
  const least = averageCost.mul(ONE.add(ratioOfBps(inventoryCost.minimumProfitBps))).toDecimalPlaces(FINE_PLACES);
  return { buy: null, sell: least };
}

const NO_LIMITS: Shifts = { buy: null, sell: null };

/** Never better than the price that other exchanges make. */
export function keepOffExternal(draft: Draft): Draft {
  const { externalGuard } = draft.settings;
  if (externalGuard === undefined) return draft;
  const { externalPrice: external } = draft.view;
  const name = 'external price';
  if (external.kind === 'unknown') {
    const why = `There is no external price: ${external.why}`;
    if (externalGuard.whenUnknown === 'ignore') return leaveAll(draft, { name, unchanged: why });
    return changeEach(draft, { name, unchanged: why }, () => ({ drop: why }));
  }
  const why = `Not better than the external price ${shown(external.price, draft.view.instrument.tickSize)}, as set:`;
  const words = { name, unchanged: 'No quote is better than the external price.', why };
  return keepOutside(draft, words, externalLimits(draft));
}

function externalLimits({ view: { externalPrice: external }, settings: { externalGuard } }: Draft): Shifts {
  if (externalGuard === undefined || external.kind === 'unknown') return NO_LIMITS;
  const edge = ratioOfBps(externalGuard.minimumEdgeBps);
  return {
    buy: external.price.mul(ONE.sub(edge)).toDecimalPlaces(FINE_PLACES),
    sell: external.price.mul(ONE.add(edge)).toDecimalPlaces(FINE_PLACES),
  };
}

/** What no order is to undercut, wherever it rests: what the base cost, and the external price. */
export const neverToUndercut = (draft: Draft, side: Side): readonly (Decimal | null)[] => [
  costLimits(draft)[side],
  externalLimits(draft)[side],
];

/**
 * Wider by what the external price is in doubt, old or made of sources that disagree: where it is the reference price,
 * and where it is the guard.
 */
export function widenByDoubts(draft: Draft): Draft {
  const { externalPrice: external, referenceWidenBps } = draft.view;
  const ofGuard = draft.settings.externalGuard !== undefined && external.kind === 'known' ? external.widenBps : 0;
  const bps = Math.max(referenceWidenBps, ofGuard);
  if (bps === 0) return draft;
  const why = `The external price is old, or its sources disagree: ${bps.toFixed(1)} bps further out.`;
  return widen(draft, { name: 'external doubts', why, bps });
}
