// `stop`: the same as Ctrl-C in the bot's own terminal.
import { personHere } from '../../steer/ask-bot.ts';
import type { CommandContext } from '../command-context.ts';
import { ACCOUNT_CONFIG_HELP } from '../configuration-argument.ts';
import { type SteerOptions, steer } from './steering.ts';

export function addStop(context: CommandContext): void {
  context.program
    .command('stop')
    .summary('stop the running bot: it cancels and verifies')
    .description('Tells the running bot to stop, as Ctrl-C does: it cancels its orders and verifies that none is left.')
    .option('--config <file...>', ACCOUNT_CONFIG_HELP)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper stop --config config/paper.yaml')
    .action((options: SteerOptions) => steer(context, { command: 'stop', by: personHere() }, options));
}
