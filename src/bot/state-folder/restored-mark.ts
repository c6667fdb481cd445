// The mark that `restore` leaves in a state folder, until a start has taken it into the journal: what is there is of an
// earlier time.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { syncFolder, writeDurably } from '../base/durable-file.ts';

export interface RestoredMark {
  /** The backup's file. */
  readonly from: string;
  /** ISO times: when the backup was made, and when it was restored. */
  readonly madeAt: string;
  readonly restoredAt: string;
}

const markSchema = z.object({ from: z.string(), madeAt: z.string(), restoredAt: z.string() });

export const restoredFile = (stateFolder: string): string => path.join(stateFolder, 'restored.json');

export function writeRestored(stateFolder: string, mark: RestoredMark): void {
  writeDurably(restoredFile(stateFolder), `${JSON.stringify(mark)}\n`);
}

/** Null where there is none. One that can't be read is one all the same. */
export function readRestored(stateFolder: string): RestoredMark | null {
  const file = restoredFile(stateFolder);
  if (!existsSync(file)) return null;
  try {
    return markSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return { from: 'a backup', madeAt: 'an unknown time', restoredAt: 'an unknown time' };
  }
}

export function forgetRestored(stateFolder: string): void {
  if (!existsSync(restoredFile(stateFolder))) return;
  rmSync(restoredFile(stateFolder));
  syncFolder(stateFolder);
}
