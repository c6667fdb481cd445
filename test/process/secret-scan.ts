// Looks for keys, secrets and signatures in whatever programs wrote, served or said.
import { type Dirent, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';

export interface Place {
  readonly where: string;
  readonly text: string;
}

/** Holds them rightly. */
export const KEYS_FILE = 'paper-keys';

/** Hold what signs a person in at the page. */
const TOKEN_FILES: readonly string[] = ['page-token', 'page-token-read'];

/** HMAC SHA-256 as it is sent, whoever wrote it under whatever name. */
const SIGNATURE = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/i;
/** The journal's hashes are as long; there a signature is known by its name. */
const HAS_HASHES = /(?:^|\/)journal[^/]*(?:\/|$)/;
const NAMED_SIGNATURE = /signature[\\"'\s]*(?:[=:]|%3d)[\\"'\s]*[0-9a-f]{64}/i;

/** One line for each place where something stands that must not. */
export function leaksIn(places: readonly Place[], secrets: Iterable<string>): string[] {
  const all = [...secrets];
  return places.flatMap(({ where, text }) => {
    const isSigned = (HAS_HASHES.test(where) ? NAMED_SIGNATURE : SIGNATURE).test(text);
    return [
      ...(all.some((secret) => text.includes(secret)) ? [`${where}: a secret`] : []),
      ...(isSigned ? [`${where}: what looks like a signature`] : []),
    ];
  });
}

/** Links are not followed: they lead to files of others, such as packages. */
const entriesBelow = (folder: string): Dirent[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? entriesBelow(path.join(folder, entry.name)) : [entry],
  );

/** Every file below `folder`, but those that hold the keys; what is packed is unpacked. */
export function filesBelow(folder: string): Place[] {
  if (!existsSync(folder)) return [];
  const files = entriesBelow(folder).filter(
    (entry) => entry.isFile() && ![KEYS_FILE, ...TOKEN_FILES].includes(entry.name),
  );
  return files.map((entry) => {
    const file = path.join(entry.parentPath, entry.name);
    const bytes = readFileSync(file);
    const text = (entry.name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('latin1');
    return { where: path.relative(folder, file), text };
  });
}

/** The key and the secret in a file of the paper exchange; null where there is none. */
export function secretsIn(keysFile: string): readonly [string, string] | null {
  try {
    const [key, secret] = readFileSync(keysFile, 'utf8').match(/(?<=: )\S+/g) ?? [];
    return key && secret ? [key, secret] : null;
  } catch {
    return null;
  }
}

/** The tokens of the page in a state folder; what is not there is left out. */
export const pageTokensIn = (stateFolder: string): string[] =>
  TOKEN_FILES.map((name) => path.join(stateFolder, name))
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8').trim());
