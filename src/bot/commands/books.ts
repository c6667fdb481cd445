// `export`: trades, orders, flows and the ledger as CSV, JSON or Beancount, even while the bot runs.
import { Argument, InvalidArgumentError, Option } from 'commander';
import { realClock } from '../../ports/clock.ts';
import type { EXPORT_FORMATS, EXPORTS } from '../books/export-books.ts';
import type { STATEMENT_FORMATS } from '../books/make-statement.ts';
import type { SPANS } from '../reports/report.ts';
import { ACCOUNT_CONFIG_HELP, type CommandContext, STATE_HELP } from './configuration-argument.ts';
import { forEachAccount } from './each-account.ts';

interface ExportOptions {
  readonly format: (typeof EXPORT_FORMATS)[number];
  readonly from?: string;
  readonly to?: string;
  readonly state?: string;
}

const WHAT = ['trades', 'orders', 'flows', 'ledger', 'lots'] as const satisfies typeof EXPORTS;
const FORMATS = ['csv', 'json', 'beancount'] as const satisfies typeof EXPORT_FORMATS;

export function addExport({ program, io, finish }: CommandContext): void {
  program
    .command('export')
    .summary('trades, orders, flows, lots or the ledger, as CSV, JSON or Beancount')
    .description(
      'Writes what the journal of the state folder holds to standard output: executions (trades), all else that ' +
        'moved money (flows), the double entries of both (ledger), sales with what they cost (lots), or orders. ' +
        'Reads only, from a copy: it works while the bot runs and after it has ended. Amounts are exact, times in ' +
        'UTC with the local day beside them. docs/statements.md says what each column means. Ends with 65 where ' +
        'records are missing, with 73 where there is no journal, or one of a newer program, with 74 where it is ' +
        'damaged.',
    )
    .addArgument(new Argument('<what>', 'what to export').choices(WHAT))
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .addOption(
      new Option('--format <format>', 'of what is written; beancount only of the ledger and lots')
        .choices(FORMATS)
        .default('csv'),
    )
    .option('--from <time>', 'leave out what happened before: a day (2026-04-01) or a moment (2026-04-01T00:00:00Z)')
    .option('--to <time>', 'leave out what happened after this day, or from this moment on')
    .option('--state <folder>', STATE_HELP)
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  quotekeeper export trades config/live.yaml --from 2026-04-01 --to 2026-04-30 > trades.csv\n' +
        '  quotekeeper export ledger config/live.yaml --format beancount > books.beancount',
    )
    .action(
      async (what: (typeof EXPORTS)[number], files: string[], { format, from, to, ...overrides }: ExportOptions) => {
        const { exportBooks } = await import('../books/export-books.ts');
        const form = format === 'beancount' ? null : format;
        const asked = { command: `export ${what}`, io, form, overrides };
        finish(
          await forEachAccount(files, asked, (settings, its) =>
            exportBooks(settings, its, { what, format, from, to, clock: realClock }),
          ),
        );
      },
    );
}

// `statement`: realized profit, fees, tax and holdings of a financial year or one of its quarters.

interface StatementOptions {
  readonly year: string;
  readonly quarter?: number;
  readonly format: (typeof STATEMENT_FORMATS)[number];
  readonly state?: string;
}

const STATEMENT_FORM_NAMES = ['text', 'json', 'csv'] as const satisfies typeof STATEMENT_FORMATS;

export function addStatement({ program, io, finish }: CommandContext): void {
  program
    .command('statement')
    .summary('profit, fees, tax and holdings of a year or a quarter')
    .description(
      'Realized profit, fees with the tax in them, the tax of the year by `statement.taxRules`, tax withheld by ' +
        'quarter and by the month of its deposit, each disposal, holdings at the beginning and at the end; what ' +
        'was not the bot’s doing apart. ' +
        'From the journal of the state folder, also while the bot runs; reads only. docs/statements.md says how ' +
        'each figure comes about. Ends with 65 where it does not add up, with 73 where there is no journal, ' +
        'or one of a newer program, with 74 where it is damaged, with 78 where the tax rules have a mistake or ' +
        'lack the year.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .requiredOption('--year <year>', 'the financial year: 2026-27, or 2026 where `statement.yearBegins` is 01-01')
    .option('--quarter <number>', 'one quarter of it, from 1 to 4', quarter)
    .addOption(new Option('--format <format>', 'of what is written').choices(STATEMENT_FORM_NAMES).default('text'))
    .option('--state <folder>', STATE_HELP)
    .addHelpText('after', '\nExample:\n  quotekeeper statement config/live.yaml --year 2026-27 --quarter 1')
    .action(async (files: string[], { year, quarter: number, format, ...overrides }: StatementOptions) => {
      const { makeStatement } = await import('../books/make-statement.ts');
      const span = { year, quarter: number ?? null, format, clock: realClock };
      const asked = { command: 'statement', io, form: format, overrides };
      finish(await forEachAccount(files, asked, (settings, its) => makeStatement(settings, its, span)));
    });
}

function quarter(text: string): number {
  if (/^[1-4]$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a quarter: a number from 1 to 4 was expected.`);
}

// `report`: figures of a day, a week or a month, also as a page.

interface ReportOptions {
  readonly of?: string;
  readonly symbol?: string;
  readonly json?: boolean;
  readonly html?: string;
  readonly state?: string;
}

const SPAN_NAMES = ['day', 'week', 'month'] as const satisfies typeof SPANS;

export function addReport({ program, io, finish }: CommandContext): void {
  program
    .command('report')
    .summary('profit, fills, spreads, time in the market and requests of a day, a week or a month')
    .description(
      'Profit by parts, equity, fills, spread quoted against the market, time in the market and what the rest was ' +
        'lost to, markouts, requests, largest inventory, halts and messages: by symbol and in total. Money is the ' +
        'journal’s, to the last digit, as in `statement`; the rest is remembered in memory.sqlite of the state ' +
        'folder, and it is said since when. Reads only, also while the bot runs. docs/reports.md says what each ' +
        'figure is. Ends with 65 where records of money are missing, with 73 where there is no journal, or one of ' +
        'a newer program, or the page can’t be written, with 74 where the journal is damaged.',
    )
    .addArgument(new Argument('<span>', 'what to report').choices(SPAN_NAMES))
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--of <date>', 'the day, or one in the week or month, such as 2026-07-01; left out: today')
    .option('--symbol <symbol>', 'of one symbol alone')
    .option('--html <file>', 'also write a page with charts: one file that needs nothing else')
    .option('--json', 'print JSON')
    .option('--state <folder>', STATE_HELP)
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  quotekeeper report day config/live.yaml\n' +
        '  quotekeeper report month config/live.yaml --of 2026-06-01 --html june.html',
    )
    .action(async (span: (typeof SPAN_NAMES)[number], files: string[], options: ReportOptions) => {
      const { makeReport } = await import('../reports/make-report.ts');
      const { of = null, symbol = null, html = null, json = false, ...overrides } = options;
      const form = html !== null ? null : json ? 'json' : 'text';
      const asked = { command: `report ${span}`, io, form, overrides } as const;
      const wanted = { span, of, symbol, html, json, clock: realClock };
      finish(await forEachAccount(files, asked, (settings, its) => makeReport(settings, its, wanted)));
    });
}
