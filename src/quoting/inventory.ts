// How much of a coin is wanted, how much may be held, and its place in the portfolio.
import { Decimal, maxOf, minOf, ZERO } from '../domain/decimal.ts';
import type { Asset } from '../domain/instrument.ts';
import { FINE_PLACES } from './amount.ts';
import type { Limits } from './risk/risk-limits.ts';
import type { MarketView } from './strategy.ts';

/** The base that may be held, whichever orders fill. */
export interface InventoryRange {
  /** The tightest of `maxInventoryBase`, `maxBaseRatio` and the portfolio's limit; `null` without a limit. */
  readonly most: Decimal | null;
  readonly least: Decimal;
}

interface InventoryBounds extends Partial<Pick<Limits, 'minInventoryBase' | 'maxInventoryBase'>> {
  readonly maxBaseRatio: number;
}

export function inventoryRange(
  view: Held & Pick<MarketView, 'mostBase'>,
  { minInventoryBase: least = ZERO, maxInventoryBase, maxBaseRatio }: InventoryBounds,
): InventoryRange {
  const byAmount = [maxInventoryBase, view.mostBase].filter((bound) => bound !== undefined && bound !== null);
  if (maxBaseRatio === 1) return { least, most: byAmount.length === 0 ? null : byAmount.reduce(minOf) };
  return { least, most: byAmount.reduce(minOf, everything(view).mul(new Decimal(maxBaseRatio))) };
}

type Held = Pick<MarketView, 'base' | 'quote' | 'referencePrice'>;

/** All holdings at the reference price, in base. */
const everything = ({ base, quote, referencePrice }: Held): Decimal => base.total.add(quote.total.div(referencePrice));

/** The base worth `targetRatio` (0–1) of all holdings at the reference price: for `MarketView.inventoryTarget`. */
export const inventoryTargetOf = (held: Held, targetRatio: number): Decimal =>
  held.referencePrice.gt(0) ? everything(held).mul(new Decimal(targetRatio)) : ZERO;

// One inventory for the whole account: coins that move together are held against one target and one bound, by value.
//
// With V all holdings in quote, share s_i and price p_i of coin i, and D_i = held_i·p_i − s_i·V the excess held of it,
// the coin alone should be held to s_i·V/p_i. Coins move together by the correlation ρ (0 to 1), so the others' excess
// is made up for here: target_i = (s_i·V − ρ·Σ_{j≠i} D_j)/p_i, not under zero. The exposure of a buyer of coin i is D_i
// + bids_i + ρ·Σ_{j≠i} (D_j + bids_j), with other symbols' bids for i: where it reaches the bound, i gets no bid.

export interface Portfolio {
  /** The asset in which everything is valued and quoted. */
  readonly quote: Asset;
  /** By coin: its target share of all holdings. */
  readonly shares: ReadonlyMap<Asset, Decimal>;
  readonly correlation: Decimal;
  /** How far the holdings' value may exceed the targets, in quote; null for no bound. */
  readonly maxExposure: Decimal | null;
}

export interface Coin {
  readonly asset: Asset;
  readonly held: Decimal;
  /** Base that live or possibly live orders would buy, in any symbol; for the coin itself, in other symbols. */
  readonly bids: Decimal;
  /** In quote per coin. */
  readonly price: Decimal;
}

/** One coin's share of the account's room, in base. */
interface PlaceInPortfolio {
  readonly target: Decimal;
  /** The most that may be held with all bids filled; null without a bound. */
  readonly mostBase: Decimal | null;
}

/** `coins`: all coins with a share, `own` one of them. */
export function placeInPortfolio(
  { shares, correlation, maxExposure }: Portfolio,
  { coins, quoteHeld, own }: { readonly coins: readonly Coin[]; readonly quoteHeld: Decimal; readonly own: Coin },
): PlaceInPortfolio {
  const all = coins.reduce((sum, { held, price }) => sum.add(held.mul(price)), quoteHeld);
  const wanted = ({ asset }: Coin): Decimal => all.mul(shares.get(asset) ?? ZERO);
  const excess = (coin: Coin): Decimal => coin.held.mul(coin.price).sub(wanted(coin));
  const others = coins.filter(({ asset }) => asset !== own.asset);
  const ofOthers = others.reduce((sum, coin) => sum.add(excess(coin)), ZERO).mul(correlation);
  const target = maxOf(ZERO, wanted(own).sub(ofOthers)).div(own.price).toDecimalPlaces(FINE_PLACES);
  if (maxExposure === null) return { target, mostBase: null };
  const bids = others.reduce((sum, coin) => sum.add(coin.bids.mul(coin.price)), ZERO).mul(correlation);
  const exposure = excess(own).add(own.bids.mul(own.price)).add(ofOthers).add(bids);
  const mostBase = own.held.add(maxExposure.sub(exposure).div(own.price)).toDecimalPlaces(FINE_PLACES);
  return { target, mostBase: maxOf(ZERO, mostBase) };
}
