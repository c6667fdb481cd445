// `backup`: journal, own orders, kill latch and witness in one file, even while the bot runs.
import { timeText } from '../../domain/time-text.ts';
import { EXIT } from '../base/exit-codes.ts';
import { accountLine, accountNamed } from '../keys/account-named.ts';
import type { restoreBackup } from '../state-folder/restore.ts';
import { ACCOUNT_CONFIG_HELP, accountSettingsOf, type CommandContext } from './configuration-argument.ts';

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
    .action(async (files: string[], { to, json = false }: { to: string; json?: boolean }) => {
      const settings = await accountSettingsOf(files, { command: 'backup', io });
      const named = accountNamed(settings);
      const { makeBackup } = await import('../state-folder/backup.ts');
      const made = makeBackup(settings, to);
      const { journal } = made;
      const lines = [
        accountLine(named),
        `${made.file} (${made.bytes} bytes) holds ${made.holds.join(', ')}.`,
        `The journal is whole to its record ${journal.seq} of ${shownTime(journal.endedAt)}; ` +
          `${journal.openOrders} ${journal.openOrders === 1 ? 'order was' : 'orders were'} open in it.`,
        ...(made.missing.length === 0 ? [] : [`Not there, and so not in it: ${made.missing.join(', ')}.`]),
        `Keep these yourself, they are never in it: ${settings.files.join(', ')}, keys, journal-archive, logs.`,
      ];
      io.out(json ? JSON.stringify({ ...named, ...made }) : lines.join('\n'));
      finish(EXIT.done);
    });
}

// `restore`: puts a backup back; the next start asks before it quotes.

interface RestoreOptions {
  readonly from: string;
  readonly replace?: boolean;
  readonly json?: boolean;
}

export function addRestore({ program, io, finish }: CommandContext): void {
  program
    .command('restore')
    .summary('put a backup back; the next start asks before it quotes')
    .description(
      'Checks a backup and its whole journal, then puts it into the state folder. Refused (73) while a bot or a ' +
        'watchdog runs, where the folder is not empty, and where the backup is of another exchange; 74 where the ' +
        'backup is damaged. Nothing is changed by a refusal. The next start compares it with the account and quotes ' +
        'nothing before a person has said whose the orders are: `run --adopt-orders` or `run --not-mine`.',
    )
    .argument('[config...]', ACCOUNT_CONFIG_HELP)
    .requiredOption('--from <file>', 'what `backup` has made')
    .option('--replace', 'move what is in the state folder aside, into a folder in it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper restore config/live.yaml --from /backup/quotekeeper-monday.sqlar')
    .action(async (files: string[], { from, replace = false, json = false }: RestoreOptions) => {
      const settings = await accountSettingsOf(files, { command: 'restore', io });
      const named = accountNamed(settings);
      const { restoreBackup } = await import('../state-folder/restore.ts');
      const restored = restoreBackup(settings, from, replace);
      io.out(json ? JSON.stringify({ ...named, ...restored }) : [accountLine(named), ...words(restored)].join('\n'));
      finish(EXIT.done);
    });
}

const shownTime = (iso: string): string => timeText(Date.parse(iso));

function words({
  stateFolder,
  madeAt,
  program,
  journal,
  put,
  kept,
  movedTo,
}: ReturnType<typeof restoreBackup>): string[] {
  return [
    `${stateFolder} is as it was at ${shownTime(madeAt)}, by ${program}: ${put.join(', ')}.`,
    `Its journal ends at ${shownTime(journal.endedAt)}.`,
    ...(kept.length === 0 ? [] : [`Left as they were, because they are newer: ${kept.join(', ')}.`]),
    ...(movedTo === null ? [] : [`The earlier files are in ${movedTo}.`]),
    'The next start compares it with the account, names the orders that it does not know, and quotes nothing. ' +
      'Look at them, then start with --adopt-orders (they are the bot’s: they are canceled) or --not-mine.',
  ];
}
