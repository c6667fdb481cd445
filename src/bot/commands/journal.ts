// `journal copy`: moves the journal between the state folder and a database.
import { Option } from 'commander';
import { EXIT } from '../base/exit-codes.ts';
import type { CopyTarget } from '../postgres/copy-journal.ts';
import { type CommandContext, settingsOf } from './configuration-argument.ts';

const TARGETS = ['postgres', 'sqlite'] as const satisfies readonly CopyTarget[];

export function addJournal({ program, io, finish }: CommandContext): void {
  const command = program.command('journal').summary('copy the journal into a database, or back');
  command
    .command('copy')
    .summary('copy the journal between the state folder and a database')
    .description(
      'Copies the journal between the state folder and the database of a configuration with `journal.kind: ' +
        'postgres`, into one that is empty, and checks the copy by its hash chain. The bot must be stopped. Records ' +
        'in journal-archive stay there. Ends with 73 where a bot runs or the target has records, with 74 where the ' +
        'journal is damaged.',
    )
    .argument('<config...>', 'configuration files')
    .addOption(new Option('--to <kind>', 'where to copy it').choices(TARGETS).makeOptionMandatory())
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  quotekeeper journal copy config/live.yaml --to postgres')
    .action(async (files: string[], { to, json = false }: { to: CopyTarget; json?: boolean }) => {
      const settings = await settingsOf(files);
      const { copyJournalTo } = await import('../postgres/copy-journal.ts');
      const copy = copyJournalTo(to, settings, io.environment);
      const { books, records, seq } = copy;
      const text =
        `Copied from ${copy.from} to ${copy.to}: ${records} records and ${books} older ones of the books, to record ` +
        `${seq}. The chain of the copy is whole.`;
      io.out(json ? JSON.stringify(copy) : text);
      finish(EXIT.done);
    });
}
