// What a command may touch of the process around it: so that tests can run one without starting a process.
import type { Environment } from '../keys/keys.ts';

export interface CommandIo {
  /** Whole lines; adds the line feed. What was asked for goes to `out`, everything about it to `err`. */
  out(text: string): void;
  err(text: string): void;
  /** Whether `out` is read by a person. */
  readonly isTerminal: boolean;
  readonly environment: Environment;
}
