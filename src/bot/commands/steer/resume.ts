// `resume`: removes locks of a symbol, and its halt where no start has to look into that.
import { personHere } from '../../steer/ask-bot.ts';
import type { CommandContext } from '../command-context.ts';
import { ACCOUNT_CONFIG_HELP } from '../configuration-argument.ts';
import { type SteerOptions, SYMBOL_HELP, sideNamed, steer } from './steering.ts';

interface Options extends SteerOptions {
  readonly side?: 'buy' | 'sell';
  readonly at?: string;
}

export function addResume(context: CommandContext): void {
  context.program
    .command('resume')
    .summary('let a paused or halted symbol be quoted again, after you have looked at why')
    .description(
      'Removes the locks of a symbol of the running bot, and its halt; where only a start can look into a halt it ' +
        'says so and changes nothing.',
    )
    .argument('[symbol]', SYMBOL_HELP)
    .option('--side <side>', 'only locks of this side alone', sideNamed)
    .option('--at <price>', 'the price that you take for right, of a symbol that was halted because its price jumped')
    .option('--config <file...>', ACCOUNT_CONFIG_HELP)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper resume BTC/INR --at 5500000')
    .action(async (symbol: string | undefined, options: Options) => {
      const { side = null, at = null } = options;
      await steer(context, { command: 'resume', symbol: symbol ?? null, side, price: at, by: personHere() }, options);
    });
}
