// `statement`: realized profit, fees, tax and holdings of a financial year or one of its quarters.
import { InvalidArgumentError, Option } from 'commander';
import type { STATEMENT_FORMATS } from '../books/make-statement.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf, type CommandContext, STATE_HELP } from './configuration-argument.ts';

interface Options {
  readonly year: string;
  readonly quarter?: number;
  readonly format: (typeof STATEMENT_FORMATS)[number];
  readonly state?: string;
}

const FORMATS = ['text', 'json', 'csv'] as const satisfies typeof STATEMENT_FORMATS;

export function addStatement({ program, io, finish }: CommandContext): void {
  program
    .command('statement')
    .summary('profit, fees, tax and holdings of a year or a quarter')
    .description(
      'Realized profit by FIFO and by average cost, fees with the tax in them, tax withheld by quarter and by the ' +
        'month of its deposit, holdings at the beginning and at the end; what was not the bot’s doing apart. ' +
        'From the journal of the state folder, also while the bot runs; reads only. docs/statements.md says how ' +
        'each figure comes about. Ends with 65 where it does not add up, with 73 where there is no journal, ' +
        'or one of a newer program, with 74 where it is damaged.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .requiredOption('--year <year>', 'the financial year: 2026-27, or 2026 where `statement.yearBegins` is 01-01')
    .option('--quarter <number>', 'one quarter of it, from 1 to 4', quarter)
    .addOption(new Option('--format <format>', 'of what is written').choices(FORMATS).default('text'))
    .option('--state <folder>', STATE_HELP)
    .addHelpText('after', '\nExample:\n  quotekeeper statement config/live.yaml --year 2026-27 --quarter 1')
    .action(async (files: string[], { year, quarter: number, format, ...overrides }: Options) => {
      const settings = await accountSettingsOf(files, { command: 'statement', io }, overrides);
      const { makeStatement } = await import('../books/make-statement.ts');
      const { realClock } = await import('../../ports/clock.ts');
      finish(makeStatement(settings, io, { year, quarter: number ?? null, format, clock: realClock }));
    });
}

function quarter(text: string): number {
  if (/^[1-4]$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a quarter: a number from 1 to 4 was expected.`);
}
