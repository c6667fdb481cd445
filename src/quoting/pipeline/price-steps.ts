// Pipeline steps that move prices outwards: to the best level of others, by volatility, to what the base cost, and to
// the price that other exchanges make.
import { Decimal, ONE } from '../../domain/decimal.ts';
import type { Side } from '../../domain/order.ts';
import type { Level } from '../../domain/order-book.ts';
import type { Quote } from '../../domain/quote.ts';
import { ratioOfBps } from '../basis-points.ts';
import { changeEach, type Draft, leaveAll } from './draft.ts';
import { shown } from './quote-line.ts';

/** The price that is further from the market. */
const outer = (side: Side, a: Decimal, b: Decimal): Decimal => (side === 'buy' ? Decimal.min(a, b) : Decimal.max(a, b));

function moveOut(draft: Draft, quote: Quote, { limit, why }: { readonly limit: Decimal; readonly why: string }) {
  const price = outer(quote.side, quote.price, limit);
  if (price.eq(quote.price) || price.lte(0)) return null;
  return { quote: { ...quote, price }, why: `${why} ${shown(limit, draft.view.instrument.tickSize)}.` };
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
  const limits = { buy: enough('buy', book.bids), sell: enough('sell', book.asks) };
  const note = { name: 'order optimization', unchanged: 'No quote is more aggressive than it takes.' };
  return changeEach(draft, note, (quote) => {
    const limit = limits[quote.side];
    return limit === null ? null : moveOut(draft, quote, { limit, why: 'One tick before the others is enough:' });
  });
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
  const { referencePrice, estimates } = draft.view;
  const volatility = estimates.volatilityBpsPerSqrtSecond;
  const name = 'width guard';
  if (volatility.kind === 'unknown') {
    const why = `The volatility is not known: ${volatility.why}`;
    if (width.whenUnknown === 'ignore') return leaveAll(draft, { name, unchanged: why });
    return changeEach(draft, { name, unchanged: why }, () => ({ drop: why }));
  }
  const bps = width.volatilityMultiplier * volatility.value * Math.sqrt(width.horizonMs / 1_000);
  const by = referencePrice.mul(ratioOfBps(bps)).toDecimalPlaces(FINE_PLACES);
  const why = `The price moves by ${volatility.value.toFixed(2)} bps per √s: ${bps.toFixed(1)} bps further out.`;
  return changeEach(draft, { name, unchanged: why }, (quote) => {
    if (by.isZero()) return null;
    const price = quote.side === 'buy' ? quote.price.sub(by) : quote.price.add(by);
    return price.gt(0) ? { quote: { ...quote, price }, why } : { drop: why };
  });
}

const FINE_PLACES = 20;

/** No ask under what the base cost. */
export function sellAboveCost(draft: Draft): Draft {
  const { inventoryCost } = draft.settings;
  if (inventoryCost === undefined) return draft;
  const { averageCost } = draft.view;
  const name = 'inventory cost';
  if (averageCost === null)
    return leaveAll(draft, { name, unchanged: 'What the base cost is not known, or own fills hold none.' });
  const limit = averageCost.mul(ONE.add(ratioOfBps(inventoryCost.minimumProfitBps))).toDecimalPlaces(FINE_PLACES);
  return changeEach(draft, { name, unchanged: 'Every ask is above what the base cost.' }, (quote) =>
    quote.side === 'buy' ? null : moveOut(draft, quote, { limit, why: 'Not under what the base cost:' }),
  );
}

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
  const edge = ratioOfBps(externalGuard.minimumEdgeBps + external.widenBps);
  const limits = {
    buy: external.price.mul(ONE.sub(edge)).toDecimalPlaces(FINE_PLACES),
    sell: external.price.mul(ONE.add(edge)).toDecimalPlaces(FINE_PLACES),
  };
  const why = `Not better than the external price ${shown(external.price, draft.view.instrument.tickSize)}, as set:`;
  return changeEach(draft, { name, unchanged: 'No quote is better than the external price.' }, (quote) =>
    moveOut(draft, quote, { limit: limits[quote.side], why }),
  );
}
