// The statement of a period: profit, fees, tax, holdings, and whether it all adds up.
import type { Asset } from '../../domain/instrument.ts';
import {
  type Amount,
  add,
  addValue,
  asValue,
  NO_AMOUNT,
  NO_VALUE,
  subtract,
  subtractValue,
  type Value,
} from '../../ledger/amount.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { checkBooks, type HoldingChange, holdingChanges, isUnmoved } from './holding-lines.ts';
import type { Calendar, Period } from './local-time.ts';
import {
  type Disposal,
  type Lot,
  type LotRules,
  type LotsOfPeriod,
  lotEventsOf,
  lotsOfPeriod,
  settledOf,
} from './lots.ts';
import type { Movement } from './movement.ts';
import type { Books } from './read-books.ts';
import { taxFigures } from './tax.ts';
import type { TaxRules } from './tax-rules.ts';
import { type FeeTaxRatio, type TradeSum, tradeSums, withheldByMonth, withheldByQuarter } from './trade-sums.ts';

export type RealizedRow = ReturnType<typeof realizedRows>[number];
export type LotSum = ReturnType<typeof lotSum>;
export type CoinRow = ReturnType<typeof coinRows>[number];
export type Statement = ReturnType<typeof statementOf>;

export interface StatementOptions extends LotRules {
  readonly period: Period;
  /** Quarters that overlap the period. */
  readonly quarters: readonly Period[];
  readonly calendar: Calendar;
  readonly feeTaxRatioOf: FeeTaxRatio;
  /** Null: no tax is worked out. */
  readonly rules: TaxRules | null;
}

/** `ledger`: that of the whole journal; the records must add up to it. */
export function statementOf(books: Books, ledger: Ledger, options: StatementOptions) {
  const { period, quarters, calendar, method, costs, feeTaxRatioOf, rules } = options;
  const { from, to } = period;
  const { movements } = books;
  const within = movements.filter(({ happenedAt: at }) => at >= from && at < to);
  const lots = lotsOfPeriod(lotEventsOf(settledOf(movements)), { method, costs, from, to });
  const holdings = holdingChanges(movements, ledger, { from, to }).filter((each) => !isUnmoved(each));
  const coins = coinRows(lots, holdings);
  const differences = checkBooks(books, ledger);
  const isWhole =
    differences.length === 0 &&
    books.unfounded === 0 &&
    holdings.every(({ unrecorded }) => unrecorded === NO_AMOUNT) &&
    coins.every(({ unattributed }) => unattributed === NO_AMOUNT);
  const trades = tradeSums(within, feeTaxRatioOf);
  const taxByQuarter = withheldByQuarter(within, quarters);
  return {
    ...{ period, method, rules, trades },
    realized: realizedRows(lots.disposals, trades),
    coins,
    disposals: lots.disposals,
    tax: rules === null ? [] : taxFigures(taxedIn(lots, trades, taxByQuarter, rules.asset), rules),
    taxByQuarter,
    taxByMonth: rules === null ? [] : withheldByMonth(within, calendar, rules.deposit),
    holdings,
    restated: restatedIn(within),
    /** For all time, not only the period. */
    check: { isWhole, differences, unfounded: books.unfounded },
  };
}

function taxedIn(
  { disposals, closing }: LotsOfPeriod,
  trades: readonly TradeSum[],
  withheld: ReturnType<typeof withheldByQuarter>,
  money: Asset,
) {
  const fees = trades.filter(({ quote }) => quote === money).map((each) => each.fees);
  const credits = withheld.filter(({ asset }) => asset === money).map(({ amount }) => asValue(amount));
  const held = [...closing.values()].flat();
  return { disposals, held, fees: fees.reduce(addValue, NO_VALUE), withheld: credits.reduce(addValue, NO_VALUE) };
}

/** One row per market and owner with trades, or with earlier sales matched in the period. */
function realizedRows(disposals: readonly Disposal[], trades: readonly TradeSum[]) {
  const keyOf = ({ symbol, origin, quote }: Pick<Disposal, 'symbol' | 'origin' | 'quote'>): string =>
    `${symbol} ${origin} ${quote}`;
  const grouped = Map.groupBy(disposals, keyOf);
  const named = new Map([...trades, ...disposals].map((each) => [keyOf(each), each]));
  return [...named]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { symbol, origin, quote }]) => ({ symbol, origin, quote, ...realizedSum(grouped.get(key) ?? []) }));
}

/**
 * Profit of one market's and one owner's sales, before fees, in quote: of those with a known cost. Of those without
 * one, quantity and proceeds: their profit is unknown and in no sum.
 */
function realizedSum(sales: readonly Disposal[]) {
  const sum = { proceeds: NO_VALUE, cost: NO_VALUE, unknownQuantity: NO_AMOUNT, unknownProceeds: NO_VALUE };
  for (const { quantity, proceeds, cost } of sales) {
    if (cost === null) {
      sum.unknownQuantity = add(sum.unknownQuantity, quantity);
      sum.unknownProceeds = addValue(sum.unknownProceeds, proceeds);
    } else {
      sum.proceeds = addValue(sum.proceeds, proceeds);
      sum.cost = addValue(sum.cost, cost);
    }
  }
  return { ...sum, profit: subtractValue(sum.proceeds, sum.cost) };
}

function coinRows({ opening, unsold, closing }: LotsOfPeriod, holdings: readonly HoldingChange[]) {
  const assets = [...new Set([...opening.keys(), ...closing.keys()])].sort();
  return assets.map((asset) => {
    const closes = lotSum(closing.get(asset) ?? []);
    const left = unsold.filter((each) => each.asset === asset);
    const held = holdings.find((each) => each.asset === asset)?.closing ?? NO_AMOUNT;
    return {
      asset,
      opening: lotSum(opening.get(asset) ?? []),
      /** Coins that left without proceeds (withdrawn, paid as a fee), or for other money than they cost. */
      unsold: lotSum(left.map(({ quantity, cost }) => ({ quantity, price: cost }))),
      closing: closes,
      /** What the wallet holds beyond all lots; should be zero. */
      unattributed: subtract(held, closes.quantity),
    };
  });
}

/** Quantity and cost of a coin held: the part with a known cost, by the asset that it was paid in, and the rest. */
function lotSum(lots: readonly Pick<Lot, 'quantity' | 'price'>[]) {
  const known = new Map<Asset, { quote: Asset; quantity: Amount; cost: Value }>();
  let quantity = NO_AMOUNT;
  let unknown = NO_AMOUNT;
  for (const lot of lots) {
    quantity = add(quantity, lot.quantity);
    if (lot.price === null) unknown = add(unknown, lot.quantity);
    else {
      const { quote, value } = lot.price;
      // Owed coins were paid for already: subtracted from those held.
      const cost = lot.quantity < 0n ? subtractValue(NO_VALUE, value) : value;
      const sum = known.get(quote) ?? { quote, quantity: NO_AMOUNT, cost: NO_VALUE };
      known.set(quote, { quote, quantity: add(sum.quantity, lot.quantity), cost: addValue(sum.cost, cost) });
    }
  }
  return { quantity, known: [...known.values()], unknown };
}

/** The period's executions that were corrected or taken back after they were booked. */
function restatedIn(movements: readonly Movement[]) {
  return movements.flatMap(({ takesBack, trade, event, happenedAt, bookedAt }) =>
    takesBack && trade !== null
      ? [{ symbol: trade.fill.symbol, tradeId: trade.fill.tradeId, event, happenedAt, restatedAt: bookedAt }]
      : [],
  );
}
