// SIGINT, SIGTERM and SIGHUP (the terminal was closed) do the same: the first asks for an orderly end, the second ends at once.

import { realClock } from '../ports/real-clock.ts';
import type { ExitCode } from './exit-codes.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/**
 * One Ctrl-C may come twice: from the terminal to the whole process group, and passed on by npm; a closing terminal says so more than
 * once. Nobody asks again so soon.
 */
const SAME_PRESS_MS = 1_000;

/** Resolves with the first signal. A second one ends the process with `secondCode`, without any tidying. */
export function stopSignal(secondCode: ExitCode): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let firstAt: number | null = null;
    const take = (signal: NodeJS.Signals): void => {
      const now = realClock.monotonic();
      if (firstAt === null) {
        firstAt = now;
        resolve(signal);
      } else if (now - firstAt > SAME_PRESS_MS && signal !== 'SIGHUP') {
        process.exit(secondCode);
      }
    };
    for (const each of SIGNALS) process.on(each, take);
  });
}
