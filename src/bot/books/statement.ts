// The statement of a period: profit by FIFO and by average cost, fees, tax, holdings, and whether it all adds up.
import type { Asset } from '../../domain/instrument.ts';
import {
  type Amount,
  add,
  addValue,
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
  averageCost,
  fifo,
  type Holding,
  type Lot,
  type LotsOfPeriod,
  lotEventsOf,
  lotsOfPeriod,
  type Realized,
  type UnitCosts,
} from './lots.ts';
import type { Movement } from './movement.ts';
import type { Books } from './read-books.ts';
import { type FeeTaxRatio, type TradeSum, tradeSums, withheldByMonth, withheldByQuarter } from './trade-sums.ts';

export const METHODS = { fifo, average: averageCost } as const satisfies Readonly<Record<string, () => Holding>>;
export type Method = keyof typeof METHODS;
type ByMethod<T> = Readonly<Record<Method, T>>;

export type RealizedRow = ReturnType<typeof realizedRows>[number];
export type LotSum = ReturnType<typeof lotSum>;
export type CoinRow = ReturnType<typeof coinRows>[number];
export type Statement = ReturnType<typeof statementOf>;

export interface StatementOptions {
  readonly period: Period;
  /** Quarters that overlap the period. */
  readonly quarters: readonly Period[];
  readonly calendar: Calendar;
  readonly costs: UnitCosts;
  readonly feeTaxRatioOf: FeeTaxRatio;
}

/** `ledger`: that of the whole journal; the records must add up to it. */
export function statementOf(books: Books, ledger: Ledger, options: StatementOptions) {
  const { period, quarters, calendar, costs, feeTaxRatioOf } = options;
  const { from, to } = period;
  const { movements } = books;
  const within = movements.filter(({ happenedAt: at }) => at >= from && at < to);
  const events = lotEventsOf(movements);
  const lots = mapMethods((method) => lotsOfPeriod(events, { method: METHODS[method], costs, from, to }));
  const holdings = holdingChanges(movements, ledger, { from, to }).filter((each) => !isUnmoved(each));
  const coins = coinRows(lots, holdings);
  const differences = checkBooks(books, ledger);
  const isWhole =
    differences.length === 0 &&
    books.unfounded === 0 &&
    holdings.every(({ unrecorded }) => unrecorded === NO_AMOUNT) &&
    coins.every(({ unattributed }) => unattributed === NO_AMOUNT);
  const trades = tradeSums(within, feeTaxRatioOf);
  return {
    period,
    trades,
    realized: realizedRows(lots, trades),
    coins,
    taxByQuarter: withheldByQuarter(within, quarters),
    taxByMonth: withheldByMonth(within, calendar),
    holdings,
    restated: restatedIn(within),
    /** For all time, not only the period. */
    check: { isWhole, differences, unfounded: books.unfounded },
  };
}

const mapMethods = <T>(of: (method: Method) => T): ByMethod<T> => ({ fifo: of('fifo'), average: of('average') });

/** One row per market and owner with trades, or with earlier sales matched in the period. */
function realizedRows(lots: ByMethod<LotsOfPeriod>, trades: readonly TradeSum[]) {
  const keyOf = ({ symbol, origin, quote }: Pick<Realized, 'symbol' | 'origin' | 'quote'>): string =>
    `${symbol} ${origin} ${quote}`;
  const grouped = mapMethods((method) => Map.groupBy(lots[method].realized, keyOf));
  const all = [...trades, ...lots.fifo.realized, ...lots.average.realized];
  const named = new Map(all.map((each) => [keyOf(each), each]));
  return [...named]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, { symbol, origin, quote }]) => {
      const by = mapMethods((method) => realizedSum(grouped[method].get(key) ?? []));
      return { symbol, origin, quote, by };
    });
}

/**
 * Profit of one market's and one owner's sales, before fees, in quote: of those with a known cost. Of those without
 * one, quantity and proceeds: their profit is unknown and in no sum.
 */
function realizedSum(sales: readonly Realized[]) {
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

function coinRows(lots: ByMethod<LotsOfPeriod>, holdings: readonly HoldingChange[]) {
  const assets = [...new Set([...lots.fifo.opening.keys(), ...lots.fifo.closing.keys()])].sort();
  return assets.map((asset) => {
    const of = (held: (lots: LotsOfPeriod) => readonly Pick<Lot, 'quantity' | 'price'>[]): ByMethod<LotSum> =>
      mapMethods((method) => lotSum(held(lots[method])));
    const closing = of((each) => each.closing.get(asset) ?? []);
    const unsold = of((each) =>
      each.unsold.filter((left) => left.asset === asset).map(({ quantity, cost }) => ({ quantity, price: cost })),
    );
    const held = holdings.find((each) => each.asset === asset)?.closing ?? NO_AMOUNT;
    return {
      asset,
      opening: of((each) => each.opening.get(asset) ?? []),
      /** Coins that left without proceeds (withdrawn, paid as a fee), or for other money than they cost. */
      unsold,
      closing,
      /** What the wallet holds beyond all lots; should be zero. */
      unattributed: subtract(held, closing.fifo.quantity),
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
