// The bot's log: standard output and always a file, so that a terminal that is closed loses nothing.
import path from 'node:path';
import type { CommandIo } from './command-io.ts';
import { createLog, type Log } from './log.ts';
import type { Settings } from './settings/types.ts';
import { createTerminalLines } from './terminal-lines.ts';

const FILE = 'bot.log';

export const logFileOf = ({ log, stateFolder }: Settings): string => log.file ?? path.join(stateFolder, FILE);

export function openBotLog(settings: Settings, io: CommandIo): Log {
  const format = createTerminalLines({ colorize: (io.environment.NO_COLOR ?? '') === '' });
  const target = { stream: process.stdout, isTerminal: io.isTerminal, format };
  return createLog({ level: settings.log.level, file: logFileOf(settings) }, target);
}
