// Quantities bought and sold in a period, with fees and tax, by market and owner of the trades.
import type { Asset, InstrumentSymbol } from '../../domain/instrument.ts';
import {
  type Amount,
  add,
  addValue,
  NO_AMOUNT,
  NO_VALUE,
  negate,
  negateValue,
  type Value,
} from '../../ledger/amount.ts';
import type { BookableFill, FillOrigin } from '../../ledger/fill-entries.ts';
import { feeValue } from '../../ledger/pnl.ts';
import { type Calendar, dayText, monthsLater, monthText, type Period } from './local-time.ts';
import type { Movement } from './movement.ts';
import { taxInside } from './rounding.ts';

export interface TradeSum {
  readonly symbol: InstrumentSymbol;
  readonly base: Asset;
  readonly quote: Asset;
  readonly origin: FillOrigin;
  readonly trades: number;
  /** Quantities in base, and the quote traded for them, as stated by the exchange. */
  readonly bought: Amount;
  readonly boughtFor: Amount;
  readonly sold: Amount;
  readonly soldFor: Amount;
  /** In quote; fees taken in base are valued at the trade's price. */
  readonly fees: Value;
  /** The tax included in these fees, by the configured ratio. */
  readonly feesTax: Value;
  /** Fees taken in a third asset: in no sum above. */
  readonly otherFees: readonly { readonly asset: Asset; readonly amount: Amount }[];
  /** Withheld from proceeds, in quote. */
  readonly tax: Amount;
}

/** Ratio of the tax included in a fee to the rest of the fee; zero if fees include none. */
export type FeeTaxRatio = (symbol: InstrumentSymbol) => Amount;

interface Sum extends Omit<TradeSum, 'otherFees' | 'feesTax'> {
  readonly otherFees: Map<Asset, Amount>;
}

/** Sums movements of one period. Reversals count negative. */
export function tradeSums(movements: readonly Movement[], ratioOf: FeeTaxRatio): readonly TradeSum[] {
  const sums = new Map<string, Sum>();
  for (const { trade, takesBack } of movements) {
    if (trade === null) continue;
    const key = `${trade.fill.symbol} ${trade.origin}`;
    sums.set(key, plus(sums.get(key) ?? emptySum(trade.fill, trade.origin), trade.fill, takesBack));
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { otherFees, ...sum }]) => ({
      ...sum,
      feesTax: taxInside(sum.fees, ratioOf(sum.symbol)),
      otherFees: [...otherFees]
        .map(([asset, amount]) => ({ asset, amount }))
        .filter(({ amount }) => amount !== NO_AMOUNT),
    }));
}

function emptySum({ symbol, base, quote }: BookableFill, origin: FillOrigin): Sum {
  const none = { bought: NO_AMOUNT, boughtFor: NO_AMOUNT, sold: NO_AMOUNT, soldFor: NO_AMOUNT, tax: NO_AMOUNT };
  return { symbol, base, quote, origin, trades: 0, ...none, fees: NO_VALUE, otherFees: new Map() };
}

function plus(sum: Sum, fill: BookableFill, takesBack: boolean): Sum {
  const signed = (amount: Amount): Amount => (takesBack ? negate(amount) : amount);
  const onSide = (side: 'buy' | 'sell', amount: Amount): Amount => (fill.side === side ? signed(amount) : NO_AMOUNT);
  const fee = feeValue(fill);
  const { commission, commissionAsset, quantity, quoteQuantity, tds } = fill;
  const otherFees = new Map(sum.otherFees);
  if (fee === null)
    otherFees.set(commissionAsset, add(otherFees.get(commissionAsset) ?? NO_AMOUNT, signed(commission)));
  return {
    ...sum,
    trades: sum.trades + (takesBack ? -1 : 1),
    bought: add(sum.bought, onSide('buy', quantity)),
    boughtFor: add(sum.boughtFor, onSide('buy', quoteQuantity)),
    sold: add(sum.sold, onSide('sell', quantity)),
    soldFor: add(sum.soldFor, onSide('sell', quoteQuantity)),
    fees: fee === null ? sum.fees : addValue(sum.fees, takesBack ? negateValue(fee) : fee),
    tax: add(sum.tax, signed(tds)),
    otherFees,
  };
}

// Tax withheld from proceeds: by quarter, and by the month in which it must be deposited with the government.

export interface WithheldInMonth {
  /** `2026-04`. */
  readonly month: string;
  /** The month of the deposit, and its last day: see `dueDay`. */
  readonly depositMonth: string;
  readonly dueBy: string;
  readonly asset: Asset;
  readonly amount: Amount;
}

/** The 7th of the next month; for March, the end of the Indian financial year, 30 April. */
const DUE_DAY = 7;
const MARCH = 3;
const DUE_DAY_AFTER_MARCH = 30;

/** One row per month and asset with tax withheld or taken back. In order. */
export function withheldByMonth(movements: readonly Movement[], calendar: Calendar): readonly WithheldInMonth[] {
  const sums = new Map<string, WithheldInMonth>();
  for (const { happenedAt, changes } of movements) {
    for (const { asset, by } of withheldIn(changes)) {
      const { year, month } = calendar.dayOf(happenedAt);
      const next = monthsLater({ year, month, day: month === MARCH ? DUE_DAY_AFTER_MARCH : DUE_DAY }, 1);
      const key = `${monthText({ year, month })} ${asset}`;
      const amount = add(sums.get(key)?.amount ?? NO_AMOUNT, by);
      const about = { month: monthText({ year, month }), depositMonth: monthText(next), dueBy: dayText(next) };
      sums.set(key, { ...about, asset, amount });
    }
  }
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** One row per quarter and asset; all assets with tax withheld in any quarter. */
export function withheldByQuarter(movements: readonly Movement[], quarters: readonly Period[]) {
  const rows = movements.flatMap(({ happenedAt, changes }) =>
    withheldIn(changes).map((each) => ({ happenedAt, ...each })),
  );
  return [...Map.groupBy(rows, ({ asset }) => asset)].flatMap(([asset, own]) =>
    quarters.map((quarter) => {
      const within = own.filter(({ happenedAt: at }) => at >= quarter.from && at < quarter.to);
      return { quarter, asset, amount: within.reduce((sum, { by }) => add(sum, by), NO_AMOUNT) };
    }),
  );
}

const withheldIn = (changes: Movement['changes']): Movement['changes'] =>
  changes.filter(({ account }) => account === 'tax-withheld');
