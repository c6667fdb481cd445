// A statement for people: a block per market and owner of the trades, then tax, coins, holdings, disposals, the check.
import { grouped } from '../../domain/decimal.ts';
import { timeText } from '../../domain/time-text.ts';
import { amountText, type Value } from '../../ledger/amount.ts';
import { inColumns } from '../base/columns.ts';
import { type Dates, dayText } from './local-time.ts';
import type { Disposal, Method } from './lots.ts';
import { shownValue } from './rounding.ts';
import type { Statement } from './statement.ts';
import { type StatementLine, statementLines } from './statement-lines.ts';
import { incomeOf, lossOf } from './tax.ts';

const WHOSE: Readonly<Record<'bot' | 'owner' | 'simple', string>> = {
  bot: 'the bot',
  owner: 'by hand, not the bot',
  simple: 'simple buys and sells, not the bot',
};

const METHOD_WORDS: Readonly<Record<Method, string>> = {
  fifo: 'FIFO',
  lifo: 'LIFO',
  hifo: 'HIFO',
  average: 'average cost',
};

/** Label, amount, and what there is to say about it: in columns of the whole statement. */
type Row = readonly [label: string, amount: string, note: string];
type Block = readonly (string | Row)[];

const money = ({ amount, asset }: StatementLine): string => (asset === null ? amount : `${grouped(amount)} ${asset}`);
const exact = ({ exact: text, asset }: StatementLine): string => `${grouped(text)} ${asset ?? ''}`;
/** The name in CSV and JSON, explained in docs/statements.md. */
const labelOf = ({ line }: StatementLine): string => line.replaceAll('_', ' ');
const noteOf = ({ note, rule }: StatementLine): string => [note, rule].filter((part) => part !== null).join('; ');
const rowOf = (line: StatementLine): Row => [labelOf(line), money(line), noteOf(line)];

export function statementText(statement: Statement, dates: Dates): readonly string[] {
  const { period, method, rules } = statement;
  const lines = statementLines(statement);
  const of = (section: StatementLine['section']): readonly StatementLine[] =>
    lines.filter((line) => line.section === section);
  const by = `by ${METHOD_WORDS[method]}`;
  const compare = rules === null ? '' : `, to compare with ${rules.withheld.statement}`;
  const traded = [...of('trades'), ...of('profit')];
  return inOneTable([
    `Statement of ${period.name}: ${period.firstDay} to ${period.lastDay}, ${period.timeZone}, ${by}.`,
    ...(traded.length === 0 ? ['', 'Nothing was traded.'] : marketBlocks(traded)),
    ...block('Tax on transfers, without a surcharge, which depends on all other income', of('tax').map(rowOf)),
    ...block(
      'Tax withheld, by quarter',
      of('tax_by_quarter').map((line): Row => [line.subject, money(line), noteOf(line)]),
    ),
    ...block(
      `Tax withheld, by the month of its deposit${compare}`,
      of('tax_by_deposit_month').map((line): Row => [line.subject, money(line), noteOf(line)]),
    ),
    ...[...Map.groupBy(of('coins'), ({ subject }) => subject)].flatMap(([asset, own]) =>
      block(`${asset} that is held, and what it cost, ${by}`, own.filter(isWorthARow).map(rowOf)),
    ),
    ...[...Map.groupBy(of('holdings'), ({ subject }) => subject)].flatMap(([asset, held]) =>
      block(
        `${asset} in the wallet, by the ledger`,
        held.map((line): Row => [labelOf(line), exact(line), '']),
      ),
    ),
    ...block(`Disposals, ${by}, as \`export lots\` has them to the last digit`, disposalLines(statement, dates)),
    ...block('Restated after they were booked', restatedLines(statement)),
    ...unknownCosts(lines),
    '',
    ...checkSentences(statement, of('check')),
  ]);
}

function inOneTable(parts: Block): readonly string[] {
  const table = inColumns(
    parts.filter((part) => typeof part !== 'string'),
    { right: [1] },
  );
  return parts.map((part) => (typeof part === 'string' ? part : `  ${table.shift() ?? ''}`));
}

const block = (title: string, rows: Block): Block => (rows.length === 0 ? [] : ['', title, ...rows]);

const MAY_BE_LEFT_OUT = /unknown_cost|^unsold/;
const isWorthARow = ({ line, exact: text }: StatementLine): boolean => !MAY_BE_LEFT_OUT.test(line) || text !== '0';

function disposalLines({ disposals }: Statement, { calendar }: Dates): readonly string[] {
  if (disposals.length === 0) return [];
  const day = (at: number | null): string => (at === null ? 'several' : dayText(calendar.dayOf(at)));
  const shown = (value: Value | null, { quote }: Disposal): string =>
    value === null ? 'unknown' : grouped(shownValue(value, quote));
  const rows = disposals.map((each) => [
    ...[day(each.acquiredAt), day(each.at), `${grouped(amountText(each.quantity))} ${each.asset}`],
    ...[each.cost, each.proceeds, incomeOf(each), lossOf(each)].map((value) => shown(value, each)),
    each.quote,
  ]);
  const titles = ['acquired', 'transferred', 'quantity', 'cost', 'consideration', 'income', 'loss', ''];
  return inColumns([titles, ...rows], { right: [2, 3, 4, 5, 6] }).map((line) => `  ${line}`);
}

const restatedLines = ({ restated }: Statement): readonly string[] =>
  restated.map(({ symbol, tradeId, happenedAt, restatedAt, event }) => {
    const [traded, changed] = [happenedAt, restatedAt].map(timeText);
    const what = event === 'fill-reversed' ? 'taken back' : 'corrected';
    return `  trade ${tradeId} of ${symbol}, of ${traded}, was ${what} at ${changed}.`;
  });

function unknownCosts(lines: readonly StatementLine[]): readonly string[] {
  const isUnknown = lines.some(({ line, exact: text }) => line === 'unknown_cost_quantity' && text !== '0');
  if (!isUnknown) return [];
  return [
    '',
    'Coins that came without a price (opening balances, deposits) have no known cost: their sales are in no profit.',
    '`statement.costs` in the configuration sets it.',
  ];
}

/** Groups trades and profit by market and owner; the bot's come first. */
function marketBlocks(lines: readonly StatementLine[]): Block {
  const ranked = Object.keys(WHOSE).flatMap((whose) => lines.filter(({ origin }) => origin === whose));
  const blocks = Map.groupBy(ranked, ({ subject, origin }) => `${subject}, ${WHOSE[origin ?? 'bot']}`);
  return [...blocks].flatMap(([title, own]) => {
    if (own.every((line) => line.exact === '0')) return [];
    const count = own.find(({ line }) => line === 'trades')?.amount ?? '0';
    const trades = own.filter(({ section, line }) => section === 'trades' && line !== 'trades');
    const profit = own.filter(({ section }) => section === 'profit');
    const isSold = profit.some(({ line, exact: text }) => /proceeds/.test(line) && text !== '0');
    const shown = [...trades, ...(isSold ? profit.filter(isWorthARow) : [])];
    return block(`${title}: ${count} ${count === '1' ? 'trade' : 'trades'}`, shown.map(rowOf));
  });
}

function checkSentences({ check }: Statement, lines: readonly StatementLine[]): readonly string[] {
  if (check.isWhole)
    return [
      'Check: what was held at the beginning and all that moved is what is held at the end, and that is',
      'what the ledger has, to the last digit.',
    ];
  return [
    'CHECK FAILED: this statement is not whole. Records are missing, or do not give what the ledger has.',
    ...lines.flatMap(({ note }) => (note === null ? [] : [`  ${note}`])),
  ];
}
