// Two sandboxes in one folder would make their keys at the same time: the folder is held before the first is made.
import path from 'node:path';
import { holdLock } from '../../paper/server/start.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';

/** Holds the folder until what it gives back is called. Throws `StartError` (73) where another process holds it. */
export function holdFolder(folder: string): () => void {
  const release = holdLock(path.join(folder, 'lock.sqlite'));
  if (release === null) throw new StartError(EXIT.stateUnusable, `The folder ${folder} is in use by another exchange.`);
  return release;
}
