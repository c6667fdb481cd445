// The file that the log goes to as well. A full volume must cost neither memory without bound nor one more line on
// standard error for each line of the log.
import path from 'node:path';
import { destination } from 'pino';
import { makeFolder } from './make-folder.ts';
import { whyNoFile } from './usable-paths.ts';

export interface LogFile {
  write(line: string): void;
  end(): void;
}

/** What waits for room at the most; what comes then is lost. */
const WAITING_BYTES = 1_048_576;

/** Throws where it cannot be opened. Appends: a file that is cut meanwhile goes on at its new end. */
export function openLogFile(dest: string): LogFile {
  makeFolder(path.dirname(path.resolve(dest)));
  const code = whyNoFile(dest);
  if (code !== null) throw Object.assign(new Error(`The log file cannot be written (${code}).`), { code });
  const file = destination({ dest, sync: true, append: true, mode: 0o600, maxLength: WAITING_BYTES });
  let isFailing = false;
  let lost = 0;
  file.on('error', () => {
    if (!isFailing) say('The log file cannot be written; the log goes on without it.');
    isFailing = true;
  });
  file.on('drop', () => {
    lost += 1;
  });
  file.on('write', () => {
    if (!isFailing) return;
    say(`The log file can be written again${lost === 0 ? '' : `; it lacks ${lost} line${lost === 1 ? '' : 's'}`}.`);
    isFailing = false;
    lost = 0;
  });
  return {
    write: (line) => void file.write(line),
    // One that waits for room would wait on, and keep its descriptor.
    end: () => (isFailing ? file.destroy() : file.end()),
  };
}

const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
