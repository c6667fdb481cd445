// `export`: trades, orders, flows and the ledger as CSV, JSON or Beancount, also while the bot runs.
import { Argument, Option } from 'commander';
import type { EXPORT_FORMATS, EXPORTS } from '../books/export-books.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf, type CommandContext, STATE_HELP } from './configuration-argument.ts';

interface Options {
  readonly format: (typeof EXPORT_FORMATS)[number];
  readonly from?: string;
  readonly to?: string;
  readonly state?: string;
}

const WHAT = ['trades', 'orders', 'flows', 'ledger'] as const satisfies typeof EXPORTS;
const FORMATS = ['csv', 'json', 'beancount'] as const satisfies typeof EXPORT_FORMATS;

export function addExport({ program, io, finish }: CommandContext): void {
  program
    .command('export')
    .summary('trades, orders, flows or the ledger, as CSV, JSON or Beancount')
    .description(
      'Writes what the journal of the state folder holds to standard output: executions (trades), all else that ' +
        'moved money (flows), the double entries of both (ledger), or orders. Reads only, from a copy: it works ' +
        'while the bot runs and after it has ended. Amounts are exact, times in UTC. docs/statements.md says what ' +
        'each column means. Ends with 65 where records are missing, with 73 where there is no journal, or one of a ' +
        'newer program, with 74 where it is damaged.',
    )
    .addArgument(new Argument('<what>', 'what to export').choices(WHAT))
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .addOption(
      new Option('--format <format>', 'of what is written; beancount only of the ledger')
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
    .action(async (what: (typeof EXPORTS)[number], files: string[], { format, from, to, ...overrides }: Options) => {
      const settings = await accountSettingsOf(files, { command: `export ${what}`, io }, overrides);
      const { exportBooks } = await import('../books/export-books.ts');
      const { realClock } = await import('../../ports/clock.ts');
      finish(exportBooks(settings, io, { what, format, from, to, clock: realClock }));
    });
}
