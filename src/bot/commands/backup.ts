// `backup`: journal, own orders, kill latch and witness in one file, also while the bot runs.

import { EXIT } from '../base/exit-codes.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import type { CommandContext } from './command-context.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf } from './configuration-argument.ts';

interface Options {
  readonly to: string;
  readonly json?: boolean;
}

export function addBackup({ program, io, finish }: CommandContext): void {
  program
    .command('backup')
    .summary('copy the bot’s state into one file, also while it runs')
    .description(
      'Copies journal, own orders, kill latch and witness, as of one moment, into one new file of mode 0600, with ' +
        'checksums, checks the whole journal, and reads again what it wrote. Works while the bot runs and changes ' +
        'nothing of it. Keys are never in it. Ends with 73 where the file is there already or there is nothing to ' +
        'copy, with 74 where the journal or the disk is damaged.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .requiredOption('--to <file>', 'the file to make; one that is there is never overwritten')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper backup config/live.yaml --to /backup/quotekeeper-monday.sqlar')
    .action(async (files: string[], { to, json = false }: Options) => {
      const settings = await accountSettingsOf(files, { command: 'backup', io });
      const named = accountNamed(settings);
      const { makeBackup } = await import('../state-folder/backup.ts');
      const made = makeBackup(settings, to);
      const { journal } = made;
      const lines = [
        accountLine(named),
        `${made.file} (${made.bytes} bytes) holds ${made.holds.join(', ')}.`,
        `The journal is whole to its record ${journal.seq} of ${journal.endedAt}; ` +
          `${journal.openOrders} orders were open in it.`,
        ...(made.missing.length === 0 ? [] : [`Not there, and so not in it: ${made.missing.join(', ')}.`]),
        `Keep these yourself, they are never in it: ${settings.files.join(', ')}, keys, journal-archive, logs.`,
      ];
      io.out(json ? JSON.stringify({ ...named, ...made }) : lines.join('\n'));
      finish(EXIT.done);
    });
}
