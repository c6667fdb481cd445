// `cancel-all`: takes every order of the bot off the exchange, also while the bot is dead.
import type { CommandContext } from '../command-context.ts';
import { CONFIG_HELP, settingsOf } from '../configuration-argument.ts';

interface Options {
  readonly everything?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addCancelAll({ program, io, finish }: CommandContext): void {
  program
    .command('cancel-all')
    .summary('cancel the open orders and verify it')
    .description('Cancels the orders that the bot owns and verifies that none is left. Works while the bot is dead.')
    .argument('[config...]', CONFIG_HELP)
    .option('--everything', 'cancel every open order of the account, whoever placed it')
    .option('--yes', 'do not ask')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper cancel-all config/live.yaml')
    .action(async (files: string[], { everything = false, yes = false, json = false }: Options) => {
      const settings = await settingsOf(files);
      const { cancelAllOrders } = await import('../cancel-all-orders.ts');
      finish(await cancelAllOrders(settings, io, { everything, yes, json }));
    });
}
