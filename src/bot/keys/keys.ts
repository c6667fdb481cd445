// Secrets: from environment variables, or from a file that only its owner can read. Everything else is refused. The API
// key is two of them.
import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { Secret } from '../../client/wire/secret.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { systemCode } from '../base/system-error.ts';
import type { KeySource, SecretSource } from '../settings/types.ts';

/** What signs requests. Both print as `[secret]`. */
export interface ApiKeys {
  readonly key: Secret;
  readonly secret: Secret;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Such a file is one or two short lines; whatever is larger is another file. */
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
      return fromText(readPrivateFile('key file', source.path), source.path);
  }
}

/** Reads one secret, the only line of a file or a variable. Throws as `readKeys` does. */
export function readSecret(source: SecretSource, environment: Environment): Secret {
  if (source.kind === 'environment') return fromVariable(source.name, environment, 'a secret');
  const { path } = source;
  const [text = '', ...rest] = readPrivateFile('secret file', path).trim().split(/\r?\n/);
  if (rest.length > 0) throw refusal(`The secret file ${path} has more than one line: it holds the secret alone.`);
  return secretOf(text.trim(), `The secret in ${path}`);
}

function fromVariable(name: string, environment: Environment, what: string): Secret {
  const text = environment[name]?.trim() ?? '';
  if (text === '') throw refusal(`The environment variable ${name} is not set; the configuration wants ${what} in it.`);
  return secretOf(text, `The environment variable ${name}`);
}

/** Opens once and judges what was opened: a file that is exchanged between two looks can't pass. */
function readPrivateFile(what: string, path: string): string {
  const descriptor = openPrivate(what, path);
  try {
    const wrong = whatIsWrong(fstatSync(descriptor), what, path);
    if (wrong !== null) throw refusal(wrong);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function openPrivate(what: string, path: string): number {
  try {
    // A pipe in its place would otherwise hold the program up for ever.
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = systemCode(error);
    throw refusal(
      code === 'ENOENT' ? `There is no ${what} ${path}.` : `The ${what} ${path} cannot be opened (${code}).`,
    );
  }
}

function whatIsWrong(stats: Stats, what: string, path: string): string | null {
  const mode = (stats.mode & 0o777).toString(8).padStart(4, '0');
  const user = process.getuid?.();
  if (!stats.isFile()) return `The ${what} ${path} is not a file.`;
  if (user !== undefined && stats.uid !== user) {
    return `The ${what} ${path} belongs to user ${stats.uid}, not to you (${user}); it must be your own.`;
  }
  if ((stats.mode & 0o777) !== 0o600) {
    return `The ${what} ${path} has mode ${mode}; run \`chmod 600 ${path}\`, so that only you can read it.`;
  }
  return stats.size > LARGEST_FILE_BYTES ? `The ${what} ${path} is too large to be one (${stats.size} bytes).` : null;
}

/** Two lines, `key: …` and `secret: …`, in any order; empty lines and lines that begin with # don't count. */
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

/** What a header and a signature can carry. */
function secretOf(text: string, what: string): Secret {
  if (!/^[\x21-\x7e]{8,512}$/.test(text)) {
    throw refusal(`${what} does not look like one: 8 to 512 printable characters without spaces are expected.`);
  }
  return new Secret(text);
}

const refusal = (sentence: string): StartError => new StartError(EXIT.configurationInvalid, sentence);
