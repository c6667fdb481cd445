// A page is written as a private file: it tells what somebody owns. A file that is there is replaced, whatever its mode
// was; a link is not followed, since somebody else may have put it there.
import { lstatSync } from 'node:fs';
import { assertDurable, writeDurably } from './durable-file.ts';
import { EXIT, StartError } from './exit-codes.ts';
import { systemCode } from './system-error.ts';

/** Throws `StartError` (73) where the file can't be written. */
export const writePage = (file: string, text: string): void => attempt(file, () => writeDurably(file, text));

/** The same before the work that the page is about. */
export const assertPageWritable = (file: string): void => attempt(file, () => assertDurable(file));

function attempt(file: string, write: () => void): void {
  const fail = (why: string): StartError =>
    new StartError(EXIT.stateUnusable, `The page ${file} can't be written${why}.`);
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() === false) throw fail(': a plain file was expected there');
  try {
    write();
  } catch (error) {
    throw fail(` (${systemCode(error)})`);
  }
}
