// `watchdog`: takes the orders of a bot that fell silent off the exchange.
import type { CommandContext } from '../command-context.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf } from '../configuration-argument.ts';
import { EXIT, StartError } from '../exit-codes.ts';
import { leastTtlMs } from '../settings/watchdog-checks.ts';

export function addWatchdog({ program, io, finish }: CommandContext): void {
  program
    .command('watchdog')
    .summary('end a bot that falls silent and cancel its orders')
    .description(
      'Watches the bot of the same configuration. When it completes no cycle for watchdog.ttlMs: sets the kill latch, ends the bot, cancels its orders, cancels them again after the horizon of the last create, and proves by two complete lists that none is left. Ends with 77 then, with 75 when something unknown remains.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .addHelpText('after', '\nExample:\n  quotekeeper watchdog config/live.yaml')
    .action(async (files: string[]) => {
      const settings = await accountSettingsOf(files, 'watchdog');
      const least = leastTtlMs(settings);
      if (settings.watchdog.ttlMs < least) {
        const sentence = `watchdog.ttlMs is ${settings.watchdog.ttlMs}: a bot that is well may need ${least} ms for a cycle at the configured pace and deadlines, and would be taken for dead.`;
        throw new StartError(EXIT.configurationInvalid, sentence);
      }
      const { watchBot } = await import('../watch-bot.ts');
      finish(await watchBot(settings, io));
    });
}
