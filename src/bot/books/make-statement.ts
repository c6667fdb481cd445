// `statement`: profit, fees, tax and holdings of a financial year or a quarter, from the journal. Reads only.
import type { Decimal } from '../../domain/decimal.ts';
import { parseSymbol } from '../../domain/instrument.ts';
import { AMOUNT_DECIMALS, type Amount, amountOf } from '../../ledger/amount.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ConfirmedDifference } from '../../trader/durable/books.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import type { CommandIo } from '../io/command-io.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import { costsIn } from '../settings/resolve.ts';
import type { Settings } from '../settings/types.ts';
import { type Column, csvLines, jsonRow } from './export-columns.ts';
import { type Calendar, calendarOf, type FinancialYear, financialYear, type Period } from './local-time.ts';
import type { UnitCosts } from './lots.ts';
import { booksOf, type RecordNamed, withJournal } from './read-journal.ts';
import { type Statement, statementOf } from './statement.ts';
import { type StatementLine, statementLines } from './statement-lines.ts';
import { statementText } from './statement-text.ts';
import type { FeeTaxRatio } from './trade-sums.ts';

export const STATEMENT_FORMATS = ['text', 'json', 'csv'] as const;

export interface StatementRequest {
  readonly year: string;
  /** 1 to 4; null for the whole year. */
  readonly quarter: number | null;
  readonly format: (typeof STATEMENT_FORMATS)[number];
  readonly clock: Clock;
}

export const STATEMENT_COLUMNS: readonly Column<StatementLine>[] = [
  { name: 'section', cell: ({ section }) => section },
  { name: 'subject', cell: ({ subject }) => subject },
  { name: 'origin', cell: ({ origin }) => origin },
  { name: 'line', cell: ({ line }) => line },
  { name: 'method', cell: ({ method }) => method },
  { name: 'asset', cell: ({ asset }) => asset },
  { name: 'amount', cell: ({ amount }) => amount },
  { name: 'exact', cell: ({ exact }) => exact },
  { name: 'note', cell: ({ note }) => note },
];

/** Returns 65 if the statement does not add up, after writing it. Throws `StartError` (64, 73, 74). */
export function makeStatement(settings: Settings, io: CommandIo, request: StatementRequest): ExitCode {
  const { year: text, quarter, format, clock } = request;
  const calendar = calendarOf(settings.statement.timeZone);
  const year = yearOf(text, settings, calendar);
  const period: Period = (quarter === null ? null : year.quarters[quarter - 1]) ?? year;
  return withJournal(settings.stateFolder, clock, (reading) => {
    const { books, ledger } = booksOf(reading);
    const quarters = period === year ? year.quarters : [period];
    const costs = costsOf(settings);
    const feeTaxRatioOf = feeTaxRatios(settings);
    const statement = statementOf(books, ledger, { period, quarters, calendar, costs, feeTaxRatioOf });
    const about: About = { settings, last: reading.last, open: reading.durable.differences.byAsset };
    io.out(rendered(statement, about, format));
    if (format === 'csv') io.err(accountLine(accountNamed(settings)));
    if (statement.check.isWhole) return EXIT.done;
    io.err('The statement does not add up: its last lines say what is missing (docs/statements.md).');
    return EXIT.unreadableData;
  });
}

function yearOf(text: string, { statement }: Settings, calendar: Calendar): FinancialYear {
  const [month = 1, day = 1] = statement.yearBegins.split('-').map(Number);
  const year = financialYear(text, { month, day }, calendar);
  if (!year.ok) throw new StartError(EXIT.usage, year.error);
  return year.value;
}

function costsOf({ statement }: Settings): UnitCosts {
  return new Map(
    Object.entries(statement.costs).flatMap(([symbol, cost]) => {
      const assets = parseSymbol(symbol);
      return assets === null ? [] : [[assets.base, { quote: assets.quote, unit: exactOf(cost) }] as const];
    }),
  );
}

const feeTaxRatios =
  (settings: Settings): FeeTaxRatio =>
  (symbol) =>
    exactOf(costsIn(settings, symbol).feeTaxRatio);

/** Throws `StartError` (78). */
export function exactOf(decimal: Decimal): Amount {
  const exact = amountOf(decimal.toDecimalPlaces(AMOUNT_DECIMALS));
  if (exact.ok) return exact.value;
  throw new StartError(EXIT.configurationInvalid, exact.error);
}

interface About {
  readonly settings: Settings;
  readonly last: RecordNamed | null;
  /** Confirmed differences between wallet and ledger that are not booked yet. */
  readonly open: ReadonlyMap<string, ConfirmedDifference>;
}

function rendered(statement: Statement, about: About, format: StatementRequest['format']): string {
  switch (format) {
    case 'csv':
      return [...csvLines(STATEMENT_COLUMNS, statementLines(statement))].join('\n');
    case 'json':
      return JSON.stringify(statementData(statement, about));
    case 'text':
      return [accountLine(accountNamed(about.settings)), ...statementText(statement), ...asOf(statement, about)].join(
        '\n',
      );
  }
}

function statementData(statement: Statement, { settings, last, open }: About): object {
  const { period, restated, check } = statement;
  return {
    ...accountNamed(settings),
    period,
    lastRecord: last,
    lines: statementLines(statement).map((line) => jsonRow(STATEMENT_COLUMNS, line)),
    restated,
    whole: check.isWhole,
    openDifferences: [...open].map(([asset, { expected, actual }]) => ({ asset, expected, actual })),
  };
}

/** Caveats: what the statement can't know yet. */
function asOf({ period: { to } }: Statement, { last, open }: About): readonly string[] {
  if (last === null) return ['The journal has no record.'];
  const until = new Date(last.wall).toISOString();
  return [
    `By the journal as it is at its record ${last.seq}, of ${until}.`,
    ...(last.wall < to ? ['The period is not over by then.'] : []),
    ...[...open].map(
      ([asset, { expected, actual }]) =>
        `The wallet was last seen with ${actual} ${asset}, and the ledger expects ${expected}: that is not booked yet.`,
    ),
  ];
}
