// `watchdog`: takes the orders of a bot that fell silent off the exchange.

import { EXIT, StartError } from '../base/exit-codes.ts';
import { LEAST_TTL_MS, ttlWords } from '../settings/checks/checks.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf, type CommandContext } from './configuration-argument.ts';

export function addWatchdog({ program, io, finish }: CommandContext): void {
  program
    .command('watchdog')
    .summary('end a bot that falls silent and cancel its orders')
    .description(
      [
        'Watches the bot of the same configuration. When its loop shows no progress for watchdog.ttlMs',
        '(an exchange that does not answer is no lack of it): sets the kill latch, ends the bot, cancels its',
        'orders, cancels them again after the horizon of the last create, and proves by two complete lists that',
        'none is left. Ends with 77 then, with 75 when something unknown remains.',
      ].join(' '),
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .addHelpText('after', '\nExample:\n  quotekeeper watchdog config/live.yaml')
    .action(async (files: string[]) => {
      const settings = await accountSettingsOf(files, { command: 'watchdog', io });
      const { ttlMs } = settings.watchdog;
      if (ttlMs < LEAST_TTL_MS) throw new StartError(EXIT.configurationInvalid, `watchdog.ttlMs: ${ttlWords(ttlMs)}`);
      const { watchBot } = await import('../dead-man/watch-bot.ts');
      finish(await watchBot(settings, io));
    });
}
