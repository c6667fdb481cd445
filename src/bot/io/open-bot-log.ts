// The bot's log: standard output and always a file, so that closing a terminal loses nothing.
import path from 'node:path';
import { styleText } from 'node:util';
import { PinoPretty as pretty } from 'pino-pretty';
import { z } from 'zod';
import { EXIT } from '../base/exit-codes.ts';
import { createLog, type Log } from '../base/log.ts';
import { refusing } from '../base/system-error.ts';
import { unwritable } from '../base/usable-paths.ts';
import type { Settings } from '../settings/types.ts';
import type { CommandIo } from './command-io.ts';

const FILE = 'bot.log';

export const logFileOf = ({ log, stateFolder }: Settings): string => log.file ?? path.join(stateFolder, FILE);

/** Throws `StartError` (73) if the file can't be written. */
export function openBotLog(settings: Settings, io: CommandIo): Log {
  const format = createTerminalLines({ colorize: (io.environment.NO_COLOR ?? '') === '' });
  const target = { stream: process.stdout, isTerminal: io.isTerminal, format };
  const file = logFileOf(settings);
  return refusing(
    EXIT.stateUnusable,
    (code) => unwritable('log file', file, code),
    () => createLog({ level: settings.log.level, file }, target),
  );
}

// The bot's log for people at a terminal: sentences without their fields, and without events that are better read in
// the file.

/**
 * Orders come and go by the dozen, the greeting and the summary are already printed, and assumptions about lists belong
 * in `check`, `plan` and `status`.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(['accepted', 'closed', 'started', 'starting', 'summary', 'told-to-stop']);

const recordSchema = z.object({
  level: z.string(),
  time: z.string(),
  op: z.string(),
  msg: z.string().optional(),
  symbol: z.string().optional(),
});

/** Turns a line of JSON into a line for a terminal, or `null` to leave it out. */
export function createTerminalLines({ colorize }: { colorize: boolean }): (line: string) => string | null {
  const everyField = pretty.prettyFactory({ colorize, translateTime: 'SYS:HH:MM:ss' });
  const colored = (color: 'yellow' | 'red', text: string): string =>
    colorize ? styleText(color, text, { validateStream: false }) : text;
  return (line) => {
    const { level, time, op, msg = op, symbol } = recordSchema.parse(JSON.parse(line));
    // An error that ends the program must be visible in full even if the file can't be written.
    if (level === 'fatal') return everyField(line) ?? null;
    if (level === 'info' && LEFT_OUT.has(op)) return null;
    const label = { warn: colored('yellow', 'WARN '), error: colored('red', 'ERROR ') }[level] ?? '';
    const prefix = symbol === undefined || msg.startsWith(symbol) ? '' : `${symbol} `;
    return `${new Date(time).toTimeString().slice(0, 8)} ${label}${prefix}${msg}\n`;
  };
}
