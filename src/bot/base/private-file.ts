// The one way to open a file that the program trusts: keys, tokens, certificates, the journal, the kill latch, own
// orders, backups. Anybody else able to write or replace one could steer the bot.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import path from 'node:path';
import type { z } from 'zod';
import { systemCode } from './system-error.ts';

export interface PrivateFile {
  /** Name in sentences: `key file`. */
  readonly what: string;
  readonly path: string;
  /** A larger file can't be the right one. */
  readonly mostBytes: number;
  /** Others must not read it, either. */
  readonly isSecret?: boolean;
}

/** Its message is a sentence that names the file and never quotes its content. */
export class NotPrivate extends Error {
  override readonly name = 'NotPrivate';
  /** The system's code where it refuses; `ENOENT` if there is no file. */
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

const MEGABYTE = 2 ** 20;
/** No file that the bot writes next to its databases grows this large. */
const MOST_STATE_BYTES = 64 * MEGABYTE;
const STICKY = 0o1000;

/** Throws `NotPrivate`. */
export function readPrivateFile(file: PrivateFile): Buffer {
  const { bytes, doubt } = readDoubtful(file);
  if (doubt !== null) throw new NotPrivate(doubt, 'EPERM');
  return bytes;
}

/**
 * Returns the content, and one sentence why it can't be trusted; null if it can. Judges the open descriptor, so that
 * swapping the file in between can't fool it. Throws `NotPrivate` if there is nothing to read.
 */
export function readDoubtful(file: PrivateFile): { readonly bytes: Buffer; readonly doubt: string | null } {
  const descriptor = opened(file);
  try {
    const stats = fstatSync(descriptor);
    const wrong = whyNoFile(stats, file);
    if (wrong !== null) throw new NotPrivate(wrong, 'EPERM');
    return { bytes: readFileSync(descriptor), doubt: whyDoubtful(stats, file) };
  } finally {
    closeSync(descriptor);
  }
}

/** A file that the program itself wrote into its state folder. Throws `NotPrivate`. */
export const readStateFile = (what: string, file: string): string =>
  readPrivateFile({ what, path: file, mostBytes: MOST_STATE_BYTES }).toString('utf8');

/** The same for JSON; null if the file is missing or unreadable. */
export function readStateJson<T>(what: string, file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readStateFile(what, file)));
  } catch {
    return null;
  }
}

/** The same check before a database is opened by its path. A missing file passes. */
export function assertPrivateDatabase(what: string, file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const database = { what, path: file, mostBytes: Number.POSITIVE_INFINITY };
  const wrong = whyNoFile(stats, database) ?? whyDoubtful(stats, database);
  if (wrong !== null) throw new NotPrivate(wrong, 'EPERM');
}

/** Throws `NotPrivate` if the folder is another user's, or others may put files into it. */
export function assertPrivateFolder(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const wrong = isOwn(stats) ? whyOpenFolder(folder) : foreign(`folder ${folder}`, stats);
  if (wrong !== null) throw new NotPrivate(wrong, 'EPERM');
}

/** Resolves a path that a person wrote: it may be a link, as with certbot and Kubernetes. */
export function linkedFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function opened({ what, path: file }: PrivateFile): number {
  try {
    // Without it, a pipe in its place would hold the program up forever.
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') throw new NotPrivate(`There is no ${what} ${file}.`, code);
    const why = code === 'ELOOP' ? 'is a symbolic link, a file was expected' : `cannot be opened (${code})`;
    throw new NotPrivate(`The ${what} ${file} ${why}.`, code);
  }
}

/** Such a file is not read at all. */
function whyNoFile(stats: Stats, { what, path: file, mostBytes }: PrivateFile): string | null {
  if (stats.isSymbolicLink()) return `The ${what} ${file} is a symbolic link, a file was expected.`;
  if (!stats.isFile()) return `The ${what} ${file} is not a file.`;
  return stats.size > mostBytes ? `The ${what} ${file} is too large to be one (${stats.size} bytes).` : null;
}

function whyDoubtful(stats: Stats, { what, path: file, isSecret = false }: PrivateFile): string | null {
  if (!isOwn(stats)) return foreign(`${what} ${file}`, stats);
  if ((stats.mode & forbiddenBits(stats, isSecret)) === 0) return whyOpenFolder(path.dirname(file));
  const only = isSecret ? 'read it' : 'write it';
  return `The ${what} ${file} has mode ${modeOf(stats)}; run \`chmod 600 ${file}\`, so that only you can ${only}.`;
}

const foreign = (named: string, { uid }: Stats): string =>
  `The ${named} belongs to user ${uid}, not to you (${userId()}); it must be your own.`;

/** Others may add or remove files in the folder; in a sticky folder they may only add their own. */
function whyOpenFolder(folder: string): string | null {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o022) === 0 || (stats.mode & STICKY) !== 0) return null;
  const remedy = `look whether its files are yours, and run \`chmod go-w ${folder}\``;
  return `Others may write the folder ${folder} (mode ${modeOf(stats)}): ${remedy}.`;
}

/** Root decides about the group of its own secrets: systemd and Kubernetes hand secrets to services this way. */
function forbiddenBits({ uid }: Stats, isSecret: boolean): number {
  if (!isSecret) return 0o022;
  return uid === userId() ? 0o177 : 0o137;
}

/** Root could do anything anyway. */
const isOwn = ({ uid }: Stats): boolean => userId() === undefined || uid === userId() || uid === 0;
const userId = (): number | undefined => process.getuid?.();
const modeOf = ({ mode }: Stats): string => (mode & 0o777).toString(8).padStart(4, '0');
