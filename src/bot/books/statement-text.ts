// A statement for people: a block per market and owner of the trades, then coins, tax, holdings, and the check.
import { METHODS, type Statement } from './statement.ts';
import { type StatementLine, statementLines } from './statement-lines.ts';

const WHOSE: Readonly<Record<'bot' | 'owner' | 'simple', string>> = {
  bot: 'the bot',
  owner: 'by hand, not the bot',
  simple: 'simple buys and sells, not the bot',
};

const WIDTH = 34;
const COLUMN = 22;
const row = (label: string, ...cells: readonly string[]): string =>
  `  ${label.padEnd(WIDTH)}${cells.map((cell) => cell.padStart(COLUMN)).join('')}`.trimEnd();
const money = ({ amount, asset }: StatementLine): string => (asset === null ? amount : `${amount} ${asset}`);
const exact = ({ exact: text, asset }: StatementLine): string => `${text} ${asset ?? ''}`;
/** The name in CSV and JSON, explained in docs/statements.md. */
const labelOf = ({ line }: StatementLine): string => line.replaceAll('_', ' ');

export function statementText(statement: Statement): readonly string[] {
  const { period, restated } = statement;
  const lines = statementLines(statement);
  const of = (section: StatementLine['section']): readonly StatementLine[] =>
    lines.filter((line) => line.section === section);
  return [
    `Statement of ${period.name}: ${period.firstDay} to ${period.lastDay}, ${period.timeZone}.`,
    ...(of('trades').length + of('profit').length === 0 ? ['', 'Nothing was traded.'] : []),
    ...marketBlocks([...of('trades'), ...of('profit')]),
    ...block(
      'Tax withheld, by quarter',
      of('tax_by_quarter').map((line) => row(line.subject, money(line))),
    ),
    ...block(
      'Tax withheld, by the month of its deposit',
      of('tax_by_deposit_month').map((line) => `${row(line.subject, money(line))}  ${line.note ?? ''}`),
    ),
    ...coinBlocks(of('coins')),
    ...[...Map.groupBy(of('holdings'), ({ subject }) => subject)].flatMap(([asset, held]) =>
      block(
        `${asset} in the wallet, by the ledger`,
        held.map((line) => row(labelOf(line), exact(line))),
      ),
    ),
    ...block(
      'Restated after they were booked',
      restated.map(({ symbol, tradeId, happenedAt, restatedAt, event }) => {
        const [traded, changed] = [happenedAt, restatedAt].map((at) => new Date(at).toISOString());
        const what = event === 'fill-reversed' ? 'taken back' : 'corrected';
        return `  trade ${tradeId} of ${symbol}, of ${traded}, was ${what} at ${changed}.`;
      }),
    ),
    ...unknownCosts(lines),
    '',
    ...checkSentences(statement, of('check')),
  ];
}

const block = (title: string, rows: readonly string[]): readonly string[] =>
  rows.length === 0 ? [] : ['', title, ...rows];

function unknownCosts(lines: readonly StatementLine[]): readonly string[] {
  const isUnknown = lines.some(({ line, exact: text }) => line === 'unknown_cost_quantity' && text !== '0');
  if (!isUnknown) return [];
  return [
    '',
    'Coins that came without a price (opening balances, deposits) have no known cost: their sales are in no profit.',
    '`statement.costs` in the configuration says what it cost.',
  ];
}

/** Groups trades and profit by market and owner; the bot's come first. */
function marketBlocks(lines: readonly StatementLine[]): readonly string[] {
  const ranked = Object.keys(WHOSE).flatMap((whose) => lines.filter(({ origin }) => origin === whose));
  const blocks = Map.groupBy(ranked, ({ subject, origin }) => `${subject}, ${WHOSE[origin ?? 'bot']}`);
  return [...blocks].flatMap(([title, own]) => {
    if (own.every((line) => line.exact === '0')) return [];
    const count = own.find(({ line }) => line === 'trades')?.amount ?? '0';
    const trades = own.filter(({ section, line }) => section === 'trades' && line !== 'trades');
    const profit = own.filter(({ section }) => section === 'profit');
    const isSold = profit.some(({ line, exact: text }) => /proceeds/.test(line) && text !== '0');
    return block(`${title}: ${count} ${count === '1' ? 'trade' : 'trades'}`, [
      ...trades.map((line) => row(labelOf(line), money(line))),
      ...(isSold ? methodTable(profit) : []),
    ]);
  });
}

const coinBlocks = (lines: readonly StatementLine[]): readonly string[] =>
  [...Map.groupBy(lines, ({ subject }) => subject)].flatMap(([asset, own]) =>
    block(`${asset} that is held, and what it cost`, [
      ...methodTable(own.filter(({ method }) => method !== null)),
      ...own.filter(({ method }) => method === null).map((line) => row(labelOf(line), exact(line))),
    ]),
  );

const MAY_BE_LEFT_OUT = /unknown_cost|^unsold/;

/** One column per method. */
function methodTable(lines: readonly StatementLine[]): readonly string[] {
  const names = Object.keys(METHODS);
  const rows = Map.groupBy(lines, ({ line, asset }) => `${line} ${asset}`);
  const cells = [...rows.values()].flatMap((own) => {
    const [first] = own;
    if (first === undefined || (MAY_BE_LEFT_OUT.test(first.line) && own.every((each) => each.exact === '0'))) return [];
    const byMethod = names.map((name) => own.find(({ method }) => method === name));
    return [row(labelOf(first), ...byMethod.map((line) => (line ? money(line) : '')))];
  });
  return cells.length === 0 ? [] : [row('', 'FIFO', 'average cost'), ...cells];
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
