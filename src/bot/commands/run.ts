// `run`: keeps quoting until it is stopped.
import { InvalidArgumentError, Option } from 'commander';
import { parseDecimal } from '../../domain/decimal.ts';
import { parseSymbol } from '../../domain/instrument.ts';
import type { Resumed } from '../../trader/observe/resume.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Overrides } from '../settings/settings.ts';
import {
  CONFIG_HELP,
  type CommandContext,
  LOOP_HELP,
  settingsOf,
  standardConfiguration,
  withTapes,
} from './configuration-argument.ts';

interface Options extends Overrides {
  readonly resume?: readonly Resumed[];
  readonly acceptDifferences?: boolean;
  readonly adoptOrders?: boolean;
  readonly notMine?: boolean;
  readonly standby?: boolean;
}

export function addRun({ program, io, finish }: CommandContext): void {
  const command = program
    .command('run')
    .summary('keep quotes until told to stop')
    .description(
      'Keeps quotes until it is told to stop (Ctrl+C, SIGTERM); then cancels them and verifies that none is left.',
    )
    .argument('[config...]', CONFIG_HELP)
    .option(
      '--resume <symbol...>',
      'halted symbols to trade again, after you looked at why; SYMBOL@PRICE says which price you believe is correct',
      resumedSymbol,
    )
    .option('--accept-differences', 'book the present differences between wallet and ledger as your own doing')
    .option('--adopt-orders', 'the orders that the bot asked about are its own: it takes them over and cancels them')
    .addOption(new Option('--not-mine', 'none of them is the bot’s: they are left alone').conflicts('adoptOrders'))
    .option('--standby', 'wait while another host has the account, and take over when its lease is over');
  withTapes(command)
    .option('--loop', LOOP_HELP)
    .addHelpText('after', '\nExample:\n  quotekeeper run config/paper.yaml')
    .action(async (files: string[], options: Options) => {
      const {
        resume = [],
        acceptDifferences = false,
        adoptOrders = false,
        notMine = false,
        standby = false,
        ...overrides
      } = options;
      if (files.length === 0)
        io.err(`No configuration is named: the paper exchange of ${standardConfiguration()} is taken.`);
      const settings = await settingsOf(files, overrides);
      assertConfigured(
        resume,
        settings.trader.runs.map(({ instrument }) => instrument.symbol),
      );
      if (standby && settings.journal === null)
        throw new StartError(
          EXIT.configurationInvalid,
          '--standby needs a journal that two hosts share: journal.kind.',
        );
      const { runBot } = await import('../run/run-bot.ts');
      const answer = adoptOrders ? 'adopt' : notMine ? 'not-mine' : null;
      finish(await runBot(settings, io, { resume, acceptDifferences, answer }, standby));
    });
}

// --resume: a symbol, and the price that the person believes is correct.

/**
 * Parses `BTC/INR` or `BTC/INR@5600000` and appends it to the earlier ones; throws commander's error with a sentence.
 */
export function resumedSymbol(text: string, before: readonly Resumed[] = []): readonly Resumed[] {
  const [symbol = '', stated, ...rest] = text.split('@');
  if (parseSymbol(symbol) === null || rest.length > 0)
    throw new InvalidArgumentError(
      `"${text}" is not a symbol such as BTC/INR, or a symbol and a price such as BTC/INR@5600000.`,
    );
  if (before.some((each) => each.symbol === symbol)) throw new InvalidArgumentError(`${symbol} is named twice.`);
  if (stated === undefined) return [...before, { symbol, price: null }];
  const price = parseDecimal(stated);
  if (price === null || !price.gt(0))
    throw new InvalidArgumentError(`"${stated}" is not a price of ${symbol}: a number above 0 was expected.`);
  return [...before, { symbol, price }];
}

/** Throws `StartError` (64) for a symbol without a run, before any journal is read. */
function assertConfigured(resume: readonly Resumed[], symbols: readonly string[]): void {
  const stranger = resume.find(({ symbol }) => !symbols.includes(symbol))?.symbol;
  if (stranger === undefined) return;
  throw new StartError(EXIT.usage, `${stranger} can't be resumed: configured are ${symbols.join(', ')}.`);
}
