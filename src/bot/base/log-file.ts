// The file that the log goes to as well. What cannot be written is not kept: a full volume must cost neither memory nor
// one more line on standard error for each line of the log.
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import path from 'node:path';

export interface LogFile {
  // Neither throws.
  write(line: string): void;
  end(): void;
}

const OWNER_ONLY = 0o600;

/** Throws where it cannot be opened. Appends: a file that is cut meanwhile goes on at its new end. */
export function openLogFile(file: string): LogFile {
  mkdirSync(path.dirname(file), { recursive: true });
  const opened = openSync(file, 'a', OWNER_ONLY);
  let missing = 0;
  /** The last thing in the file is half a line. */
  let isTorn = false;

  function append(text: string): void {
    const bytes = Buffer.from(isTorn ? `\n${text}` : text);
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(opened, bytes, written);
      isTorn = written < bytes.length;
    }
  }

  return {
    write(line) {
      try {
        append(line);
      } catch {
        missing += 1;
        if (missing === 1) say('The log file cannot be written; the log goes on without it.');
        return;
      }
      if (missing === 0) return;
      say(`The log file can be written again; it lacks ${missing} lines.`);
      missing = 0;
    },
    end() {
      try {
        closeSync(opened);
      } catch {
        // A disk of the network may say only now that it took nothing.
      }
    },
  };
}

const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
