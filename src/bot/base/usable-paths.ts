// Checks whether a folder or file could be written, without making either.
import { accessSync, constants, existsSync, mkdtempSync, rmdirSync, type Stats, statSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { makeFolder } from './durable-file.ts';
import { EXIT, StartError } from './exit-codes.ts';
import { assertPrivateFolder, NotPrivate } from './private-file.ts';
import { refusing, systemCode } from './system-error.ts';

/** Throws `StartError` (73) if the folder can neither be used nor made. */
export function assertFolderUsable(folder: string): void {
  const code = whyNoFolder(folder);
  if (code !== null) throw new StartError(EXIT.stateUnusable, `The state folder ${folder} cannot be used (${code}).`);
  try {
    assertPrivateFolder(folder);
  } catch (error) {
    throw error instanceof NotPrivate ? new StartError(EXIT.stateUnusable, error.message) : error;
  }
}

/** Throws `StartError` (73). */
export function makeStateFolder(stateFolder: string): void {
  const unusable = (code: string): string => `The state folder ${stateFolder} cannot be used (${code}).`;
  refusing(EXIT.stateUnusable, unusable, () => makeFolder(stateFolder));
}

/** Throws `StartError` (73) if the file can neither be written nor made. `what` names it in the sentence. */
export function assertFileWritable(what: string, file: string): void {
  const code = whyNoFile(file);
  if (code !== null) throw new StartError(EXIT.stateUnusable, unwritable(what, file, code));
}

export const unwritable = (what: string, file: string, code: string): string =>
  `The ${what} ${file} cannot be written (${code}).`;

/** The system's code for why it can't be made or used; `null` if it can. */
function whyNoFolder(folder: string): string | null {
  const found = look(folder);
  if (typeof found === 'string') return found === 'ENOENT' ? whyNoneIn(path.dirname(folder)) : found;
  return found.isDirectory() ? failureOf(() => accessSync(folder, constants.W_OK | constants.X_OK)) : 'ENOTDIR';
}

/** The same for making a folder inside `folder`: some file systems (/proc) grant access and still fail. */
function whyNoneIn(folder: string): string | null {
  const code = whyNoFolder(folder);
  if (code !== null || !existsSync(folder)) return code;
  return failureOf(() => rmdirSync(mkdtempSync(path.join(folder, '.quotekeeper-'))));
}

/** The same for a file. A pipe would hold the program up. */
export function whyNoFile(file: string): string | null {
  const found = look(file);
  if (typeof found === 'string') return found === 'ENOENT' ? whyNoneIn(path.dirname(file)) : found;
  if (found.isDirectory()) return 'EISDIR';
  return found.isFile() || found.isCharacterDevice()
    ? failureOf(() => accessSync(file, constants.W_OK))
    : 'it is no file';
}

function look(place: string): Stats | string {
  try {
    return statSync(place);
  } catch (error) {
    return systemCode(error);
  }
}

function failureOf(step: () => void): string | null {
  try {
    step();
    return null;
  } catch (error) {
    return systemCode(error);
  }
}

// Checks whether a port is free: listens on it for a moment and closes.

export interface WantedPort {
  readonly host: string;
  /** 0: chosen by the system. */
  readonly port: number;
}

/** The system's code for why listening there would fail; `null` if it would not. */
export function whyNotFree({ host, port }: WantedPort): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error) => resolve(systemCode(error)));
    server.listen({ host, port }, () => void server.close(() => resolve(null)));
  });
}

export function pagePortRefusal({ host, port }: WantedPort, code: string): StartError {
  return new StartError(
    EXIT.unavailable,
    code === 'EADDRINUSE'
      ? `Port ${port} of ${host} is taken: stop what listens there, or set web.port to another.`
      : `The page can't listen on port ${port} of ${host} (${code}).`,
  );
}
