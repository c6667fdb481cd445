// Secrets come from environment variables, or from a file that only its owner can read. Everything else is refused. An
// API key is two secrets.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ClientSettings } from '../../client/exchange-client.ts';
import { Secret } from '../../client/wire/secret.ts';
import { MINUTE } from '../../domain/time.ts';
import { DIALECT } from '../../venue/dialect.ts';
import { makeFolder } from '../base/durable-file.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { linkedFile, NotPrivate, readPrivateFile } from '../base/private-file.ts';
import { PROGRAM, VERSION } from '../base/program.ts';
import { refusing } from '../base/system-error.ts';
import type { KeySource, SecretSource, Settings } from '../settings/types.ts';

/** The credentials that sign requests. Both print as `[secret]`. */
export interface ApiKeys {
  readonly key: Secret;
  readonly secret: Secret;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Such a file is one or two short lines; a larger one is the wrong file. */
const LARGEST_FILE_BYTES = 4_096;

/** Reads the keys. Throws `StartError` (78) with a sentence that names the place and never its content. */
export function readKeys(source: KeySource, environment: Environment): ApiKeys {
  switch (source.kind) {
    case 'environment':
      return {
        key: fromVariable(source.key, environment, 'a key'),
        secret: fromVariable(source.secret, environment, 'a key'),
      };
    case 'file':
      return fromText(readPrivate('key file', source.path), source.path);
  }
}

/** Reads one secret, the only line of a file or a variable. Throws as `readKeys` does. */
export function readSecret(source: SecretSource, environment: Environment): Secret {
  if (source.kind === 'environment') return fromVariable(source.name, environment, 'a secret');
  const { path } = source;
  const [text = '', ...rest] = readPrivate('secret file', path).trim().split(/\r?\n/);
  if (rest.length > 0) throw refusal(`The secret file ${path} has more than one line: it holds the secret alone.`);
  return secretOf(text.trim(), `The secret in ${path}`);
}

function fromVariable(name: string, environment: Environment, what: string): Secret {
  const text = environment[name]?.trim() ?? '';
  if (text === '') throw refusal(`The environment variable ${name} is not set; the configuration wants ${what} in it.`);
  return secretOf(text, `The environment variable ${name}`);
}

function readPrivate(what: string, path: string): string {
  try {
    const file = { what, path: linkedFile(path), mostBytes: LARGEST_FILE_BYTES, isSecret: true };
    return readPrivateFile(file).toString('utf8');
  } catch (error) {
    throw error instanceof NotPrivate ? refusal(error.message) : error;
  }
}

/** Two lines, `key: …` and `secret: …`, in any order; ignores empty lines and lines that begin with #. */
function fromText(text: string, path: string): ApiKeys {
  const found = new Map<string, string>();
  text.split(/\r?\n/).forEach((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return;
    const [, name, value] = /^(key|secret)\s*[:=]\s*(\S+)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined || found.has(name)) {
      throw refusal(
        `${path}:${index + 1}: A key file holds one line \`key: …\` and one line \`secret: …\`, nothing else.`,
      );
    }
    found.set(name, value);
  });
  const take = (name: string): Secret => {
    const value = found.get(name);
    if (value === undefined) throw refusal(`The key file ${path} has no line \`${name}: …\`.`);
    return secretOf(value, `The ${name} in ${path}`);
  };
  return { key: take('key'), secret: take('secret') };
}

/** Characters that headers and signatures can carry. */
function secretOf(text: string, what: string): Secret {
  if (!/^[\x21-\x7e]{8,512}$/.test(text)) {
    throw refusal(`${what} does not look like one: 8 to 512 printable characters without spaces are expected.`);
  }
  return new Secret(text);
}

const refusal = (sentence: string): StartError => new StartError(EXIT.configurationInvalid, sentence);

// Files with keys of the paper exchange that exist already.

/** Absolute paths; empty in live mode. */
export function paperKeyFiles({ paper, stateFolder }: Settings): readonly string[] {
  if (paper === null) return [];
  const files = [paperKeysFile(stateFolder), ...paper.accounts.flatMap(({ keys }) => keys.map(({ file }) => file))];
  return files.filter((file) => existsSync(file));
}

// The keys of the paper exchange's accounts: made once, kept in a file that only its owner can read, useless elsewhere.

const FILE = 'paper-keys';

/** The file with the keys of the bot's account. */
export const paperKeysFile = (stateFolder: string): string => path.join(stateFolder, FILE);

/** The keys in `stateFolder`, made on the first call. Throws `StartError` if the folder can't be used. */
export function paperKeys(stateFolder: string): ApiKeys {
  return keysIn(paperKeysFile(stateFolder));
}

/** A key and its secret, as text. */
export interface NewKeys {
  readonly key: string;
  readonly secret: string;
}

const random = (bytes: number): string => randomBytes(bytes).toString('hex');
const unmarkedKeys = (): NewKeys => ({ key: `paper-${random(8)}`, secret: random(32) });
/** Keys of a sandbox, which prints them: their text tells people and secret scanners that they are harmless. */
export const sandboxKeys = (): NewKeys => ({ key: `paper-${random(8)}`, secret: `paper-secret-${random(20)}` });

/** The keys in a file, made if there is none. Throws `StartError` for a file that can't be used. */
export function keysIn(file: string, make: () => NewKeys = unmarkedKeys): ApiKeys {
  if (!existsSync(file)) writeNew(file, make());
  return readKeys({ kind: 'file', path: file }, {});
}

function writeNew(file: string, { key, secret }: NewKeys): void {
  const folder = path.dirname(file);
  const unusable = (code: string): string =>
    `The folder ${folder}, where keys are to be kept, cannot be used (${code}).`;
  refusing(EXIT.stateUnusable, unusable, () => {
    makeFolder(folder);
    writeFileSync(file, `key: ${key}\nsecret: ${secret}\n`, { mode: 0o600, flag: 'wx' });
    // The process's umask may remove more than other users' rights.
    chmodSync(file, 0o600);
  });
}

// The client's settings from the configuration.

export function clientSettings({ venue }: Settings, keys: ApiKeys): ClientSettings {
  const { baseUrl, openOrdersUncapped, timeOffsetMinutes, apiKeyHeader, timeoutMs, signature } = venue;
  return {
    baseUrl,
    ...keys,
    dialect: {
      ...DIALECT,
      apiKeyHeader,
      signatureIn: signature.header === undefined ? 'query' : { header: signature.header },
      emptyValues: signature.emptyValues,
      percentEncoding: signature.percentEncoding,
      ...(openOrdersUncapped && { openOrdersCaps: [] }),
    },
    userAgent: `${PROGRAM}/${VERSION}`,
    timeOffsetsMs: Object.fromEntries(
      Object.entries(timeOffsetMinutes).map(([kind, minutes]) => [kind, minutes * MINUTE]),
    ),
    deadlineMs: timeoutMs,
  };
}
