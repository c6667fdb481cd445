// The keys of the paper exchange's only account: made once, kept in its state folder, good for nothing else.
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { EXIT, StartError } from './exit-codes.ts';
import { type ApiKeys, readKeys } from './keys.ts';
import { systemCode } from './system-error.ts';

const FILE = 'paper-keys';

/** The keys in `stateFolder`, made on the first call. Throws `StartError` when the folder can't be used. */
export function paperKeys(stateFolder: string): ApiKeys {
  const file = path.join(stateFolder, FILE);
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
      `The state folder ${path.dirname(file)} can not be used (${systemCode(error)}).`,
    );
  }
}
