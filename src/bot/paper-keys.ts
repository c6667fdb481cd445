// The keys of the paper exchange's accounts: made once, kept in a file that only its owner can read, good for nothing else.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT, StartError } from './exit-codes.ts';
import { type ApiKeys, readKeys } from './keys.ts';
import { systemCode } from './system-error.ts';

const FILE = 'paper-keys';

/** Where the keys of the bot's account are. */
export const paperKeysFile = (stateFolder: string): string => path.join(stateFolder, FILE);

/** The keys in `stateFolder`, made on the first call. Throws `StartError` when the folder can't be used. */
export function paperKeys(stateFolder: string): ApiKeys {
  return keysIn(paperKeysFile(stateFolder));
}

/** The keys in a file, made where there is none. Throws `StartError` for a file that can't be used. */
export function keysIn(file: string): ApiKeys {
  if (!existsSync(file)) writeNew(file);
  return readKeys({ kind: 'file', path: file }, {});
}

function writeNew(file: string): void {
  const random = (bytes: number): string => randomBytes(bytes).toString('hex');
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `key: paper-${random(8)}\nsecret: ${random(32)}\n`, { mode: 0o600, flag: 'wx' });
    // The process may have a mask that takes away more than others' rights.
    chmodSync(file, 0o600);
  } catch (error) {
    throw new StartError(
      EXIT.stateUnusable,
      `The folder ${path.dirname(file)}, where keys are to be kept, can not be used (${systemCode(error)}).`,
    );
  }
}
