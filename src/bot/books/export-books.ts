// `export`: rows from the journal of a state folder, for spreadsheets, accountants and Beancount. Reads only.
import { timeText } from '../../domain/time-text.ts';
import { type Amount, add, NO_AMOUNT } from '../../ledger/amount.ts';
import type { Clock } from '../../ports/clock.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import type { CommandIo } from '../io/command-io.ts';
import { accountLine, accountNamed, accountTitle } from '../keys/account-named.ts';
import type { Settings } from '../settings/types.ts';
import { beancountLines } from './beancount.ts';
import { beancountLotLines } from './beancount-lots.ts';
import {
  type Column,
  csvLines,
  FLOW_COLUMNS,
  type FlowRow,
  jsonRow,
  LEDGER_COLUMNS,
  type LedgerRow,
  LOT_COLUMNS,
  ORDER_COLUMNS,
  TRADE_COLUMNS,
  type TradeRow,
} from './export-columns.ts';
import { differenceSentence, lineOf } from './holding-lines.ts';
import { datesOf } from './local-time.ts';
import { lotEventsOf, lotsOfPeriod, settledOf } from './lots.ts';
import { lotRulesOf } from './make-statement.ts';
import type { Movement } from './movement.ts';
import { orderRows } from './order-rows.ts';
import { type BooksRead, booksOf, type RecordNamed, withJournalOf } from './read-journal.ts';
import { isWithin, type TimeRange, timeRange, type WrittenRange } from './time-range.ts';

export const EXPORTS = ['trades', 'orders', 'flows', 'ledger', 'lots'] as const;
export const EXPORT_FORMATS = ['csv', 'json', 'beancount'] as const;

export interface ExportOptions extends WrittenRange {
  readonly what: (typeof EXPORTS)[number];
  readonly format: (typeof EXPORT_FORMATS)[number];
}

/** Lines per write: writing each line by itself takes longer than making it. */
const LINES_AT_ONCE = 1_000;

/**
 * Rows go to `out`, messages about them to `err`. Returns 65 if the remaining records don't add up to the ledger.
 * Throws `StartError` (64, 73, 74).
 */
export function exportBooks(settings: Settings, io: CommandIo, given: ExportOptions & { clock: Clock }): ExitCode {
  const { clock, ...options } = given;
  const { what, format } = options;
  if (format === 'beancount' && what !== 'ledger' && what !== 'lots')
    throw new StartError(
      EXIT.usage,
      `Beancount keeps double entries: it is a format of \`export ledger\` and \`export lots\`, not of ${what}; csv ` +
        'or json were expected.',
    );
  const dates = datesOf(settings.statement);
  const { calendar } = dates;
  const range = timeRange(options, calendar);
  const about = accountNamed(settings);
  const write = (lines: Iterable<string>): void => {
    if (format !== 'json') io.err(accountLine(about));
    writeLines(io, lines);
  };
  return withJournalOf(settings, { environment: io.environment, clock }, (reading) => {
    const tableOf = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Iterable<string> => {
      if (format === 'csv') return csvLines(columns, rows, dates);
      const { from = null, to = null } = options;
      const head = { ...about, export: what, from, to, lastRecord: reading.last };
      return jsonLines(head, rows, (row) => jsonRow(columns, row, dates));
    };
    if (what === 'orders') {
      const { rows, first } = orderRows(reading.records());
      write(
        tableOf(
          ORDER_COLUMNS,
          rows.filter(({ sentAt }) => isWithin(sentAt, range)),
        ),
      );
      if (first !== null && first.seq > 1) io.err(ordersFrom(first));
      return EXIT.done;
    }
    const read = booksOf(reading);
    const { movements } = read.books;
    const within = movements.filter(({ happenedAt }) => isWithin(happenedAt, range));
    const title = accountTitle(about);
    if (format === 'beancount' && what === 'lots')
      write(beancountLotLines(movements, read.ledger, { title, calendar, range, ...lotRulesOf(settings) }));
    else if (format === 'beancount') write(beancountLines(movements, read.ledger, { title, calendar, range }));
    else if (what === 'trades') write(tableOf(TRADE_COLUMNS, tradeRows(within)));
    else if (what === 'lots') write(tableOf(LOT_COLUMNS, disposalsIn(movements, range, settings)));
    else if (what === 'flows') write(tableOf(FLOW_COLUMNS, flowRows(within)));
    else write(tableOf(LEDGER_COLUMNS, ledgerRows(within)));
    return warned(io, read);
  });
}

/** One JSON object, one line per row. */
function* jsonLines<Row>(head: object, rows: readonly Row[], rowOf: (row: Row) => object): Generator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
  for (const [index, row] of rows.entries())
    yield `${JSON.stringify(rowOf(row))}${index === rows.length - 1 ? '' : ','}`;
  yield ']}';
}

function writeLines(io: CommandIo, lines: Iterable<string>): void {
  let waiting: string[] = [];
  for (const line of lines) {
    waiting.push(line);
    if (waiting.length < LINES_AT_ONCE) continue;
    io.out(waiting.join('\n'));
    waiting = [];
  }
  if (waiting.length > 0) io.out(waiting.join('\n'));
}

/** Reports what is missing and returns the exit code. */
function warned(io: CommandIo, { books, differences }: BooksRead): ExitCode {
  if (differences.length === 0 && books.unfounded === 0) return EXIT.done;
  const [first] = books.movements;
  const since = first === undefined ? 'There are none.' : `The first is record ${first.seq}.`;
  const unfounded = `${books.unfounded} corrections are of executions that no record books, and are left out.`;
  io.err(
    [
      `Records are missing: those that are left do not give the ledger. ${since}`,
      ...differences.map(differenceSentence),
      ...(books.unfounded === 0 ? [] : [unfounded]),
    ].join('\n'),
  );
  return EXIT.unreadableData;
}

/** Orders are not part of the books: old ones get dropped, so it states where the records begin. */
const ordersFrom = ({ seq, wall }: RecordNamed): string =>
  `Orders are listed from record ${seq} on, of ${timeText(wall)}: ` +
  'older records have left the journal and its archive.';

// Which movements each export shows: executions are trades, all other wallet changes are flows, the ledger has both.

const tradeRows = (movements: readonly Movement[]): readonly TradeRow[] =>
  movements.flatMap((movement) => (movement.trade === null ? [] : [{ ...movement, trade: movement.trade }]));

function flowRows(movements: readonly Movement[]): readonly FlowRow[] {
  return movements.flatMap((movement) => {
    if (movement.trade !== null) return [];
    return [...Map.groupBy(movement.changes, ({ asset }) => asset)].map(([asset, changes]) => {
      const sumOf = (account: string): Amount =>
        changes.filter((each) => each.account === account).reduce((sum, { by }) => add(sum, by), NO_AMOUNT);
      const lines = changes.map(({ account }) => lineOf(movement, account)).filter((line) => line !== null);
      const kind = lines.find((line) => line !== 'transfer-fees') ?? 'transfer-fees';
      return { movement, kind, asset, walletChange: sumOf('wallet'), fee: sumOf('fees') };
    });
  });
}

const disposalsIn = (movements: readonly Movement[], { from, to }: TimeRange, settings: Settings) =>
  lotsOfPeriod(lotEventsOf(settledOf(movements)), {
    ...lotRulesOf(settings),
    ...{ from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY },
  }).disposals;

const ledgerRows = (movements: readonly Movement[]): readonly LedgerRow[] =>
  movements.flatMap((movement) => movement.changes.map((change) => ({ movement, change })));
