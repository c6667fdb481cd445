// `notify test`: checks that people can be reached.
import { EXIT } from '../base/exit-codes.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import type { TestResult } from '../notify/channels.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf, type CommandContext } from './configuration-argument.ts';

export function addNotify({ program, io, finish }: CommandContext): void {
  const notify = program
    .command('notify')
    .summary('test your notification channels')
    .description('Commands for the channels of `notify`: see docs/notifications.md.');
  notify
    .command('test')
    .summary('send a test message through each channel')
    .description(
      'Sends a test message through each channel of `notify`, whatever it takes otherwise, and says what came back. ' +
        'Works next to a running bot. Ends with 0 when every channel took it, with 69 when one did not.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .option('--channel <name>', 'this channel alone')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper notify test config/live.yaml --channel night')
    .action(async (files: string[], { channel, json = false }: { channel?: string; json?: boolean }) => {
      const settings = await accountSettingsOf(files, { command: 'notify test', io });
      const { testChannels } = await import('../notify/channels.ts');
      const channels = await testChannels(settings, io.environment, channel ?? null);
      const named = accountNamed(settings);
      io.out(json ? JSON.stringify({ ...named, channels }) : [accountLine(named), ...channels.map(lineOf)].join('\n'));
      finish(channels.every(({ taken }) => taken) ? EXIT.done : EXIT.unavailable);
    });
}

const lineOf = ({ channel, form, taken, answer, ms }: TestResult): string =>
  `${taken ? 'ok    ' : 'FAILED'} ${channel} (${form}): ${answer} ${ms} ms`;
