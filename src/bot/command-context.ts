// What each file of commands/ gets to add its command with.
import type { Command } from 'commander';
import type { CommandIo } from './command-io.ts';
import type { ExitCode } from './exit-codes.ts';

/** What a command needs to add itself. */
export interface CommandContext {
  readonly program: Command;
  readonly io: CommandIo;
  /** The exit code of the command that ran. */
  finish(code: ExitCode): void;
}
