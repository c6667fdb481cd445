// The mark that `restore` leaves in a state folder until a start has recorded it in the journal: the content is from an
// earlier time.
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { syncFolder, writeDurably } from '../base/durable-file.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { readStateJson } from '../base/private-file.ts';

const markSchema = z.object({
  /** The backup's file. */
  from: z.string(),
  /** ISO times: when the backup was made, and when it was restored. */
  ...{ madeAt: z.string(), restoredAt: z.string() },
  /** Earlier files may have been moved, and not all files of the backup are there yet. */
  unfinished: z.literal(true).optional(),
  /** When the backup was made from which the file of own orders is; absent if it is the existing one. */
  ownOrdersOf: z.string().optional(),
});
type RestoredMark = z.output<typeof markSchema>;

export const restoredFile = (stateFolder: string): string => path.join(stateFolder, 'restored.json');

export function writeRestored(stateFolder: string, mark: RestoredMark): void {
  writeDurably(restoredFile(stateFolder), `${JSON.stringify(mark)}\n`);
}

/** Null if there is none. An unreadable mark still counts as one. */
export function readRestored(stateFolder: string): RestoredMark | null {
  const file = restoredFile(stateFolder);
  if (!existsSync(file)) return null;
  const unreadable = { from: 'a backup', madeAt: 'an unknown time', restoredAt: 'an unknown time' };
  return readStateJson('mark', file, markSchema) ?? unreadable;
}

/**
 * One sentence on why the file of own orders may be incomplete: it is from a backup, and no bot has started with it
 * yet.
 */
export function whyOwnOrdersAreOld(stateFolder: string): string | null {
  const { ownOrdersOf } = readRestored(stateFolder) ?? {};
  if (ownOrdersOf === undefined) return null;
  const made = ownOrdersOf === '' ? '' : ` that was made at ${ownOrdersOf}`;
  return `The file of own orders is out of a backup${made}: what was placed after that it does not name.`;
}

/**
 * Throws `StartError` (73): with only part of the files, a start would begin with an empty journal, or without a latch.
 */
export function assertRestoreFinished(stateFolder: string): void {
  const mark = readRestored(stateFolder);
  if (mark?.unfinished !== true) return;
  throw new StartError(
    EXIT.stateUnusable,
    `The restore of ${mark.from} into ${stateFolder}, begun at ${mark.restoredAt}, was not finished: say it again, ` +
      'with --replace. What was there before is still there, or in before-restore-….',
  );
}

export function forgetRestored(stateFolder: string): void {
  if (!existsSync(restoredFile(stateFolder))) return;
  rmSync(restoredFile(stateFolder));
  syncFolder(stateFolder);
}
