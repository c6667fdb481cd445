// Pipeline steps: a side stops where the price has left its band, or runs away from it.
import { type Decimal, Decimal as Exact, maxOf, minOf, ONE } from '../../domain/decimal.ts';
import { ratioOfBps } from '../basis-points.ts';
import type { MarketView } from '../strategy.ts';
import { changeEach, type Draft } from './draft.ts';
import { shown } from './quote-line.ts';

interface Band {
  readonly floor: Decimal | null;
  readonly ceiling: Decimal | null;
  /** Why a band that moves is not there. */
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

/** The tighter of what is fixed and what moves. */
function bandOf(band: NonNullable<Draft['settings']['priceBand']>, view: MarketView): Band {
  const fixed = { floor: band.floor ?? null, ceiling: band.ceiling ?? null, unknown: null };
  if (band.bandBps === undefined) return fixed;
  const refreshedAt = Math.floor(view.now / band.bandRefreshMs) * band.bandRefreshMs;
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

/** No bid in a fall from the highest price of the window, no ask in a rise from the lowest. */
export function stayOutOfTrends(draft: Draft): Draft {
  const { trend } = draft.settings;
  if (trend === undefined) return draft;
  const { now, referencePrice, references } = draft.view;
  const prices = references.filter(({ at }) => at >= now - trend.withinMs).map(({ price }) => price);
  const moveFrom = (price: Decimal): number => referencePrice.div(price).sub(ONE).mul(10_000).toNumber();
  const fell = moveFrom(prices.reduce(maxOf, referencePrice));
  const rose = moveFrom(prices.reduce(minOf, referencePrice));
  const seconds = trend.withinMs / 1_000;
  const drops = {
    buy: `The price fell by ${(-fell).toFixed(1)} bps within ${seconds} s; the limit is ${trend.trendBps}.`,
    sell: `The price rose by ${rose.toFixed(1)} bps within ${seconds} s; the limit is ${trend.trendBps}.`,
  };
  const unchanged = `Within ${seconds} s the price fell by ${(-fell).toFixed(1)} bps and rose by ${rose.toFixed(1)}.`;
  return changeEach(draft, { name: 'trend', unchanged }, ({ side }) =>
    (side === 'buy' ? -fell : rose) < trend.trendBps ? null : { drop: drops[side] },
  );
}
