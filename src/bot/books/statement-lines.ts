// A statement as one list of named figures, rounded and exact: the source of its text, CSV and JSON.
import type { Asset } from '../../domain/instrument.ts';
import {
  type Amount,
  asValue,
  NO_AMOUNT,
  NO_VALUE,
  subtract,
  subtractValue,
  type Value,
  valueText,
} from '../../ledger/amount.ts';
import { differenceSentence } from './holding-lines.ts';
import { ORIGINS } from './movement.ts';
import { shownValue } from './rounding.ts';
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
type Figure = (line: string, asset: Asset, value: Value) => StatementLine;

const named = (about: Named) => ({ origin: null, method: null, note: null, ...about });
const figuresOf =
  (about: Named): Figure =>
  (line, asset, value) => ({
    ...named(about),
    ...{ line, asset, amount: shownValue(value, asset), exact: valueText(value) },
  });
const fact = (about: Named, line: string, text: string): StatementLine => ({
  ...named(about),
  ...{ line, asset: null, amount: text, exact: text },
});

export function statementLines(statement: Statement): readonly StatementLine[] {
  const { trades, realized, coins, taxByQuarter, taxByMonth } = statement;
  const withheld = (about: Named, asset: Asset, amount: Amount): StatementLine =>
    figuresOf(about)('tax_withheld', asset, asValue(amount));
  return [
    ...trades.flatMap(tradeLines),
    ...realized.flatMap((row) => profitLines(row, trades)),
    ...coins.flatMap(coinLines),
    ...taxByQuarter.map(({ quarter, asset, amount }) =>
      withheld({ section: 'tax_by_quarter', subject: quarter.name }, asset, amount),
    ),
    ...taxByMonth.map(({ month, depositMonth, dueBy, asset, amount }) => {
      const note = `withheld in ${month}, due by ${dueBy}`;
      return withheld({ section: 'tax_by_deposit_month', subject: depositMonth, note }, asset, amount);
    }),
    ...holdingLines(statement),
    ...checkLines(statement),
  ];
}

function tradeLines(sum: TradeSum): readonly StatementLine[] {
  const { symbol: subject, base, quote } = sum;
  const about = { section: 'trades', subject, origin: ORIGINS[sum.origin] } as const;
  const figure = figuresOf(about);
  return [
    fact(about, 'trades', String(sum.trades)),
    figure('bought', base, asValue(sum.bought)),
    figure('bought_for', quote, asValue(sum.boughtFor)),
    figure('sold', base, asValue(sum.sold)),
    figure('sold_for', quote, asValue(sum.soldFor)),
    figure('fees', quote, sum.fees),
    figure('fees_tax', quote, sum.feesTax),
    ...sum.otherFees.map(({ asset, amount }) => figure('fees_other', asset, asValue(amount))),
    figure('tax_withheld', quote, sum.tax),
  ];
}

function profitLines(row: RealizedRow, trades: readonly TradeSum[]): readonly StatementLine[] {
  const { symbol: subject, origin, quote } = row;
  const traded = trades.find((each) => each.symbol === row.symbol && each.origin === origin);
  const [base = subject] = subject.split('/');
  return METHOD_NAMES.flatMap((method) => {
    const figure = figuresOf({ section: 'profit', subject, origin: ORIGINS[origin], method });
    const { proceeds, cost, profit, unknownQuantity, unknownProceeds } = row.by[method];
    return [
      figure('proceeds', quote, proceeds),
      figure('cost', quote, cost),
      figure('profit', quote, profit),
      figure('profit_after_fees', quote, subtractValue(profit, traded?.fees ?? NO_VALUE)),
      figure('unknown_cost_quantity', base, asValue(unknownQuantity)),
      figure('unknown_cost_proceeds', quote, unknownProceeds),
    ];
  });
}

function coinLines({ asset, opening, unsold, closing, unattributed }: CoinRow): readonly StatementLine[] {
  const about = { section: 'coins', subject: asset } as const;
  const of = (method: Method, when: string, { quantity, known, unknown }: LotSum): readonly StatementLine[] => {
    const figure = figuresOf({ ...about, method });
    return [
      figure(`${when}_quantity`, asset, asValue(quantity)),
      ...known.map(({ quote, cost }) => figure(`${when}_cost`, quote, cost)),
      figure(`${when}_unknown_cost_quantity`, asset, asValue(unknown)),
    ];
  };
  return [
    ...METHOD_NAMES.flatMap((method) => [
      ...of(method, 'opening', opening[method]),
      ...of(method, 'unsold', unsold[method]),
      ...of(method, 'closing', closing[method]),
    ]),
    ...(unattributed === NO_AMOUNT ? [] : [figuresOf(about)('unattributed', asset, asValue(unattributed))]),
  ];
}

function holdingLines({ holdings }: Statement): readonly StatementLine[] {
  return holdings.flatMap(({ asset, opening, lines, unrecorded, closing }) => {
    const figure = figuresOf({ section: 'holdings', subject: asset });
    const all: readonly (readonly [string, Amount])[] = [
      ['opening', opening],
      ...lines,
      ...(unrecorded === NO_AMOUNT ? [] : [['unrecorded', unrecorded] as const]),
      ['closing', closing],
    ];
    return all.map(([line, amount]) => figure(line.replaceAll('-', '_'), asset, asValue(amount)));
  });
}

function checkLines({ check: { isWhole, differences, unfounded } }: Statement): readonly StatementLine[] {
  const about = { section: 'check', subject: 'books' } as const;
  return [
    fact(about, 'whole', isWhole ? 'yes' : 'no'),
    ...differences.map((difference) => {
      const { asset, account, recorded, ledger } = difference;
      const figure = figuresOf({ section: 'check', subject: asset, note: differenceSentence(difference) });
      return figure(`missing in ${account}`, asset, asValue(subtract(ledger, recorded)));
    }),
    ...(unfounded === 0 ? [] : [fact(about, 'unfounded_corrections', String(unfounded))]),
  ];
}
