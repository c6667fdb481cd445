// Profit and loss of a strategy on one symbol, split into spread, inventory, fees and tax, exact to the last digit.
import { Decimal } from '../domain/decimal.ts';
import type { Asset } from '../domain/instrument.ts';
import {
  AMOUNT_DECIMALS,
  type Amount,
  add,
  addValue,
  amountOf,
  asValue,
  NO_AMOUNT,
  NO_VALUE,
  negate,
  negateValue,
  subtract,
  subtractValue,
  times,
  type Value,
} from './amount.ts';
import type { BookableFill } from './fill-entries.ts';

/** How withheld tax counts for the owner: as a cost; as a credit that comes back, shown separately; not at all. */
export type TaxTreatment = 'cost' | 'credit' | 'ignore';

/** Sums since the opening. Values in quote. Only the strategy's own fills are counted (R7). */
export interface Pnl {
  /** Net base from own fills: bought − sold − commissions in base. */
  readonly inventory: Amount;
  /** The price that values the inventory: the trusted market price; `null` before the first. */
  readonly mid: Amount | null;
  /**
   * Σ s·(n·mid − q): how much better fills were than the mid price when booked; s = +1 for a buy, q the quote that
   * moved.
   */
  readonly spread: Value;
  /** Σ inventory·Δmid. */
  readonly drift: Value;
  readonly fees: Value;
  readonly tax: Value;
  /** Commissions in an asset that is neither base nor quote: not included in any sum above. */
  readonly unvaluedFees: ReadonlyMap<Asset, Amount>;
  /** Quote that changed hands, both sides. */
  readonly turnover: Amount;
  readonly fills: number;
}

export const EMPTY_PNL: Pnl = {
  inventory: NO_AMOUNT,
  mid: null,
  spread: NO_VALUE,
  drift: NO_VALUE,
  fees: NO_VALUE,
  tax: NO_VALUE,
  unvaluedFees: new Map(),
  turnover: NO_AMOUNT,
  fills: 0,
};

interface FillAtMid {
  readonly fill: BookableFill;
  /** Trusted market price when the fill is booked; the last one, or the fill's own price if there was none yet. */
  readonly mid: Amount;
}

/** The sums at this price, or at the last one if it is null or not finite. */
export function markPnl(pnl: Pnl, price: Decimal | null): Pnl {
  const mid = price && amountOf(price.toDecimalPlaces(AMOUNT_DECIMALS, Decimal.ROUND_DOWN));
  return mid?.ok ? marked(pnl, mid.value) : pnl;
}

function marked(pnl: Pnl, mid: Amount): Pnl {
  const move = subtract(mid, pnl.mid ?? mid);
  return { ...pnl, mid, drift: addValue(pnl.drift, times(pnl.inventory, move)) };
}

/**
 * Adds (`sign` 1) or takes back (−1) one fill. Taken back, the total is as if it had never been; spread and drift each
 * keep the effect of the mid price's moves. A commission in base is valued at the fill's price and leaves the
 * inventory, so the spread is earned only on the rest: s·(n·mid − q) − c·(mid − p). The total is then exactly the value
 * of the holdings.
 */
export function bookPnl(before: Pnl, { fill, mid }: FillAtMid, sign: 1 | -1): Pnl {
  const pnl = marked(before, mid);
  const amount = (a: Amount): Amount => (sign === 1 ? a : negate(a));
  const value = (v: Value): Value => (sign === 1 ? v : negateValue(v));
  const inBase = fill.commissionAsset === fill.base ? fill.commission : NO_AMOUNT;
  const gross = subtractValue(times(fill.quantity, mid), asValue(fill.quoteQuantity));
  const spread = subtractValue(
    fill.side === 'buy' ? gross : negateValue(gross),
    times(inBase, subtract(mid, fill.price)),
  );
  const bought = subtract(fill.side === 'buy' ? fill.quantity : negate(fill.quantity), inBase);
  const fee = feeValue(fill);
  return {
    ...pnl,
    inventory: add(pnl.inventory, amount(bought)),
    spread: addValue(pnl.spread, value(spread)),
    fees: addValue(pnl.fees, value(fee ?? NO_VALUE)),
    tax: addValue(pnl.tax, value(asValue(fill.tds))),
    unvaluedFees:
      fee === null ? withFee(pnl.unvaluedFees, fill.commissionAsset, amount(fill.commission)) : pnl.unvaluedFees,
    turnover: add(pnl.turnover, amount(fill.quoteQuantity)),
    fills: pnl.fills + sign,
  };
}

/** A commission in quote; one in base is valued at the fill's price. Null for a third asset. */
function feeValue(fill: BookableFill): Value | null {
  if (fill.commissionAsset === fill.quote) return asValue(fill.commission);
  return fill.commissionAsset === fill.base ? times(fill.commission, fill.price) : null;
}

function withFee(fees: ReadonlyMap<Asset, Amount>, asset: Asset, by: Amount): Map<Asset, Amount> {
  return new Map(fees).set(asset, add(fees.get(asset) ?? NO_AMOUNT, by));
}

/** The parts and their sum, in quote. */
interface PnlParts {
  readonly spread: Value;
  readonly drift: Value;
  readonly fees: Value;
  /** Tax included in the total. */
  readonly taxCost: Value;
  /** Tax that the owner gets back: shown, not subtracted. */
  readonly taxCredit: Value;
  /** spread + drift − fees − taxCost. */
  readonly total: Value;
}

/** Splits the sums by the tax treatment. */
export function pnlParts(pnl: Pnl, treatment: TaxTreatment): PnlParts {
  const { spread, drift, fees, tax } = pnl;
  const taxCost = treatment === 'cost' ? tax : NO_VALUE;
  const taxCredit = treatment === 'credit' ? tax : NO_VALUE;
  const total = subtractValue(subtractValue(addValue(spread, drift), fees), taxCost);
  return { spread, drift, fees, taxCost, taxCredit, total };
}
