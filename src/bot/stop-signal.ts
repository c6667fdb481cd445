// SIGINT and SIGTERM do the same: the first asks for an orderly end, the second ends at once.
import type { ExitCode } from './exit-codes.ts';

/** Resolves with the first signal. After it a second one ends the process with `secondCode`, without any tidying. */
export function stopSignal(secondCode: ExitCode): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    const first = (signal: NodeJS.Signals): void => {
      process.off('SIGINT', first);
      process.off('SIGTERM', first);
      process.once('SIGINT', () => process.exit(secondCode));
      process.once('SIGTERM', () => process.exit(secondCode));
      resolve(signal);
    };
    process.on('SIGINT', first);
    process.on('SIGTERM', first);
  });
}
