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
import type { Method } from './lots.ts';
import { ORIGINS } from './movement.ts';
import { shownValue } from './rounding.ts';
import type { CoinRow, LotSum, RealizedRow, Statement } from './statement.ts';
import type { TaxRules } from './tax-rules.ts';
import type { TradeSum } from './trade-sums.ts';

export const SECTIONS = [
  'trades',
  'profit',
  'tax',
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
  /** The law that makes the figure, as the file of tax rules names it. */
  readonly rule: string | null;
}

type Named = Pick<StatementLine, 'section' | 'subject'> &
  Partial<Pick<StatementLine, 'origin' | 'method' | 'note' | 'rule'>>;
type Figure = (line: string, asset: Asset, value: Value) => StatementLine;

const named = (about: Named) => ({ origin: null, method: null, note: null, rule: null, ...about });
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
  const { period, method, rules, trades, realized, tax, coins, taxByQuarter, taxByMonth } = statement;
  const rule = rules?.withheld.rule ?? null;
  const withheld = (about: Named, asset: Asset, amount: Amount): StatementLine =>
    figuresOf(about)('tax_withheld', asset, asValue(amount));
  return [
    ...trades.flatMap((sum) => tradeLines(sum, rules)),
    ...realized.flatMap((row) => profitLines(row, trades, method)),
    ...tax.map(({ line, asset, value, ...why }) =>
      figuresOf({ section: 'tax', subject: period.name, ...why })(line, asset, value),
    ),
    ...coins.flatMap((row) => coinLines(row, method)),
    ...taxByQuarter.map(({ quarter, asset, amount }) =>
      withheld({ section: 'tax_by_quarter', subject: quarter.name, rule }, asset, amount),
    ),
    ...taxByMonth.map(({ month, depositMonth, dueBy, asset, amount }) => {
      const note = `withheld in ${month}, due by ${dueBy}`;
      const about = { section: 'tax_by_deposit_month', subject: depositMonth, note } as const;
      return withheld({ ...about, rule: rules?.deposit.rule ?? null }, asset, amount);
    }),
    ...holdingLines(statement),
    ...checkLines(statement),
  ];
}

function tradeLines(sum: TradeSum, rules: TaxRules | null): readonly StatementLine[] {
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
    figuresOf({ ...about, rule: rules?.withheld.rule ?? null })('tax_withheld', quote, sum.tax),
  ];
}

function profitLines(row: RealizedRow, trades: readonly TradeSum[], method: Method): readonly StatementLine[] {
  const { symbol: subject, origin, quote, proceeds, cost, profit, unknownQuantity, unknownProceeds } = row;
  const traded = trades.find((each) => each.symbol === row.symbol && each.origin === origin);
  const [base = subject] = subject.split('/');
  const figure = figuresOf({ section: 'profit', subject, origin: ORIGINS[origin], method });
  return [
    figure('proceeds', quote, proceeds),
    figure('cost', quote, cost),
    figure('profit', quote, profit),
    figure('profit_after_fees', quote, subtractValue(profit, traded?.fees ?? NO_VALUE)),
    figure('unknown_cost_quantity', base, asValue(unknownQuantity)),
    figure('unknown_cost_proceeds', quote, unknownProceeds),
  ];
}

function coinLines(row: CoinRow, method: Method): readonly StatementLine[] {
  const { asset, unattributed } = row;
  const figure = figuresOf({ section: 'coins', subject: asset, method });
  const of = (when: 'opening' | 'unsold' | 'closing'): readonly StatementLine[] => {
    const { quantity, known, unknown }: LotSum = row[when];
    return [
      figure(`${when}_quantity`, asset, asValue(quantity)),
      ...known.map(({ quote, cost }) => figure(`${when}_cost`, quote, cost)),
      figure(`${when}_unknown_cost_quantity`, asset, asValue(unknown)),
    ];
  };
  return [
    ...(['opening', 'unsold', 'closing'] as const).flatMap(of),
    ...(unattributed === NO_AMOUNT ? [] : [figure('unattributed', asset, asValue(unattributed))]),
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
