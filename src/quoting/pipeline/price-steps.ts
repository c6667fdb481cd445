// Pipeline steps that move prices outward: to the best level of others, by volatility, to the cost of the base, to
// other exchanges' price, and by its doubts.
import { BPS, Decimal, Decimal as Exact, maxOf, minOf, ONE } from '../../domain/decimal.ts';
import type { Side } from '../../domain/order.ts';
import type { Level } from '../../domain/order-book.ts';
import { MINUTE, SECOND } from '../../domain/time.ts';
import { FINE_PLACES, ratioOfBps } from '../amount.ts';
import { minimumHalfSpread } from '../costs.ts';
import { innermostOf, outwardBy } from '../live-order.ts';
import type { Costs, MarketView } from '../strategy.ts';
import { changeEach, type Draft, leaveAll, type StepNote, shown } from './draft.ts';

/** Moves quotes out until none of a side is inside its limit. The line ends in the limit. */
function keepOutside(
  draft: Draft,
  { why, ...note }: { readonly name: string; readonly unchanged: string; readonly why: string },
  limits: Shifts,
): Draft {
  const { tickSize } = draft.view.instrument;
  const text = (limit: Decimal | null): string => (limit === null ? '' : shown(limit, tickSize));
  return shiftSides(draft, { ...note, why: (side) => `${why} ${text(limits[side])}.` }, missingTo(limits, draft));
}

/** Widens both sides by basis points of the reference price. */
function widen(draft: Draft, { bps, ...words }: { readonly name: string; readonly why: string; readonly bps: number }) {
  const by = draft.view.referencePrice.mul(ratioOfBps(bps)).toDecimalPlaces(FINE_PLACES);
  const shift = by.isZero() ? null : by;
  return shiftSides(
    draft,
    { name: words.name, unchanged: words.why, why: () => words.why },
    { buy: shift, sell: shift },
  );
}

/** One tick before the best level of others whose size, with all levels before it, exceeds `optimizeDepth`. */
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

/** How long a quote is exposed before it moves. */
const EXPOSED_SECONDS = 10;

/** Widens by the price's usual move while a quote is exposed. */
export function widenByVolatility(draft: Draft): Draft {
  const { width } = draft.settings;
  if (width === undefined) return draft;
  const volatility = draft.view.estimates.volatilityBpsPerSqrtSecond;
  const name = 'width guard';
  if (volatility.kind === 'unknown') {
    return leaveAll(draft, { name, unchanged: `The volatility is not known: ${volatility.why}` });
  }
  const bps = width.volatilityMultiplier * volatility.value * Math.sqrt(EXPOSED_SECONDS);
  const why = `The price moves by ${volatility.value.toFixed(2)} bps per √s: ${bps.toFixed(1)} bps further out.`;
  return widen(draft, { name, why, bps });
}

/** No ask below the cost of the base. */
export function sellAboveCost(draft: Draft): Draft {
  const { inventoryCost } = draft.settings;
  if (inventoryCost === undefined) return draft;
  const name = 'inventory cost';
  const limits = costLimits(draft);
  if (limits.sell === null)
    return leaveAll(draft, { name, unchanged: 'What the base cost is not known, or own fills hold none.' });
  const words = { unchanged: 'Every ask is above the cost of the base.', why: 'Not below the cost of the base:' };
  return keepOutside(draft, { name, ...words }, limits);
}

function costLimits({ view: { averageCost }, settings: { inventoryCost } }: Draft): Shifts {
  if (inventoryCost === undefined || averageCost === null) return NO_LIMITS;
  const least = averageCost.mul(ONE.add(ratioOfBps(inventoryCost.minimumProfitBps))).toDecimalPlaces(FINE_PLACES);
  return { buy: null, sell: least };
}

const NO_LIMITS: Shifts = { buy: null, sell: null };

/** Never better than other exchanges' price. */
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

/** Prices that no order may undercut, wherever it rests: the cost of the base, and the external price. */
export const neverToUndercut = (draft: Draft, side: Side): readonly (Decimal | null)[] => [
  costLimits(draft)[side],
  externalLimits(draft)[side],
];

/**
 * Wider by the external price's doubt, when it is old or its sources disagree: both as the reference price and as the
 * guard.
 */
export function widenByDoubts(draft: Draft): Draft {
  const { externalPrice: external, referenceWidenBps } = draft.view;
  const ofGuard = draft.settings.externalGuard !== undefined && external.kind === 'known' ? external.widenBps : 0;
  const bps = Math.max(referenceWidenBps, ofGuard);
  if (bps === 0) return draft;
  const why = `The external price is old, or its sources disagree: ${bps.toFixed(1)} bps further out.`;
  return widen(draft, { name: 'external doubts', why, bps });
}

// Pipeline step: moves both sides out until a round trip at the innermost prices earns its fees, its tax and the wanted
// profit.

const NAME = 'cost floor';

/** Cached per cost object, as these come from the configuration: dividing at each decision is expensive. */
const breakEvens = new WeakMap<Costs, Decimal>();

function breakEvenOf(costs: Costs): Decimal {
  const known = breakEvens.get(costs);
  if (known !== undefined) return known;
  const { makerFeeRatio, effectiveTaxRatio } = costs;
  const made = minimumHalfSpread({ buyFeeRatio: makerFeeRatio, sellFeeRatio: makerFeeRatio, effectiveTaxRatio });
  breakEvens.set(costs, made);
  return made;
}

/**
 * The floor is measured from the reservation price, so that a skew for inventory still moves both sides. A side that
 * is too near moves out as a whole and keeps the distances between its levels.
 */
export function applyCostFloor(draft: Draft): Draft {
  const { enabled, minimumProfitBps } = draft.settings.costFloor;
  if (!enabled) return leaveAll(draft, { name: NAME, unchanged: 'The cost floor is switched off.' });
  // As a ratio of the reservation price.
  const halfSpread = breakEvenOf(draft.view.costs).add(ratioOfBps(minimumProfitBps));
  const limit = (ratio: Decimal): Decimal => draft.reservationPrice.mul(ratio);
  const missing = missingTo({ buy: limit(ONE.sub(halfSpread)), sell: limit(ONE.add(halfSpread)) }, draft);
  const floor =
    `${halfSpread.mul(BPS).toDecimalPlaces(2).toFixed()} bps from ` +
    `${shown(draft.reservationPrice, draft.view.instrument.tickSize)}`;
  const why = `Fees, tax and the profit wanted need ${floor} on each side.`;
  return shiftSides(draft, { name: NAME, unchanged: `Every quote is at least ${floor}.`, why: () => why }, missing);
}

// Moves a side outward as a whole: all levels by the same distance, so that their spacing stays.

/** In quote per base; `null` leaves the side where it is. */
type Shifts = { readonly [S in Side]: Decimal | null };

/** How far each side's innermost quote is inside the side's limit; `null` if it is not, or without a limit. */
function missingTo(limits: Shifts, { quotes }: Draft): Shifts {
  const missing = (side: Side, limit: Decimal | null): Decimal | null => {
    const price = innermostOf(side, quotes);
    if (price === null || limit === null) return null;
    const distance = side === 'buy' ? price.sub(limit) : limit.sub(price);
    return distance.gt(0) ? distance : null;
  };
  return { buy: missing('buy', limits.buy), sell: missing('sell', limits.sell) };
}

function shiftSides(
  draft: Draft,
  { why, ...note }: StepNote & { readonly why: (side: Side) => string },
  shifts: Shifts,
): Draft {
  return changeEach(draft, note, (quote) => {
    const { side } = quote;
    const distance = shifts[side];
    if (distance === null) return null;
    return { quote: { ...quote, price: outwardBy(side, quote.price, distance) }, why: why(side) };
  });
}

// Pipeline steps: a side stops if the price has left its band, or runs away from it.

interface Band {
  readonly floor: Decimal | null;
  readonly ceiling: Decimal | null;
  /** Why there is no moving band. */
  readonly unknown: string | null;
}

export function keepToBand(draft: Draft): Draft {
  const { view } = draft;
  if (draft.settings.priceBand === undefined) return draft;
  const { floor, ceiling, unknown } = bandOf(draft.settings.priceBand, view);
  const { referencePrice } = view;
  const text = (price: Decimal): string => shown(price, view.instrument.tickSize);
  const drops = {
    buy: ceiling !== null && referencePrice.gte(ceiling) ? `is at its ceiling of ${text(ceiling)}: no bid` : null,
    sell: floor !== null && referencePrice.lte(floor) ? `is at its floor of ${text(floor)}: no ask` : null,
  };
  const note = { name: 'price band', unchanged: unknown ?? 'The reference price is in its band.' };
  return changeEach(draft, note, ({ side }) => {
    const drop = drops[side];
    return drop === null ? null : { drop: `The reference price of ${text(referencePrice)} ${drop}.` };
  });
}

/** How often a band moves, at whole multiples of this. */
const BAND_REFRESH_MS = 5 * MINUTE;

/** The tighter of the fixed and the moving band. */
function bandOf(band: NonNullable<Draft['settings']['priceBand']>, view: MarketView): Band {
  const fixed = { floor: band.floor ?? null, ceiling: band.ceiling ?? null, unknown: null };
  if (band.bandBps === undefined) return fixed;
  const refreshedAt = Math.floor(view.now / BAND_REFRESH_MS) * BAND_REFRESH_MS;
  const middle = view.references.findLast(({ at }) => at <= refreshedAt)?.price;
  if (middle === undefined)
    return { ...fixed, unknown: 'The band that moves is not known yet: no price of its last refresh is.' };
  const ratio = ratioOfBps(band.bandBps);
  const [low, high] = [middle.mul(ONE.sub(ratio)), middle.mul(ONE.add(ratio))];
  return {
    floor: fixed.floor === null ? low : Exact.max(fixed.floor, low),
    ceiling: fixed.ceiling === null ? high : Exact.min(fixed.ceiling, high),
    unknown: null,
  };
}

/** How far back a trend is measured. */
const TREND_MS = 2 * MINUTE;

/** No bid in a fall from the highest price of the window, no ask in a rise from the lowest. */
export function stayOutOfTrends(draft: Draft): Draft {
  const { trend } = draft.settings;
  if (trend === undefined) return draft;
  const { now, referencePrice, references } = draft.view;
  const prices = references.filter(({ at }) => at >= now - TREND_MS).map(({ price }) => price);
  const moveFrom = (price: Decimal): number => referencePrice.div(price).sub(ONE).mul(10_000).toNumber();
  const fell = moveFrom(prices.reduce(maxOf, referencePrice));
  const rose = moveFrom(prices.reduce(minOf, referencePrice));
  const seconds = TREND_MS / SECOND;
  const drops = {
    buy: `The price fell by ${(-fell).toFixed(1)} bps within ${seconds} s; the limit is ${trend.trendBps}.`,
    sell: `The price rose by ${rose.toFixed(1)} bps within ${seconds} s; the limit is ${trend.trendBps}.`,
  };
  const unchanged = `Within ${seconds} s the price fell by ${(-fell).toFixed(1)} bps and rose by ${rose.toFixed(1)}.`;
  return changeEach(draft, { name: 'trend', unchanged }, ({ side }) =>
    (side === 'buy' ? -fell : rose) < trend.trendBps ? null : { drop: drops[side] },
  );
}
