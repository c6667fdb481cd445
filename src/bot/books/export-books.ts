// `export`: rows from the journal of a state folder, for spreadsheets, accountants and Beancount. Reads only.
import { type Amount, add, NO_AMOUNT } from '../../ledger/amount.ts';
import type { Clock } from '../../ports/clock.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import type { CommandIo } from '../io/command-io.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import type { Settings } from '../settings/types.ts';
import { beancountLines } from './beancount.ts';
import {
  type Column,
  csvLines,
  FLOW_COLUMNS,
  type FlowRow,
  jsonRow,
  LEDGER_COLUMNS,
  type LedgerRow,
  ORDER_COLUMNS,
  TRADE_COLUMNS,
  type TradeRow,
} from './export-columns.ts';
import { differenceSentence, lineOf } from './holding-lines.ts';
import { type Calendar, calendarOf } from './local-time.ts';
import type { Movement } from './movement.ts';
import { createOrderFold } from './order-rows.ts';
import { type BooksRead, booksOf, type JournalReading, type RecordNamed, withJournal } from './read-journal.ts';
import { isWithin, type TimeRange, timeRange, type WrittenRange } from './time-range.ts';

export const EXPORTS = ['trades', 'orders', 'flows', 'ledger'] as const;
export const EXPORT_FORMATS = ['csv', 'json', 'beancount'] as const;

export interface ExportOptions extends WrittenRange {
  readonly what: (typeof EXPORTS)[number];
  readonly format: (typeof EXPORT_FORMATS)[number];
}

interface Exporting {
  readonly settings: Settings;
  readonly io: CommandIo;
  readonly options: ExportOptions;
  readonly range: TimeRange;
  readonly calendar: Calendar;
}

/** Lines per write: writing each line by itself takes longer than making it. */
const LINES_AT_ONCE = 1_000;

/**
 * Rows go to `out`, messages about them to `err`. Returns 65 if the remaining records don't add up to the ledger.
 * Throws `StartError` (64, 73, 74).
 */
export function exportBooks(settings: Settings, io: CommandIo, given: ExportOptions & { clock: Clock }): ExitCode {
  const { clock, ...options } = given;
  if (options.format === 'beancount' && options.what !== 'ledger')
    throw new StartError(
      EXIT.usage,
      `Beancount keeps double entries: it is a format of \`export ledger\`, not of ${options.what}; csv or json were ` +
        'expected.',
    );
  const calendar = calendarOf(settings.statement.timeZone);
  const exporting = { settings, io, options, calendar, range: timeRange(options, calendar) };
  return withJournal(settings.stateFolder, clock, (reading) => {
    if (options.what === 'orders') return exportOrders(exporting, reading);
    const read = booksOf(reading);
    write(exporting, rowsOf(exporting, read, reading.last));
    return warned(io, read);
  });
}

function rowsOf(exporting: Exporting, { books, ledger }: BooksRead, last: RecordNamed | null): Iterable<string> {
  const { settings, options, range, calendar } = exporting;
  const { movements } = books;
  if (options.format === 'beancount') {
    const title = accountLine(accountNamed(settings));
    return beancountLines(movements, ledger, { title, calendar, range });
  }
  const within = movements.filter(({ happenedAt }) => isWithin(happenedAt, range));
  switch (options.what) {
    case 'trades':
      return table(exporting, { columns: TRADE_COLUMNS, rows: tradeRows(within), last });
    case 'flows':
      return table(exporting, { columns: FLOW_COLUMNS, rows: flowRows(within), last });
    default:
      return table(exporting, { columns: LEDGER_COLUMNS, rows: ledgerRows(within), last });
  }
}

interface Table<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly last: RecordNamed | null;
}

const table = <Row>(exporting: Exporting, { columns, rows, last }: Table<Row>): Iterable<string> =>
  exporting.options.format === 'csv' ? csvLines(columns, rows) : jsonLines(exporting, { columns, rows, last });

/** One JSON object, one line per row. */
function* jsonLines<Row>(
  { settings, options: { what, from, to } }: Exporting,
  { columns, rows, last }: Table<Row>,
): Generator<string> {
  const head = JSON.stringify({
    ...accountNamed(settings),
    export: what,
    from: from ?? null,
    to: to ?? null,
    lastRecord: last,
  });
  yield `${head.slice(0, -1)},"rows":[`;
  for (const [index, row] of rows.entries())
    yield `${JSON.stringify(jsonRow(columns, row))}${index === rows.length - 1 ? '' : ','}`;
  yield ']}';
}

function write({ io, settings, options }: Exporting, lines: Iterable<string>): void {
  if (options.format !== 'json') io.err(accountLine(accountNamed(settings)));
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
function exportOrders(exporting: Exporting, { records, last }: JournalReading): ExitCode {
  const { io, range } = exporting;
  const fold = createOrderFold();
  let first: RecordNamed | null = null;
  for (const record of records()) {
    first ??= record;
    fold.take(record);
  }
  const rows = fold.rows().filter(({ sentAt }) => isWithin(sentAt, range));
  write(exporting, table(exporting, { columns: ORDER_COLUMNS, rows, last }));
  if (first !== null && first.seq > 1)
    io.err(
      `Orders are told from record ${first.seq} on, of ${new Date(first.wall).toISOString()}: ` +
        'older records have left the journal and its archive.',
    );
  return EXIT.done;
}

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

const ledgerRows = (movements: readonly Movement[]): readonly LedgerRow[] =>
  movements.flatMap((movement) => movement.changes.map((change) => ({ movement, change })));
