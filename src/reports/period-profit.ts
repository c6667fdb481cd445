// What the bot's trades of a period earned, split as the trader splits it, exact to the last digit. By when trades
// happened, however late they were booked: the sums of days are those of their month.
import type { Movement } from '../books/movement.ts';
import { type Amount, add, addValue, NO_AMOUNT, NO_VALUE, subtractValue, times, type Value } from '../ledger/amount.ts';
import { applyPnl, EMPTY_PNL, type TaxTreatment } from '../ledger/pnl.ts';

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
  const sums = within.map(partsOf);
  const sum = (part: 'spread' | 'fees' | 'tax' | 'boughtAtMid'): Value =>
    sums.reduce((total, parts) => addValue(total, parts[part]), NO_VALUE);
  const beginning = baseOf(before.map(partsOf));
  const held = { begin: beginning, end: add(beginning, baseOf(sums)) };
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

const baseOf = (all: readonly Parts[]): Amount => all.reduce((sum, { base }) => add(sum, base), NO_AMOUNT);

interface Parts {
  /** What it did to the base that is held, a fee in base included. */
  readonly base: Amount;
  readonly spread: Value;
  readonly fees: Value;
  readonly tax: Value;
  readonly boughtAtMid: Value;
}

/** One trade alone, as the trader books it; what was taken back counts negative. */
function partsOf({ trade, takesBack }: Movement): Parts {
  const mid = trade?.mid ?? trade?.fill.price ?? NO_AMOUNT;
  const input = trade && ({ kind: takesBack ? 'fill-reversed' : 'fill', fill: trade.fill, mid } as const);
  const { inventory, spread, fees, tax } = input === null ? EMPTY_PNL : applyPnl(EMPTY_PNL, input);
  return { base: inventory, spread, fees, tax, boughtAtMid: times(inventory, mid) };
}
