// SIGINT, SIGTERM and a terminal that is closed do the same: the first asks for an orderly end, the second ends at
// once.

import type { ExitCode } from './exit-codes.ts';
import { takeStops } from './signals.ts';

/**
 * One Ctrl-C may come twice: from the terminal to the whole process group, and passed on by npm; a closing terminal
 * says so more than once. Nobody asks again so soon.
 */
const SAME_PRESS_MS = 1_000;

/**
 * Resolves with the first signal, also with one that came before this was called. A second one ends the process with
 * `secondCode`, after `lastWords` and without any tidying.
 */
export function stopSignal(secondCode: ExitCode, lastWords: () => void = () => undefined): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    takeStops((signal, at) => {
      if (firstAt === null) {
        firstAt = at;
        resolve(signal);
      } else if (at - firstAt > SAME_PRESS_MS && signal !== 'SIGHUP') {
        endWith(secondCode, lastWords);
      }
    });
  });
}

/** Whatever becomes of the words. */
function endWith(code: ExitCode, lastWords: () => void): never {
  try {
    lastWords();
  } finally {
    process.exit(code);
  }
}
