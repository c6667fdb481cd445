// The page's TLS certificate, which may be renewed while the bot runs.
import { statSync } from 'node:fs';
import type { Server } from 'node:http';
import { createSecureContext } from 'node:tls';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Log } from '../base/log.ts';
import { linkedFile, NotPrivate, readPrivateFile } from '../base/private-file.ts';
import type { TlsFiles } from '../settings/types.ts';

const LOOK_EVERY_MS = 3_600_000;
/** A chain of certificates is a few kilobytes. */
const MOST_BYTES = 2 ** 20;

/** Throws `StartError` (78) if a file can't be read or the two don't match. */
export function readCertificate({ certificate, key }: TlsFiles) {
  const read = (what: string, path: string, isSecret: boolean): Buffer => {
    try {
      return readPrivateFile({ what, path: linkedFile(path), mostBytes: MOST_BYTES, isSecret });
    } catch (error) {
      throw new StartError(EXIT.configurationInvalid, `web.tls: ${error instanceof NotPrivate ? error.message : path}`);
    }
  };
  const text = { cert: read('certificate', certificate, false), key: read('key', key, true) };
  try {
    createSecureContext(text);
  } catch {
    const sentence = `web.tls: ${certificate} and ${key} are not a certificate and its key, both as PEM.`;
    throw new StartError(EXIT.configurationInvalid, sentence);
  }
  return text;
}

/** Loads a renewed certificate within the hour. Logs an invalid one, and keeps the old one. */
export function followCertificate(server: Server, files: TlsFiles, log: Log): { end(): void } {
  const version = (): string =>
    [files.certificate, files.key].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ');
  let taken = version();
  const look = (): void => {
    const found = version();
    if (found === taken || !('setSecureContext' in server) || typeof server.setSecureContext !== 'function') return;
    try {
      server.setSecureContext(readCertificate(files));
      log.logEvent({ op: 'page', message: 'The page has taken its new certificate.' });
    } catch (error) {
      const message = error instanceof StartError ? error.message : 'The new certificate of the page is no good.';
      log.logEvent({ op: 'page', level: 'warn', message: `${message} The old one is kept.` });
    }
    taken = found;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return { end: () => clearInterval(timer) };
}
