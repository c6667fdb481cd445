// The code of a Node error: `ENOENT`, `EADDRINUSE` … Its message may hold private data.
import { type ExitCode, StartError } from './exit-codes.ts';

/** `unknown error` if there is no code. */
export function systemCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown error';
}

/** Turns errors of the step into a `StartError` unless they are one; `sentence` gets the system's code. */
export function refusing<T>(exit: ExitCode, sentence: (code: string) => string, step: () => T): T {
  try {
    return step();
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(exit, sentence(systemCode(error)));
  }
}

/** For a step whose failure costs nothing, or was reported elsewhere. */
export function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // Nothing depends on it.
  }
}

// Where an error happened, without its message: a library's message may hold private data.

/** The lines of the stack, innermost first; empty if it is not an error. */
export function framesOf(error: unknown): string[] {
  if (!(error instanceof Error)) return [];
  return (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
}
