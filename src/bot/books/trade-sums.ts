// Quantities bought and sold in a period, with fees and tax, by market and owner of the trades.
import type { InstrumentSymbol } from '../../domain/instrument.ts';
import { type Amount, add, NO_AMOUNT, negate } from '../../ledger/amount.ts';
import { bookPnl, EMPTY_PNL } from '../../ledger/pnl.ts';
import { type Calendar, dayText, monthsLater, monthText, type Period } from './local-time.ts';
import type { BookedTrade, Movement } from './movement.ts';
import { taxInside } from './rounding.ts';
import type { TaxRules } from './tax-rules.ts';

export type TradeSum = ReturnType<typeof tradeSum>;

/** Ratio of the tax included in a fee to the rest of the fee; zero if fees include none. */
export type FeeTaxRatio = (symbol: InstrumentSymbol) => Amount;

/** Sums movements of one period. Reversals count negative. */
export function tradeSums(movements: readonly Movement[], ratioOf: FeeTaxRatio): readonly TradeSum[] {
  const trades = movements.flatMap(({ trade, takesBack }) => (trade === null ? [] : [{ ...trade, takesBack }]));
  return [...Map.groupBy(trades, ({ fill, origin }) => `${fill.symbol} ${origin}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, own]) => (own[0] === undefined ? [] : [tradeSum(own, own[0], ratioOf)]));
}

type Signed = Pick<BookedTrade, 'fill' | 'origin'> & Pick<Movement, 'takesBack'>;

function tradeSum(own: readonly Signed[], { fill: { symbol, base, quote }, origin }: Signed, ratioOf: FeeTaxRatio) {
  const sum = (side: 'buy' | 'sell', of: 'quantity' | 'quoteQuantity'): Amount =>
    own
      .filter(({ fill }) => fill.side === side)
      .reduce((total, { fill, takesBack }) => add(total, takesBack ? negate(fill[of]) : fill[of]), NO_AMOUNT);
  const { fees, fills, tax, unvaluedFees } = own.reduce(
    (pnl, { fill, takesBack }) => bookPnl(pnl, { fill, mid: fill.price }, takesBack ? -1 : 1),
    EMPTY_PNL,
  );
  return {
    ...{ symbol, base, quote, origin, trades: fills },
    /** Quantities in base, and the quote traded for them, as stated by the exchange. */
    bought: sum('buy', 'quantity'),
    boughtFor: sum('buy', 'quoteQuantity'),
    sold: sum('sell', 'quantity'),
    soldFor: sum('sell', 'quoteQuantity'),
    /** In quote; fees taken in base are valued at the trade's price. */
    fees,
    /** The tax included in these fees, by the configured ratio. */
    feesTax: taxInside(fees, ratioOf(symbol)),
    /** Fees taken in a third asset: in no sum above. */
    otherFees: [...unvaluedFees].flatMap(([asset, amount]) => (amount === NO_AMOUNT ? [] : [{ asset, amount }])),
    /** Withheld from proceeds, in quote. */
    tax,
  };
}

// Tax withheld from proceeds: by quarter, and by the month in which it must be deposited with the government.

const MARCH = 3;

/** One row per month and asset with tax withheld or taken back, in order; with the last day to deposit it. */
export function withheldByMonth(movements: readonly Movement[], calendar: Calendar, deposit: TaxRules['deposit']) {
  const rows = withheldIn(movements).map((each) => ({ ...each, ...calendar.dayOf(each.happenedAt) }));
  return [...Map.groupBy(rows, ({ asset, ...day }) => `${monthText(day)} ${asset}`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([, own]) => {
      const [first] = own;
      if (first === undefined) return [];
      const { year, month, asset } = first;
      const due = monthsLater({ year, month, day: month === MARCH ? deposit.dayAfterMarch : deposit.day }, 1);
      const months = { month: monthText(first), depositMonth: monthText(due), dueBy: dayText(due) };
      return [{ ...months, asset, amount: sumOf(own) }];
    });
}

/** One row per quarter and asset; all assets with tax withheld in any quarter. */
export function withheldByQuarter(movements: readonly Movement[], quarters: readonly Period[]) {
  return [...Map.groupBy(withheldIn(movements), ({ asset }) => asset)].flatMap(([asset, own]) =>
    quarters.map((quarter) => {
      const within = own.filter(({ happenedAt: at }) => at >= quarter.from && at < quarter.to);
      return { quarter, asset, amount: sumOf(within) };
    }),
  );
}

const withheldIn = (movements: readonly Movement[]) =>
  movements.flatMap(({ happenedAt, changes }) =>
    changes.flatMap(({ asset, account, by }) => (account === 'tax-withheld' ? [{ happenedAt, asset, by }] : [])),
  );

const sumOf = (changes: readonly { readonly by: Amount }[]): Amount =>
  changes.reduce((sum, { by }) => add(sum, by), NO_AMOUNT);
