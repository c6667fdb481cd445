// Two sandboxes in one folder would write over each other: a lock of the system, which ends with the process that
// holds it.
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EXIT, StartError } from '../base/exit-codes.ts';

/** Holds the folder until what it gives back is called. Throws `StartError` (73) where another process holds it. */
export function holdFolder(folder: string): () => void {
  const file = new DatabaseSync(path.join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    file.exec('BEGIN EXCLUSIVE');
  } catch {
    file.close();
    throw new StartError(EXIT.stateUnusable, `The folder ${folder} is in use by another exchange.`);
  }
  return () => file.close();
}
