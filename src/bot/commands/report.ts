// `report`: a day, a week or a month in figures, and as a page.
import { Argument } from 'commander';
import type { SPANS } from '../../reports/report.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf, type CommandContext, STATE_HELP } from './configuration-argument.ts';

interface Options {
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
    .action(async (span: (typeof SPAN_NAMES)[number], files: string[], options: Options) => {
      const { makeReport } = await import('../reports/make-report.ts');
      const { realClock } = await import('../../ports/clock.ts');
      const { of = null, symbol = null, html = null, json = false, ...overrides } = options;
      const settings = await accountSettingsOf(files, { command: `report ${span}`, io }, overrides);
      finish(makeReport(settings, io, { span, of, symbol, html, json, clock: realClock }));
    });
}
