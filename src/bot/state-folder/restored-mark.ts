// The mark that `restore` leaves in a state folder, until a start has taken it into the journal: what is there is of an
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
  /** What was there may have been moved, and the backup's files are not all there yet. */
  unfinished: z.literal(true).optional(),
  /** When the backup was made that the file of own orders is of; absent where that was there. */
  ownOrdersOf: z.string().optional(),
});
type RestoredMark = z.output<typeof markSchema>;

export const restoredFile = (stateFolder: string): string => path.join(stateFolder, 'restored.json');

export function writeRestored(stateFolder: string, mark: RestoredMark): void {
  writeDurably(restoredFile(stateFolder), `${JSON.stringify(mark)}\n`);
}

/** Null where there is none. One that can't be read is one all the same. */
export function readRestored(stateFolder: string): RestoredMark | null {
  const file = restoredFile(stateFolder);
  if (!existsSync(file)) return null;
  const unreadable = { from: 'a backup', madeAt: 'an unknown time', restoredAt: 'an unknown time' };
  return readStateJson('mark', file, markSchema) ?? unreadable;
}

/** Why the file of own orders may name too few, one sentence: it is of a backup, and no bot has begun by it yet. */
export function whyOwnOrdersAreOld(stateFolder: string): string | null {
  const { ownOrdersOf } = readRestored(stateFolder) ?? {};
  if (ownOrdersOf === undefined) return null;
  const made = ownOrdersOf === '' ? '' : ` that was made at ${ownOrdersOf}`;
  return `The file of own orders is out of a backup${made}: what was placed after that it does not name.`;
}

/** Throws `StartError` (73): with a part of the files a start would begin with an empty journal, or without a latch. */
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
