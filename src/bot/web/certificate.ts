// The TLS certificate of the page, which is renewed while the bot runs.
import { readFileSync, statSync } from 'node:fs';
import type { Server } from 'node:http';
import { createSecureContext } from 'node:tls';
import { EXIT, StartError } from '../base/exit-codes.ts';
import type { Log } from '../base/log.ts';
import { systemCode } from '../base/system-error.ts';
import type { TlsFiles } from '../settings/types.ts';

const LOOK_EVERY_MS = 3_600_000;

export interface CertificateText {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Throws `StartError` (78) where a file can't be read or the two are none of a kind. */
export function readCertificate({ certificate, key }: TlsFiles): CertificateText {
  const read = (file: string): Buffer => {
    try {
      return readFileSync(file);
    } catch (error) {
      throw new StartError(EXIT.configurationInvalid, `web.tls: ${file} can't be read (${systemCode(error)}).`);
    }
  };
  const text = { cert: read(certificate), key: read(key) };
  try {
    createSecureContext(text);
  } catch {
    const sentence = `web.tls: ${certificate} and ${key} are not a certificate and its key, both as PEM.`;
    throw new StartError(EXIT.configurationInvalid, sentence);
  }
  return text;
}

/** Takes a renewed certificate within the hour. One that is no good is said, and the old one kept. */
export function followCertificate(server: Server, files: TlsFiles, log: Log): { end(): void } {
  const version = (): string =>
    [files.certificate, files.key].map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0).join(' ');
  let taken = version();
  const look = (): void => {
    const found = version();
    if (found === taken || !('setSecureContext' in server) || typeof server.setSecureContext !== 'function') return;
    try {
      server.setSecureContext(readCertificate(files));
      log.logEvent({ op: 'page-certificate', message: 'The page has taken its new certificate.' });
    } catch (error) {
      const message = error instanceof StartError ? error.message : 'The new certificate of the page is no good.';
      log.logEvent({ op: 'page-certificate', level: 'warn', message: `${message} The old one is kept.` });
    }
    taken = found;
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  timer.unref();
  return { end: () => clearInterval(timer) };
}
