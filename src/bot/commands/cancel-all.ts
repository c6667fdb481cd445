// `cancel-all`: takes every order of the bot off the exchange, also while the bot is dead.
import { EXIT } from '../base/exit-codes.ts';
import { askBot, personHere } from '../steer/control-socket.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf, type CommandContext } from './configuration-argument.ts';
import { botMeant, tellAnswer } from './steer.ts';

interface Options {
  readonly everything?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

export function addCancelAll({ program, io, finish }: CommandContext): void {
  program
    .command('cancel-all')
    .summary('cancel the open orders and verify it')
    .description(
      'Sets the kill latch, which stops a bot that runs, cancels the orders that the bot owns, again after the ' +
        'horizon of its last create, and proves by two complete lists that none is left. With ' +
        '`account.foreignOrders: refuse` it cancels every open order of the account, without --everything and ' +
        '--yes. Works while the bot is dead, by its file of own orders. Ends with 0 when that is proved, with 75 ' +
        'when something may be open. The latch stays until `rearm --yes`.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--everything', 'every open order of the account, whoever placed it')
    .option('--yes', 'cancel them; without it --everything lists them, or proves that there is none')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper cancel-all config/live.yaml')
    .action(async (files: string[], { everything = false, yes = false, json = false }: Options) => {
      const asked = { command: 'cancel-all', io };
      // What is not the bot's own is found by the configuration alone.
      const { stateFolder, settings } = everything
        ? { stateFolder: '', settings: await accountSettingsOf(files, asked) }
        : await botMeant(files, asked);
      if (settings === null) {
        tellAnswer(io, await askBot(stateFolder, { command: 'cancel-all', by: personHere() }), { named: null, json });
        // It cancels and verifies; that it has is not known here.
        return finish(EXIT.unknownRemains);
      }
      const { cancelAllOrders } = await import('../cancel-all/cancel-all-orders.ts');
      finish(await cancelAllOrders(settings, io, { everything, yes, json }));
    });
}
