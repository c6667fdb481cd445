// `pause`: nothing is quoted of a symbol, or of one side of it, until it is resumed.
import { personHere } from '../../steer/ask-bot.ts';
import type { CommandContext } from '../command-context.ts';
import { ACCOUNT_CONFIG_HELP } from '../configuration-argument.ts';
import { type SteerOptions, SYMBOL_HELP, sideNamed, spanOfTime, steer } from './steering.ts';

interface Options extends SteerOptions {
  readonly side?: 'buy' | 'sell';
  readonly for?: number;
  readonly reason?: string;
}

export function addPause(context: CommandContext): void {
  context.program
    .command('pause')
    .summary('cancel the orders of a symbol or a side, and quote nothing there until it is resumed')
    .description(
      'Locks a symbol of the running bot, or one side of it: its orders are canceled, nothing new is placed, and ' +
        'what is held stays. The lock is in the journal: it outlasts a restart.',
    )
    .argument('[symbol]', SYMBOL_HELP)
    .option('--side <side>', 'buy or sell; both when left out', sideNamed)
    .option('--for <time>', 'how long, as in 90s, 10m, 2h or 1d; until `resume` when left out', spanOfTime)
    .option('--reason <text>', 'why, for the journal and the page', 'Paused by a person.')
    .option('--config <file...>', ACCOUNT_CONFIG_HELP)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper pause BTC/INR --side buy --for 2h --reason "News at noon"')
    .action(async (symbol: string | undefined, options: Options) => {
      const { side = null, for: forMs = null, reason = '' } = options;
      await steer(
        context,
        { command: 'pause', symbol: symbol ?? null, side, forMs, reason, by: personHere() },
        options,
      );
    });
}
