// What a command may use of its process, so that tests can run one without starting a process.
import type { Environment } from '../keys/keys.ts';

export interface CommandIo {
  /** Prints whole lines and adds the line feed. Results go to `out`, everything about them to `err`. */
  out(text: string): void;
  err(text: string): void;
  /** Whether a person reads `out`. */
  readonly isTerminal: boolean;
  readonly environment: Environment;
}
