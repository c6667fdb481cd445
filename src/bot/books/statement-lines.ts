// A statement as one list of named figures, rounded and exact: the source of its text, CSV and JSON.
import type { Asset } from '../../domain/instrument.ts';
import {
  type Amount,
  amountText,
  asValue,
  NO_AMOUNT,
  NO_VALUE,
  subtractValue,
  type Value,
  valueText,
} from '../../ledger/amount.ts';
import { differenceSentence, HOLDING_LINES } from './holding-lines.ts';
import { ORIGINS } from './movement.ts';
import { shownAmount, shownValue } from './rounding.ts';
import { type CoinRow, type LotSum, METHODS, type Method, type RealizedRow, type Statement } from './statement.ts';
import type { TradeSum } from './trade-sums.ts';

export const SECTIONS = [
  'trades',
  'profit',
  'coins',
  'tax_by_quarter',
  'tax_by_deposit_month',
  'holdings',
  'check',
] as const;
type Section = (typeof SECTIONS)[number];

export interface StatementLine {
  readonly section: Section;
  /** A market, an asset, a quarter or a month. */
  readonly subject: string;
  /**
   * The trades' owner: `bot`, `owner` (by hand), `simple` (buys and sells at the exchange's price); null for all else.
   */
  readonly origin: 'bot' | 'owner' | 'simple' | null;
  readonly line: string;
  readonly method: Method | null;
  /** The asset of the amount; null for a count. */
  readonly asset: Asset | null;
  /** For people: rounded half to even, two decimals in INR, eight otherwise. */
  readonly amount: string;
  /** All digits. */
  readonly exact: string;
  readonly note: string | null;
}

const METHOD_NAMES = Object.keys(METHODS) as Method[];

type Named = Pick<StatementLine, 'section' | 'subject'> & Partial<Pick<StatementLine, 'origin' | 'method' | 'note'>>;

const named = (about: Named) => ({ origin: null, method: null, note: null, ...about });
const ofAmount = (about: Named, line: string, { asset, amount }: { asset: Asset; amount: Amount }): StatementLine => ({
  ...named(about),
  ...{ line, asset, amount: shownAmount(amount, asset), exact: amountText(amount) },
});
const ofValue = (about: Named, line: string, { asset, value }: { asset: Asset; value: Value }): StatementLine => ({
  ...named(about),
  ...{ line, asset, amount: shownValue(value, asset), exact: valueText(value) },
});

export function statementLines(statement: Statement): readonly StatementLine[] {
  const { trades, realized, coins, taxByQuarter, taxByMonth } = statement;
  return [
    ...trades.flatMap(tradeLines),
    ...realized.flatMap((row) => profitLines(row, trades)),
    ...coins.flatMap(coinLines),
    ...taxByQuarter.map(({ quarter, asset, amount }) =>
      ofAmount({ section: 'tax_by_quarter', subject: quarter.name }, 'tax_withheld', { asset, amount }),
    ),
    ...taxByMonth.map(({ month, depositMonth, dueBy, asset, amount }) => {
      const note = `withheld in ${month}, due by ${dueBy}`;
      return ofAmount({ section: 'tax_by_deposit_month', subject: depositMonth, note }, 'tax_withheld', {
        asset,
        amount,
      });
    }),
    ...holdingLines(statement),
    ...checkLines(statement),
  ];
}

function tradeLines(sum: TradeSum): readonly StatementLine[] {
  const { symbol: subject, base, quote } = sum;
  const about = { section: 'trades', subject, origin: ORIGINS[sum.origin] } as const;
  const count = String(sum.trades);
  return [
    { ...named(about), line: 'trades', asset: null, amount: count, exact: count },
    ofAmount(about, 'bought', { asset: base, amount: sum.bought }),
    ofAmount(about, 'bought_for', { asset: quote, amount: sum.boughtFor }),
    ofAmount(about, 'sold', { asset: base, amount: sum.sold }),
    ofAmount(about, 'sold_for', { asset: quote, amount: sum.soldFor }),
    ofValue(about, 'fees', { asset: quote, value: sum.fees }),
    ofValue(about, 'fees_tax', { asset: quote, value: sum.feesTax }),
    ...sum.otherFees.map((fee) => ofAmount(about, 'fees_other', fee)),
    ofAmount(about, 'tax_withheld', { asset: quote, amount: sum.tax }),
  ];
}

function profitLines(row: RealizedRow, trades: readonly TradeSum[]): readonly StatementLine[] {
  const { symbol: subject, origin, quote } = row;
  const traded = trades.find((each) => each.symbol === row.symbol && each.origin === origin);
  const [base = subject] = subject.split('/');
  return METHOD_NAMES.flatMap((method) => {
    const about = { section: 'profit', subject, origin: ORIGINS[origin], method } as const;
    const { proceeds, cost, profit, unknownQuantity, unknownProceeds } = row.by[method];
    const money = (line: string, value: Value): StatementLine => ofValue(about, line, { asset: quote, value });
    return [
      money('proceeds', proceeds),
      money('cost', cost),
      money('profit', profit),
      money('profit_after_fees', subtractValue(profit, traded?.fees ?? NO_VALUE)),
      ofAmount(about, 'unknown_cost_quantity', { asset: base, amount: unknownQuantity }),
      money('unknown_cost_proceeds', unknownProceeds),
    ];
  });
}

function coinLines({ asset, opening, unsold, closing, unattributed }: CoinRow): readonly StatementLine[] {
  const of = (method: Method, when: string, { quantity, known, unknown }: LotSum): readonly StatementLine[] => {
    const about = { section: 'coins', subject: asset, method } as const;
    return [
      ofAmount(about, `${when}_quantity`, { asset, amount: quantity }),
      ...known.map(({ quote, cost }) => ofValue(about, `${when}_cost`, { asset: quote, value: cost })),
      ofAmount(about, `${when}_unknown_cost_quantity`, { asset, amount: unknown }),
    ];
  };
  return [
    ...METHOD_NAMES.flatMap((method) => [
      ...of(method, 'opening', opening[method]),
      ...of(method, 'unsold', unsold[method]),
      ...of(method, 'closing', closing[method]),
    ]),
    ...(unattributed === NO_AMOUNT
      ? []
      : [ofAmount({ section: 'coins', subject: asset }, 'unattributed', { asset, amount: unattributed })]),
  ];
}

function holdingLines({ holdings }: Statement): readonly StatementLine[] {
  return holdings.flatMap(({ asset, opening, lines, unrecorded, closing }) => {
    const of = (line: string, amount: Amount): StatementLine =>
      ofAmount({ section: 'holdings', subject: asset }, line, { asset, amount });
    const moved = HOLDING_LINES.flatMap((line) => {
      const amount = lines.get(line);
      return amount === undefined ? [] : [of(line.replaceAll('-', '_'), amount)];
    });
    const missing = unrecorded === NO_AMOUNT ? [] : [of('unrecorded', unrecorded)];
    return [of('opening', opening), ...moved, ...missing, of('closing', closing)];
  });
}

function checkLines({ check: { isWhole, differences, unfounded } }: Statement): readonly StatementLine[] {
  const about = named({ section: 'check', subject: 'books' });
  const fact = (line: string, text: string): StatementLine => ({
    ...about,
    line,
    asset: null,
    amount: text,
    exact: text,
  });
  return [
    fact('whole', isWhole ? 'yes' : 'no'),
    ...differences.map((difference) => {
      const { asset, account, recorded, ledger } = difference;
      const missing = subtractValue(asValue(ledger), asValue(recorded));
      const note = differenceSentence(difference);
      return ofValue({ section: 'check', subject: asset, note }, `missing in ${account}`, { asset, value: missing });
    }),
    ...(unfounded === 0 ? [] : [fact('unfounded_corrections', String(unfounded))]),
  ];
}
