// The code of an error that Node gave: `ENOENT`, `EADDRINUSE` … Its message may hold what nobody should see.
import { type ExitCode, StartError } from './exit-codes.ts';

/** `unknown error` where there is no code. */
export function systemCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
}

/** What the step throws becomes a `StartError` where it is none; `sentence` is given the code of the system. */
export function refusing<T>(exit: ExitCode, sentence: (code: string) => string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(exit, sentence(systemCode(error)));
  }
}

// Where an error happened, without what it says: a library's message may hold what nobody should see.

/** The lines of the stack, innermost first; empty for what is not an error. */
export function framesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
}
