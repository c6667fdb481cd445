// The bot's log: standard output and always a file, so that a terminal that is closed loses nothing.
import path from 'node:path';
import { createLog, type Log } from '../base/log.ts';
import { systemCode } from '../base/system-error.ts';
import { createTerminalLines } from '../base/terminal-lines.ts';
import { unwritable } from '../base/usable-paths.ts';
import type { Settings } from '../settings/types.ts';
import type { CommandIo } from './command-io.ts';

const FILE = 'bot.log';

export const logFileOf = ({ log, stateFolder }: Settings): string => log.file ?? path.join(stateFolder, FILE);

/** Throws `StartError` (73) where the file can't be written. */
export function openBotLog(settings: Settings, io: CommandIo): Log {
  const format = createTerminalLines({ colorize: (io.environment.NO_COLOR ?? '') === '' });
  const target = { stream: process.stdout, isTerminal: io.isTerminal, format };
  const file = logFileOf(settings);
  try {
    return createLog({ level: settings.log.level, file }, target);
  } catch (error) {
    throw unwritable('log file', file, systemCode(error));
  }
}
