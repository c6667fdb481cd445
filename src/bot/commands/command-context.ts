// What each file of commands/ gets to add its command with.
import type { Command } from 'commander';
import type { ExitCode } from '../base/exit-codes.ts';
import type { CommandIo } from '../io/command-io.ts';

/** What a command needs to add itself. */
export interface CommandContext {
  readonly program: Command;
  readonly io: CommandIo;
  /** The exit code of the command that ran. */
  finish(code: ExitCode): void;
}
