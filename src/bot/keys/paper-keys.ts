// The keys of the paper exchange's accounts: made once, kept in a file that only its owner can read, good for nothing
// else.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { makeFolder } from '../base/make-folder.ts';
import { systemCode } from '../base/system-error.ts';
import { type ApiKeys, readKeys } from './keys.ts';

const FILE = 'paper-keys';

/** Where the keys of the bot's account are. */
export const paperKeysFile = (stateFolder: string): string => path.join(stateFolder, FILE);

/** The keys in `stateFolder`, made on the first call. Throws `StartError` when the folder can't be used. */
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
/** Of a sandbox, which prints them: people and programs that look for secrets see what these are good for. */
export const sandboxKeys = (): NewKeys => ({ key: `paper-${random(8)}`, secret: `paper-secret-${random(20)}` });

/** The keys in a file, made where there is none. Throws `StartError` for a file that can't be used. */
export function keysIn(file: string, make: () => NewKeys = unmarkedKeys): ApiKeys {
  if (!existsSync(file)) writeNew(file, make());
  return readKeys({ kind: 'file', path: file }, {});
}

function writeNew(file: string, { key, secret }: NewKeys): void {
  try {
    makeFolder(path.dirname(file));
    writeFileSync(file, `key: ${key}\nsecret: ${secret}\n`, { mode: 0o600, flag: 'wx' });
    // The process may have a mask that takes away more than others' rights.
    chmodSync(file, 0o600);
  } catch (error) {
    throw new StartError(
      EXIT.stateUnusable,
      `The folder ${path.dirname(file)}, where keys are to be kept, cannot be used (${systemCode(error)}).`,
    );
  }
}
