// `run`: keeps quotes until it is told to stop.
import { Option } from 'commander';
import type { Resumed } from '../../trader/observe/resume.ts';
import { assertConfigured, resumedSymbol } from '../run/resumed-symbol.ts';
import type { Overrides } from '../settings/settings.ts';
import type { CommandContext } from './command-context.ts';
import {
  CONFIG_HELP,
  LOOP_HELP,
  settingsOf,
  standardConfiguration,
  TAPE_BOOKS_HELP,
  TAPE_TRADES_HELP,
} from './configuration-argument.ts';

interface Options extends Overrides {
  readonly resume?: readonly Resumed[];
  readonly acceptDifferences?: boolean;
  readonly adoptOrders?: boolean;
  readonly notMine?: boolean;
}

export function addRun({ program, io, finish }: CommandContext): void {
  program
    .command('run')
    .summary('keep quotes until told to stop')
    .description(
      'Keeps quotes until it is told to stop (Ctrl+C, SIGTERM); then cancels them and verifies that none is left.',
    )
    .argument('[config...]', CONFIG_HELP)
    .option(
      '--resume <symbol...>',
      'halted symbols to trade again, after you have looked at why; SYMBOL@PRICE says which price you take for right',
      resumedSymbol,
    )
    .option('--accept-differences', 'book the present differences between wallet and ledger as your own doing')
    .addOption(
      new Option(
        '--adopt-orders',
        'the orders that the bot asked about are its own: it takes them over and cancels them',
      ),
    )
    .addOption(new Option('--not-mine', 'none of them is the bot’s: they are left alone').conflicts('adoptOrders'))
    .option('--tape-trades <file...>', TAPE_TRADES_HELP)
    .option('--tape-books <file...>', TAPE_BOOKS_HELP)
    .option('--loop', LOOP_HELP)
    .addHelpText('after', '\nExample:\n  quotekeeper run config/paper.yaml')
    .action(async (files: string[], options: Options) => {
      const { resume = [], acceptDifferences = false, adoptOrders = false, notMine = false, ...overrides } = options;
      if (files.length === 0)
        io.err(`No configuration is named: the paper exchange of ${standardConfiguration()} is taken.`);
      const settings = await settingsOf(files, overrides);
      assertConfigured(
        resume,
        settings.trader.runs.map(({ instrument }) => instrument.symbol),
      );
      const { runBot } = await import('../run/run-bot.ts');
      const answer = adoptOrders ? 'adopt' : notMine ? 'not-mine' : null;
      finish(await runBot(settings, io, { resume, acceptDifferences, answer }));
    });
}
