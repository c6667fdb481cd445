// The program's log: one typed record per event, as JSON lines for machines and readable on a terminal. Error objects
// never get here, because those of HTTP libraries hold signed URLs. As a last defense, the finished line is scrubbed.
import path from 'node:path';
import type { Writable } from 'node:stream';
import { destination, type Level, type LevelWithSilent, type Logger, multistream, pino } from 'pino';
import { PinoPretty as pretty } from 'pino-pretty';
import { plainText } from '../../domain/text.ts';
import { isoText } from '../../domain/time-text.ts';
import { realClock } from '../../ports/clock.ts';
import { makeFolder } from './durable-file.ts';
import { createSecrets } from './secrets.ts';
import { whyNoFile } from './usable-paths.ts';

type Plain = string | number | boolean | null | undefined | readonly Plain[] | { readonly [name: string]: Plain };

/** `op` names the event in kebab-case, `message` is a sentence for people, all other fields are plain values. */
export interface LogEvent {
  readonly op: string;
  /** Default: `info`. */
  readonly level?: Level;
  readonly message?: string;
  readonly [field: string]: Plain;
}

export interface Log {
  logEvent(event: LogEvent): void;
  /** From now on, replaces `text` by `[secret]` in every line, in each form in which a line may hold it. */
  registerSecret(text: string): void;
  /** The same replacement for text that goes elsewhere: to the terminal or into the page's answers. */
  scrub(text: string): string;
  /** Returns whether text that a person typed reveals a random secret or a large part of one. */
  holdsSecret(text: string): boolean;
  /** A logger for libraries that log by themselves; its lines go through the same scrubber. */
  child(part: string): Logger;
  /** Reopens the file by name after it was moved aside. Throws if that fails and keeps writing to the old one. */
  reopen(): void;
  /** Resolves once everything logged so far is written. */
  close(): Promise<void>;
}

export interface LogSettings {
  readonly level: LevelWithSilent;
  /** Absolute path of a file that gets JSON lines as well; it grows until somebody moves it and requests `reopen`. */
  readonly file?: string;
}

/** The log's second destination: a terminal gets readable lines, anything else JSON. */
export interface LogTarget {
  readonly stream: Pick<Writable, 'write'>;
  readonly isTerminal: boolean;
  /** Turns a line of JSON into terminal text; `null` omits it. By default every field of every line is shown. */
  readonly format?: (line: string) => string | null;
}

/** Opens the log. Throws if the file can't be opened; a later write failure is reported once on standard error. */
export function createLog(settings: LogSettings, target: LogTarget): Log {
  const secrets = createSecrets();
  const openFile = () => (settings.file === undefined ? null : openLogFile(settings.file));
  let file = openFile();
  const format = target.isTerminal ? (target.format ?? everyField()) : (line: string) => line;
  const { level } = settings;
  const stream = {
    write: (line: string) => {
      const clean = plainLine(secrets.scrub(line));
      const shown = format(clean);
      if (shown !== null) target.stream.write(shown);
      file?.write(clean);
    },
  };
  const streams = [{ stream, level: level === 'silent' ? ('fatal' as const) : level }];
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${isoText(realClock.now())}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    multistream(streams),
  );
  return {
    logEvent: ({ level: at = 'info', message, ...fields }) => logger[at](plainValue(fields), message),
    registerSecret: secrets.register,
    scrub: secrets.scrub,
    holdsSecret: secrets.areIn,
    child: (part) => logger.child({ op: part }),
    reopen: () => {
      const anew = openFile();
      file?.end();
      file = anew;
    },
    close: async () => {
      file?.end();
      file = null;
    },
  };
}

/** Terminals show these lines, also through programs that decode them: strips control characters from all text. */
const plainLine = (line: string): string =>
  `${JSON.stringify(JSON.parse(line, (_name, value) => (typeof value === 'string' ? plainText(value) : value)))}\n`;

function everyField(): NonNullable<LogTarget['format']> {
  const format = pretty.prettyFactory({
    colorize: true,
    translateTime: 'SYS:HH:MM:ss.l',
    messageFormat: '{op} {msg}',
    ignore: 'op',
    singleLine: true,
  });
  return (line) => format(line) ?? '';
}

/** The compiler keeps error objects out; this does the same at run time, for values that came as `unknown`. */
function plainValue(value: Plain): Plain {
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plainValue);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `[${value.constructor.name}]`;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plainValue(field)]));
}

// The log's file. A full volume must cost neither unbounded memory nor a line on standard error per line of the log.

export interface LogFile {
  write(line: string): void;
  end(): void;
}

/** Most bytes that wait for disk space; later lines are lost. */
const WAITING_BYTES = 1_048_576;

/** Throws if the file can't be opened. Appends: after a truncation it continues at the new end. */
function openLogFile(dest: string): LogFile {
  makeFolder(path.dirname(path.resolve(dest)));
  const code = whyNoFile(dest);
  if (code !== null) throw Object.assign(new Error(`The log file cannot be written (${code}).`), { code });
  const file = destination({ dest, sync: true, append: true, mode: 0o600, maxLength: WAITING_BYTES });
  let isFailing = false;
  let lost = 0;
  file.on('error', () => {
    if (!isFailing) say('The log file cannot be written; the log goes on without it.');
    isFailing = true;
  });
  file.on('drop', () => {
    lost += 1;
  });
  file.on('write', () => {
    if (!isFailing) return;
    say(`The log file can be written again${lost === 0 ? '' : `; it lacks ${lost} line${lost === 1 ? '' : 's'}`}.`);
    isFailing = false;
    lost = 0;
  });
  return {
    write: (line) => void file.write(line),
    // A graceful end would wait for disk space forever and keep the descriptor.
    end: () => (isFailing ? file.destroy() : file.end()),
  };
}

const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
