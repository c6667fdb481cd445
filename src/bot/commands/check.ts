// `check`: whether the configuration is good, and what it means. Read-only.
import type { CommandContext } from '../command-context.ts';
import { CONFIG_HELP, settingsOf } from '../configuration-argument.ts';
import { EXIT } from '../exit-codes.ts';
import { readKeys } from '../keys.ts';
import { meaningLines, meaningOf } from '../settings-meaning.ts';

export function addCheck({ program, io, finish }: CommandContext): void {
  program
    .command('check')
    .summary('check the configuration and say what it means')
    .description('Checks configuration and keys and says what they mean. Read-only: nothing is sent.')
    .argument('[config...]', CONFIG_HELP)
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper check config/live.yaml')
    .action(async (files: string[], { json = false }: { json?: boolean }) => {
      const settings = await settingsOf(files);
      if (settings.keys !== null) readKeys(settings.keys, io.environment);
      const meaning = meaningOf(settings);
      io.out(json ? JSON.stringify(meaning, null, 2) : meaningLines(meaning).join('\n'));
      finish(EXIT.done);
    });
}
