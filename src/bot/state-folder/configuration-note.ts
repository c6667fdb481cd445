// A bot's note in its state folder: the configuration files that it was started with. A command without files uses the
// note of the one running bot.
import path from 'node:path';
import { z } from 'zod';
import { writeDurably } from '../base/durable-file.ts';
import { EXIT } from '../base/exit-codes.ts';
import { readStateJson } from '../base/private-file.ts';
import { identityOf } from '../base/process-identity.ts';
import { refusing } from '../base/system-error.ts';
import { processSchema } from './lease-file.ts';

const noteSchema = z.object({
  /** Absolute paths, in the order of the command line. */
  files: z.array(z.string()).min(1),
  /** The bot that wrote it. */
  process: processSchema,
});

export const configurationNoteFile = (stateFolder: string): string => path.join(stateFolder, 'configuration.json');

/** On disk when it returns. The folder must exist. Throws `StartError` (73) if the file can't be written. */
export function recordConfiguration(stateFolder: string, files: readonly string[]): void {
  const file = configurationNoteFile(stateFolder);
  const note = { files: files.map((each) => path.resolve(each)), process: identityOf(process.pid) };
  const unwritable = (code: string): string => `The file ${file} cannot be written (${code}).`;
  refusing(EXIT.stateUnusable, unwritable, () => writeDurably(file, `${JSON.stringify(note)}\n`));
}

/** Null if it is missing or unreadable. */
export const readConfigurationNote = (stateFolder: string): z.output<typeof noteSchema> | null =>
  readStateJson('note', configurationNoteFile(stateFolder), noteSchema);
