// What the bot's trades of a period earned, split as the trader splits it, exact to the last digit. By when trades
// happened, however late they were booked: the sums of days are those of their month.
import type { Movement } from '../books/movement.ts';
import {
  type Amount,
  add,
  addValue,
  asValue,
  NO_AMOUNT,
  NO_VALUE,
  negate,
  negateValue,
  subtract,
  subtractValue,
  times,
  type Value,
} from '../ledger/amount.ts';
import { feeValue, type TaxTreatment } from '../ledger/pnl.ts';

/** In quote. */
export interface PeriodProfit {
  /** What trades were better than the trusted price when they were booked. */
  readonly spread: Value;
  /** What the price did to what was held; null where a price at the beginning or the end is not known and needed. */
  readonly inventory: Value | null;
  readonly fees: Value;
  readonly taxWithheld: Value;
  /** Whether `total` bears the tax. */
  readonly taxInTotal: boolean;
  /** spread + inventory − fees − (tax where it is a cost). */
  readonly total: Value | null;
}

export interface ProfitOptions {
  readonly from: number;
  readonly to: number;
  /** In quote per base at the beginning and at the end; null where it is not known. */
  readonly prices: { readonly begin: Amount | null; readonly end: Amount | null };
  readonly treatment: TaxTreatment;
}

/** `movements`: the bot's of one symbol, of all time. */
export function periodProfit(movements: readonly Movement[], options: ProfitOptions): PeriodProfit {
  const { from, to, prices, treatment } = options;
  const before = movements.filter(({ happenedAt }) => happenedAt < from);
  const within = movements.filter(({ happenedAt }) => happenedAt >= from && happenedAt < to);
  const held = { begin: inventoryOf(before), end: add(inventoryOf(before), inventoryOf(within)) };
  const sums = within.map(partsOf);
  const sum = (part: keyof Parts): Value => sums.reduce((total, parts) => addValue(total, parts[part]), NO_VALUE);
  const [begin, end] = [worth(held.begin, prices.begin), worth(held.end, prices.end)];
  const inventory =
    begin === null || end === null ? null : subtractValue(subtractValue(end, begin), sum('boughtAtMid'));
  const [spread, fees, taxWithheld] = [sum('spread'), sum('fees'), sum('tax')];
  const taxInTotal = treatment === 'cost';
  const costs = taxInTotal ? addValue(fees, taxWithheld) : fees;
  const total = inventory === null ? null : subtractValue(addValue(spread, inventory), costs);
  return { spread, inventory, fees, taxWithheld, taxInTotal, total };
}

/** Nothing is worth nothing at any price. */
const worth = (held: Amount, price: Amount | null): Value | null =>
  held === NO_AMOUNT ? NO_VALUE : price === null ? null : times(held, price);

const inventoryOf = (movements: readonly Movement[]): Amount =>
  movements.reduce((sum, movement) => add(sum, baseChange(movement)), NO_AMOUNT);

/** What the trade did to the base that is held, a fee in base included. */
function baseChange({ trade, takesBack }: Movement): Amount {
  if (trade === null) return NO_AMOUNT;
  const { side, quantity, commission, commissionAsset, base } = trade.fill;
  const gross = side === 'buy' ? quantity : negate(quantity);
  const net = subtract(gross, commissionAsset === base ? commission : NO_AMOUNT);
  return takesBack ? negate(net) : net;
}

interface Parts {
  readonly spread: Value;
  readonly fees: Value;
  readonly tax: Value;
  readonly boughtAtMid: Value;
}

/** As `ledger/pnl.ts` books a fill; what was taken back counts negative. */
function partsOf(movement: Movement): Parts {
  const { trade, takesBack } = movement;
  if (trade === null) return { spread: NO_VALUE, fees: NO_VALUE, tax: NO_VALUE, boughtAtMid: NO_VALUE };
  const { fill } = trade;
  const mid = trade.mid ?? fill.price;
  const signed = (value: Value): Value => (takesBack ? negateValue(value) : value);
  const gross = subtractValue(times(fill.quantity, mid), asValue(fill.quoteQuantity));
  const inBase = fill.commissionAsset === fill.base ? fill.commission : NO_AMOUNT;
  const better = fill.side === 'buy' ? gross : negateValue(gross);
  return {
    spread: signed(subtractValue(better, times(inBase, subtract(mid, fill.price)))),
    fees: signed(feeValue(fill) ?? NO_VALUE),
    tax: signed(asValue(fill.tds)),
    boughtAtMid: times(baseChange(movement), mid),
  };
}
