// The command line: which commands there are, and what becomes of an error that one of them ends with.
import { Command, CommanderError } from 'commander';
import { EXIT, EXIT_SENTENCES, type ExitCode, StartError } from './base/exit-codes.ts';
import { VERSION } from './base/program.ts';
import { framesOf } from './base/system-error.ts';
import { addBacktest } from './commands/backtest.ts';
import { addBackup, addRestore } from './commands/backup.ts';
import { addExport, addReport, addStatement } from './commands/books.ts';
import { addCheck, addPlan } from './commands/check.ts';
import { addCancelAll, addRearm, addWatchdog } from './commands/dead-man.ts';
import { addExchange } from './commands/exchange.ts';
import { addCompletion, addInit } from './commands/init.ts';
import { addNotify } from './commands/notify.ts';
import { addPage, addPageToken } from './commands/page.ts';
import { addProbe } from './commands/probe.ts';
import { addRun } from './commands/run.ts';
import { addStatus } from './commands/status.ts';
import { addPause, addReload, addResume, addSet, addStop } from './commands/steer.ts';
import type { CommandIo } from './io/command-io.ts';

const COMMANDS = [
  addInit,
  addRun,
  addExchange,
  addCheck,
  addProbe,
  addPlan,
  addStatus,
  addPause,
  addResume,
  addStop,
  addSet,
  addReload,
  addPage,
  addPageToken,
  addNotify,
  addWatchdog,
  addCancelAll,
  addRearm,
  addBackup,
  addRestore,
  addExport,
  addStatement,
  addReport,
  addBacktest,
  addCompletion,
];

/** One program for one run: `run` never throws and resolves with the exit code. */
export function createCommandLine(io: CommandIo): { run(args: readonly string[]): Promise<ExitCode> } {
  let code: ExitCode = EXIT.done;
  const program = new Command('quotekeeper')
    .description('A market maker for spot exchanges that can only be polled over REST.')
    .version(VERSION)
    .exitOverride()
    .showHelpAfterError('Run with --help to see what is understood.')
    .configureOutput({ writeOut: (text) => io.out(text.trimEnd()), writeErr: (text) => io.err(text.trimEnd()) })
    .addHelpText('after', `\nExit codes:\n${exitCodeLines()}\n\nBegin with: quotekeeper run config/paper.yaml`);
  const finish = (ended: ExitCode): void => {
    code = ended;
  };
  for (const add of COMMANDS) add({ program, io, finish });
  return {
    async run(args) {
      try {
        await program.parseAsync(args, { from: 'user' });
        return code;
      } catch (error) {
        return exitCodeOf(error, io);
      }
    },
  };
}

/** Says what a person may read of an error that ended a command. */
export function exitCodeOf(error: unknown, io: CommandIo): ExitCode {
  // Commander has printed its own sentence. It ends with 0 only after --help and --version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof StartError) {
    io.err(error.message);
    return error.code;
  }
  // Only our own sentences are shown: what a library put into its message may be a secret.
  const isOurs = error instanceof Error && error.name === 'InvariantViolation';
  const name = error instanceof Error ? error.name : typeof error;
  io.err(`Internal error: ${isOurs ? error.message : `an unexpected ${name}.`}`);
  io.err(framesOf(error).join('\n'));
  return EXIT.internalError;
}

function exitCodeLines(): string {
  return Object.entries(EXIT_SENTENCES)
    .map(([code, sentence]) => `  ${code.padStart(3)}  ${sentence}`)
    .join('\n');
}
