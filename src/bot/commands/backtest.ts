// `backtest`: the same program in virtual time, on a recording or a synthetic market.
import { InvalidArgumentError } from 'commander';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Overrides } from '../settings/settings.ts';
import { CONFIG_HELP, type CommandContext, LOOP_HELP, settingsOf, withTapes } from './configuration-argument.ts';

interface Options extends Overrides {
  readonly hours?: number;
  readonly seed?: string;
  readonly json?: boolean;
  readonly html?: string;
  readonly begin?: string;
  readonly state?: string;
}

export function addBacktest({ program, io, finish }: CommandContext): void {
  const command = program
    .command('backtest')
    .summary('play the configuration in virtual time')
    .description('Plays the configuration in virtual time against its paper exchange, and reports what came of it.')
    .argument('[config...]', CONFIG_HELP);
  withTapes(command)
    .option('--loop', `${LOOP_HELP}; needs --hours`)
    .option('--hours <number>', 'virtual hours to play; left out: the whole recording, or one hour', positiveNumber)
    .option('--seed <text>', "another seed than the configuration's")
    .option('--begin <time>', 'when a made-up market begins, such as 2025-04-01; left out: 2026-01-01')
    .option('--state <folder>', 'keep the journal there, for statement, export and report; a new or empty folder')
    .option('--html <file>', 'also write a page with charts: one file that needs nothing else')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  quotekeeper backtest config/tape.yaml --tape-trades trades.csv.gz --tape-books books.csv.gz',
    )
    .action(async (files: string[], { hours, seed, html, begin, state, json = false, ...overrides }: Options) => {
      if (overrides.loop && hours === undefined)
        throw new StartError(EXIT.usage, '--loop needs --hours: how long to play.');
      const settings = await settingsOf(files, overrides);
      const { runBacktest } = await import('../offline/run-backtest.ts');
      const whatFor = { hours: hours ?? null, seed: seed ?? null, begin: begin ?? null };
      finish(await runBacktest(settings, io, { ...whatFor, json, html: html ?? null, state: state ?? null }));
    });
}

function positiveNumber(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value;
  // Commander turns this into its own sentence and the usage exit code.
  throw new InvalidArgumentError(`"${text}" is not a number above 0.`);
}
