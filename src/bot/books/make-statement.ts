// `statement`: profit, fees, tax and holdings of a financial year or a quarter, from the journal. Reads only.
import type { Decimal } from '../../domain/decimal.ts';
import { parseSymbol } from '../../domain/instrument.ts';
import { timeText } from '../../domain/time-text.ts';
import { AMOUNT_DECIMALS, type Amount, amountOf } from '../../ledger/amount.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ConfirmedDifference } from '../../trader/durable/books.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import type { CommandIo } from '../io/command-io.ts';
import { accountLine, accountNamed, accountTitle } from '../keys/account-named.ts';
import { costsIn } from '../settings/resolve.ts';
import type { Settings } from '../settings/types.ts';
import { type Column, csvLines, jsonRow, LOT_COLUMNS } from './export-columns.ts';
import { type Dates, datesOf, type FinancialYear, financialYear, type Period } from './local-time.ts';
import type { LotRules, UnitCosts } from './lots.ts';
import { booksOf, type RecordNamed, withJournalOf } from './read-journal.ts';
import { type Statement, statementOf } from './statement.ts';
import { type StatementLine, statementLines } from './statement-lines.ts';
import { statementText } from './statement-text.ts';
import { readTaxRules } from './tax-rules.ts';
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
  { name: 'rule', cell: ({ rule }) => rule },
];

/** Returns 65 if the statement does not add up, after writing it. Throws `StartError` (64, 73, 74, 78). */
export function makeStatement(settings: Settings, io: CommandIo, request: StatementRequest): ExitCode {
  const { year: text, quarter, format, clock } = request;
  const dates = datesOf(settings.statement);
  const year = yearOf(text, dates);
  const { taxRules } = settings.statement;
  const rules = taxRules === null ? null : readTaxRules(taxRules, text, dates.begins);
  const period: Period = (quarter === null ? null : year.quarters[quarter - 1]) ?? year;
  return withJournalOf(settings, { environment: io.environment, clock }, (reading) => {
    const { books, ledger } = booksOf(reading);
    const quarters = period === year ? year.quarters : [period];
    const feeTaxRatioOf: FeeTaxRatio = (symbol) => exactOf(costsIn(settings, symbol).feeTaxRatio);
    const options = { period, quarters, calendar: dates.calendar, feeTaxRatioOf, rules, ...lotRulesOf(settings) };
    const statement = statementOf(books, ledger, options);
    const account = accountNamed(settings);
    const { byAsset } = reading.durable.differences;
    const open = [...byAsset].map(([asset, { expected, actual }]) => ({ asset, expected, actual }));
    const caveats = asOf(period, reading.last, open);
    if (format === 'text')
      io.out([`${accountTitle(account)}.`, ...statementText(statement, dates), ...caveats].join('\n'));
    else if (format === 'csv') io.out([...csvLines(STATEMENT_COLUMNS, statementLines(statement), dates)].join('\n'));
    else
      io.out(JSON.stringify({ ...account, ...statementData(statement, dates, reading.last), openDifferences: open }));
    if (format !== 'json') io.err([accountLine(account), ...(format === 'csv' ? caveats : [])].join('\n'));
    if (statement.check.isWhole) return EXIT.done;
    io.err('The statement does not add up: its last lines say what is missing (docs/statements.md).');
    return EXIT.unreadableData;
  });
}

function yearOf(text: string, { begins, calendar }: Dates): FinancialYear {
  const year = financialYear(text, begins, calendar);
  if (!year.ok) throw new StartError(EXIT.usage, year.error);
  return year.value;
}

/** The method of the configuration, and the costs stated there. */
export function lotRulesOf({ statement }: Settings): LotRules {
  const costs: UnitCosts = new Map(
    Object.entries(statement.costs).flatMap(([symbol, cost]) => {
      const assets = parseSymbol(symbol);
      return assets === null ? [] : [[assets.base, { quote: assets.quote, unit: exactOf(cost) }] as const];
    }),
  );
  return { method: statement.method, costs };
}

/** Throws `StartError` (78). */
export function exactOf(decimal: Decimal): Amount {
  const exact = amountOf(decimal.toDecimalPlaces(AMOUNT_DECIMALS));
  if (exact.ok) return exact.value;
  throw new StartError(EXIT.configurationInvalid, exact.error);
}

function statementData(statement: Statement, dates: Dates, lastRecord: RecordNamed | null): object {
  const { period, restated, check } = statement;
  const lines = statementLines(statement).map((line) => jsonRow(STATEMENT_COLUMNS, line, dates));
  const disposals = statement.disposals.map((row) => jsonRow(LOT_COLUMNS, row, dates));
  return { period, lastRecord, lines, disposals, restated, whole: check.isWhole };
}

/** A confirmed difference between wallet and ledger that is not booked yet. */
type Open = Pick<ConfirmedDifference, 'expected' | 'actual'> & { readonly asset: string };

/** Caveats: what the statement can't know yet. */
function asOf({ to }: Period, last: RecordNamed | null, open: readonly Open[]): readonly string[] {
  if (last === null) return ['The journal has no record.'];
  return [
    `By the journal as it is at its record ${last.seq}, of ${timeText(last.wall)}.`,
    ...(last.wall < to ? ['The period is not over by then.'] : []),
    ...open.map(
      ({ asset, expected, actual }) =>
        `The wallet was last seen with ${actual} ${asset}, and the ledger expects ${expected}: that is not booked yet.`,
    ),
  ];
}
