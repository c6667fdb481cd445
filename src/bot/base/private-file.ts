// The one way to open a file that the program believes: keys, tokens, certificates, the journal, the kill latch, own
// orders, backups. Whoever else could write it, or put another in its place, could steer the bot.
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
  /** What a sentence calls it: `key file`. */
  readonly what: string;
  readonly path: string;
  /** A larger one is another file. */
  readonly mostBytes: number;
  /** Others may not read it, either. */
  readonly isSecret?: boolean;
}

/** Its message is a sentence that names the file and never its content. */
export class NotPrivate extends Error {
  override readonly name = 'NotPrivate';
  /** Of the system where it refuses; `ENOENT` where there is no file. */
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

const MEGABYTE = 2 ** 20;
/** No file that the bot itself writes beside its databases grows so large. */
const MOST_STATE_BYTES = 64 * MEGABYTE;
const STICKY = 0o1000;

/** Throws `NotPrivate`. */
export function readPrivateFile(file: PrivateFile): Buffer {
  const { bytes, doubt } = readDoubtful(file);
  if (doubt !== null) throw new NotPrivate(doubt, 'EPERM');
  return bytes;
}

/**
 * What a file says, and why it is not to be believed, one sentence; null where it is. It judges what it opened: a file
 * that is exchanged between two looks can't pass. Throws `NotPrivate` where there is nothing to read.
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

/** The same of JSON; null where there is no such file, or none that can be read. */
export function readStateJson<T>(what: string, file: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(readStateFile(what, file)));
  } catch {
    return null;
  }
}

/** The same before a database is opened, which is done by its path alone. Where there is none all is well. */
export function assertPrivateDatabase(what: string, file: string): void {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const database = { what, path: file, mostBytes: Number.POSITIVE_INFINITY };
  const wrong = whyNoFile(stats, database) ?? whyDoubtful(stats, database);
  if (wrong !== null) throw new NotPrivate(wrong, 'EPERM');
}

/** Throws `NotPrivate` where a folder is another user's, or others may put files into it. */
export function assertPrivateFolder(folder: string): void {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return;
  const owner = `The folder ${folder} belongs to user ${stats.uid}, not to you (${userId()}); it must be your own.`;
  const wrong = isOwn(stats) ? whyOpenFolder(folder) : owner;
  if (wrong !== null) throw new NotPrivate(wrong, 'EPERM');
}

/** Where a path that a person wrote leads: it may be a link, as those of certbot and of Kubernetes are. */
export function linkedFile(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function opened({ what, path: file }: PrivateFile): number {
  try {
    // A pipe in its place would otherwise hold the program up for ever.
    return openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT') throw new NotPrivate(`There is no ${what} ${file}.`, code);
    const why = code === 'ELOOP' ? 'is a symbolic link, a file was expected' : `cannot be opened (${code})`;
    throw new NotPrivate(`The ${what} ${file} ${why}.`, code);
  }
}

/** Of no such file a byte is read. */
function whyNoFile(stats: Stats, { what, path: file, mostBytes }: PrivateFile): string | null {
  if (stats.isSymbolicLink()) return `The ${what} ${file} is a symbolic link, a file was expected.`;
  if (!stats.isFile()) return `The ${what} ${file} is not a file.`;
  return stats.size > mostBytes ? `The ${what} ${file} is too large to be one (${stats.size} bytes).` : null;
}

function whyDoubtful(stats: Stats, { what, path: file, isSecret = false }: PrivateFile): string | null {
  if (!isOwn(stats))
    return `The ${what} ${file} belongs to user ${stats.uid}, not to you (${userId()}); it must be your own.`;
  if ((stats.mode & forbiddenBits(stats, isSecret)) === 0) return whyOpenFolder(path.dirname(file));
  const only = isSecret ? 'read it' : 'write it';
  return `The ${what} ${file} has mode ${modeOf(stats)}; run \`chmod 600 ${file}\`, so that only you can ${only}.`;
}

/** Where others may put files into a folder, or take them out; in a sticky one they may only put their own. */
function whyOpenFolder(folder: string): string | null {
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined || (stats.mode & 0o022) === 0 || (stats.mode & STICKY) !== 0) return null;
  const remedy = `look whether its files are yours, and run \`chmod go-w ${folder}\``;
  return `Others may write the folder ${folder} (mode ${modeOf(stats)}): ${remedy}.`;
}

/** The group of a secret that is root's is root's choice: so services are given theirs by systemd and Kubernetes. */
function forbiddenBits({ uid }: Stats, isSecret: boolean): number {
  if (!isSecret) return 0o022;
  return uid === userId() ? 0o177 : 0o137;
}

/** Root could do anything anyway. */
const isOwn = ({ uid }: Stats): boolean => userId() === undefined || uid === userId() || uid === 0;
const userId = (): number | undefined => process.getuid?.();
const modeOf = ({ mode }: Stats): string => (mode & 0o777).toString(8).padStart(4, '0');
