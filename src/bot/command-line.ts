// The command line: the commands, and how their errors become exit codes.
import { Command, CommanderError } from 'commander';
import { showTimesIn } from '../domain/time-text.ts';
import { EXIT, EXIT_SENTENCES, type ExitCode, StartError } from './base/exit-codes.ts';
import { VERSION } from './base/program.ts';
import { framesOf } from './base/system-error.ts';
import type { CommandContext } from './commands/configuration-argument.ts';
import type { CommandIo } from './io/command-io.ts';

type Add = (context: CommandContext) => void;

/** The commands in the order of the help. Each one's file is loaded on demand. */
const COMMANDS: Readonly<Record<string, () => Promise<Add>>> = {
  init: async () => (await import('./commands/init.ts')).addInit,
  run: async () => (await import('./commands/run.ts')).addRun,
  exchange: async () => (await import('./commands/exchange.ts')).addExchange,
  check: async () => (await import('./commands/check.ts')).addCheck,
  probe: async () => (await import('./commands/probe.ts')).addProbe,
  plan: async () => (await import('./commands/check.ts')).addPlan,
  status: async () => (await import('./commands/status.ts')).addStatus,
  pause: async () => (await import('./commands/steer.ts')).addPause,
  resume: async () => (await import('./commands/steer.ts')).addResume,
  stop: async () => (await import('./commands/steer.ts')).addStop,
  set: async () => (await import('./commands/steer.ts')).addSet,
  reload: async () => (await import('./commands/steer.ts')).addReload,
  page: async () => (await import('./commands/page.ts')).addPage,
  'page-token': async () => (await import('./commands/page.ts')).addPageToken,
  notify: async () => (await import('./commands/notify.ts')).addNotify,
  watchdog: async () => (await import('./commands/dead-man.ts')).addWatchdog,
  'cancel-all': async () => (await import('./commands/dead-man.ts')).addCancelAll,
  rearm: async () => (await import('./commands/dead-man.ts')).addRearm,
  journal: async () => (await import('./commands/journal.ts')).addJournal,
  backup: async () => (await import('./commands/backup.ts')).addBackup,
  restore: async () => (await import('./commands/backup.ts')).addRestore,
  export: async () => (await import('./commands/books.ts')).addExport,
  statement: async () => (await import('./commands/books.ts')).addStatement,
  report: async () => (await import('./commands/books.ts')).addReport,
  fleet: async () => (await import('./commands/fleet.ts')).addFleet,
  backtest: async () => (await import('./commands/backtest.ts')).addBacktest,
  completion: async () => (await import('./commands/init.ts')).addCompletion,
};

/** The command named first; all of them if it is none, or describes the others. */
function wantedBy([first = '']: readonly string[]): readonly (() => Promise<Add>)[] {
  const one = first === 'completion' ? undefined : COMMANDS[first];
  return one === undefined ? Object.values(COMMANDS) : [one];
}

/** One program per run: `run` never throws; it resolves with the exit code. */
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
  return {
    async run(args) {
      try {
        for (const load of wantedBy(args)) (await load())({ program, io, finish });
        await program.parseAsync(args, { from: 'user' });
        return code;
      } catch (error) {
        return exitCodeOf(error, io);
      } finally {
        // Another run in this process may have another configuration.
        showTimesIn('UTC');
      }
    },
  };
}

/** Prints what a person may read of an error that ended a command. */
export function exitCodeOf(error: unknown, io: CommandIo): ExitCode {
  // Commander has printed its own sentence. It exits with 0 only after --help and --version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
  if (error instanceof StartError) {
    io.err(error.message);
    return error.code;
  }
  // Only our own sentences are printed: a library's message may hold a secret.
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
