// The configuration files of a command line, and their defaults.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { showTimesIn } from '../../domain/time-text.ts';
import { EXIT, type ExitCode, StartError } from '../base/exit-codes.ts';
import { linkedFile } from '../base/private-file.ts';
import { PROGRAM_FOLDER } from '../base/program.ts';
import type { CommandIo } from '../io/command-io.ts';
import type { Overrides, Settings } from '../settings/settings.ts';

const PAPER = 'config/paper.yaml';

/** The paper configuration of the current folder (`init` writes it), or else the one shipped with the program. */
export function standardConfiguration(): string {
  if (existsSync(PAPER)) return PAPER;
  const file = path.join(PROGRAM_FOLDER, PAPER);
  const relative = path.relative(process.cwd(), file);
  return relative.startsWith('..') ? file : relative;
}

export const CONFIG_HELP = 'configuration files; config/paper.yaml here or of the program when none is named';
export const ACCOUNT_CONFIG_HELP = 'configuration files; those of the one bot that runs when none is named';
export const STATE_HELP = "another state folder than the configuration's, such as that of a backtest";
export const LOOP_HELP = 'let the recordings begin again when they end';

export const withTapes = (command: Command): Command =>
  command
    .option('--tape-trades <file...>', 'recorded trades to play instead of those that the configuration names')
    .option('--tape-books <file...>', 'recorded books to play instead of those that the configuration names');

/**
 * The named files, or else the paper configuration: for commands that affect no other account. Throws `StartError`
 * (78).
 */
export async function settingsOf(files: readonly string[], overrides: Overrides = {}): Promise<Settings> {
  return loadAndShowTimes(files.length > 0 ? files : [standardConfiguration()], overrides);
}

/** From then on the process shows every time in the configuration's zone. */
async function loadAndShowTimes(files: readonly string[], overrides: Overrides): Promise<Settings> {
  // Loaded late, so that --help and a misspelled command answer at once.
  const { loadSettings } = await import('../settings/settings.ts');
  const settings = await loadSettings(files, overrides);
  const { timeZone } = settings.statement;
  showTimesIn(timeZone);
  // style-allow environment: the log on a terminal shows the time of the process's zone
  process.env.TZ = timeZone;
  return settings;
}

/**
 * The same for commands about an account: without a name, it takes the account of the one running bot, found in the
 * state folders here and next to the program. Throws `StartError`: 64 if that is not exactly one, 78 for an invalid
 * configuration.
 */
export async function accountSettingsOf(
  files: readonly string[],
  { command, io }: { readonly command: string; readonly io: Pick<CommandIo, 'environment'> },
  overrides: Overrides = {},
): Promise<Settings> {
  if (files.length > 0) return loadAndShowTimes(files, overrides);
  if (overrides.state !== undefined)
    throw new StartError(
      EXIT.usage,
      `--state ${overrides.state} needs the configuration that was played: quotekeeper ${command} <file> --state …`,
    );
  const { onlyRunningBot } = await import('../state-folder/running-bot.ts');
  const bot = onlyRunningBot(rootsOf([]), { command, pm2Configuration: io.environment.QUOTEKEEPER_CONFIG });
  const settings = await loadAndShowTimes(bot.files, overrides);
  if (linkedFile(settings.stateFolder) === bot.stateFolder) return settings;
  const changed = `The bot of ${bot.stateFolder} runs with ${bot.files.join(' ')}, which has changed since`;
  const remedy = `Name the configuration: quotekeeper ${command} <file>`;
  throw new StartError(EXIT.usage, `${changed}: it names ${settings.stateFolder} now. ${remedy}`);
}

/** Folders whose `state` may hold bots: here, next to the program, and where the files are. */
export function rootsOf(files: readonly string[]): string[] {
  // A project may keep its configuration in a `config` folder.
  const beside = files.flatMap((file) => [path.resolve(file, '..'), path.resolve(file, '../..')]);
  return [...new Set([process.cwd(), path.resolve(PROGRAM_FOLDER), ...beside])];
}

// What each file in commands/ uses to add its command.

export interface CommandContext {
  readonly program: Command;
  readonly io: CommandIo;
  /** Reports the exit code of the command that ran. */
  finish(code: ExitCode): void;
}
