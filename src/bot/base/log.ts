// The program's log: one typed record per event, as JSON lines for machines and readable on a terminal. Error objects
// never come here: those of HTTP libraries hold signed URLs. A scrubber on the finished line is the last defence.
import path from 'node:path';
import type { Writable } from 'node:stream';
import { destination, type Level, type LevelWithSilent, type Logger, multistream, pino, stdTimeFunctions } from 'pino';
import { PinoPretty as pretty } from 'pino-pretty';
import { plainText } from '../../domain/text.ts';
import { makeFolder } from './durable-file.ts';
import { createSecrets } from './secrets.ts';
import { whyNoFile } from './usable-paths.ts';

type Plain = string | number | boolean | null | undefined | readonly Plain[] | { readonly [name: string]: Plain };

/** What happened: `op` in kebab-case names it, `message` is a sentence for people, the rest are plain values. */
export interface LogEvent {
  readonly op: string;
  /** `info` where nothing else is said. */
  readonly level?: Level;
  readonly message?: string;
  readonly [field: string]: Plain;
}

export interface Log {
  logEvent(event: LogEvent): void;
  /** From now on `text` is replaced by `[secret]` in every line, in each form that a line may hold it. */
  registerSecret(text: string): void;
  /** The same replacement for text that goes elsewhere: a message on the terminal, an answer of the page. */
  scrub(text: string): string;
  /** Whether a text that a person typed gives away a random secret, or a large part of one. */
  holdsSecret(text: string): boolean;
  /** For parts that bring their own messages; its lines go through the same scrubber. */
  child(part: string): Logger;
  /** Opens the file anew, by its name: it was moved aside. Throws where that fails; the old one is written on then. */
  reopen(): void;
  /** Returns when everything said so far is written. */
  close(): Promise<void>;
}

export interface LogSettings {
  readonly level: LevelWithSilent;
  /** Absolute path of a file that gets JSON lines as well; it grows until somebody moves it and asks for `reopen`. */
  readonly file?: string;
}

/** Where lines go besides the file: a terminal gets readable ones, anything else JSON. */
export interface LogTarget {
  readonly stream: Pick<Writable, 'write'>;
  readonly isTerminal: boolean;
  /** How a terminal shows a line of JSON; `null` leaves it out. Every field of every line where nothing is said. */
  readonly format?: (line: string) => string | null;
}

/** Opens the log. Throws where the file can't be opened; a later failure to write is said once on standard error. */
export function createLog(settings: LogSettings, target: LogTarget): Log {
  const secrets = createSecrets();
  const openFile = () => (settings.file === undefined ? null : openLogFile(settings.file));
  let file = openFile();
  const front = target.isTerminal ? formatted(target.stream, target.format ?? everyField()) : target.stream;
  const level = settings.level;
  const stream = {
    write: (line: string) => {
      const clean = plainLine(secrets.scrub(line));
      front.write(clean);
      file?.write(clean);
    },
  };
  const streams = [{ stream, level: level === 'silent' ? ('fatal' as const) : level }];
  const logger = pino(
    { level, base: null, timestamp: stdTimeFunctions.isoTime, formatters: { level: (label) => ({ level: label }) } },
    multistream(streams),
  );
  return {
    logEvent: ({ level: at = 'info', message, ...fields }) => logger[at](plainRecord(fields), message),
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

/** A line is read on terminals, and shown by programs that decode it: no text in it acts there. */
const plainLine = (line: string): string =>
  `${JSON.stringify(JSON.parse(line, (_name, value) => (typeof value === 'string' ? plainText(value) : value)))}\n`;

type Format = NonNullable<LogTarget['format']>;

function formatted(stream: Pick<Writable, 'write'>, format: Format): Pick<Writable, 'write'> {
  return {
    write: (line: string) => {
      const text = format(line);
      return text === null || stream.write(text);
    },
  };
}

function everyField(): Format {
  const format = pretty.prettyFactory({
    colorize: true,
    translateTime: 'SYS:HH:MM:ss.l',
    messageFormat: '{op} {msg}',
    ignore: 'op',
    singleLine: true,
  });
  return (line) => format(line) ?? '';
}

/** The compiler keeps error objects out; this does so at run time, for values that came as `unknown`. */
function plainRecord(value: { readonly [name: string]: Plain }): Record<string, Plain> {
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plainValue(field)]));
}

function plainValue(value: Plain): Plain {
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(plainValue);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return `[${value.constructor.name}]`;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, plainValue(field)]));
}

// The file that the log goes to as well. A full volume must cost neither memory without bound nor one more line on
// standard error for each line of the log.

export interface LogFile {
  write(line: string): void;
  end(): void;
}

/** What waits for room at the most; what comes then is lost. */
const WAITING_BYTES = 1_048_576;

/** Throws where it cannot be opened. Appends: a file that is cut meanwhile goes on at its new end. */
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
    // One that waits for room would wait on, and keep its descriptor.
    end: () => (isFailing ? file.destroy() : file.end()),
  };
}

const say = (sentence: string): void => void process.stderr.write(`${sentence}\n`);
