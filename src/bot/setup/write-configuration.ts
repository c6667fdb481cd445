// Writes a first configuration, never over an existing file, and runs the program's own checks on it.
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../base/durable-file.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { systemCode } from '../base/system-error.ts';
import { projectRootOf } from '../settings/resolve.ts';
import { loadSettings } from '../settings/settings.ts';
import type { Settings } from '../settings/types.ts';
import { firstConfiguration } from './first-configuration.ts';
import { refused, type Wanted } from './wanted.ts';

export interface Target {
  readonly folder: string;
  /** File name without its extension. */
  readonly name: string;
}

/**
 * Throws `StartError`: 64 if the answers make no valid configuration (then nothing is written), 73 if the file exists
 * already or can't be created.
 */
export async function writeConfiguration(wanted: Wanted, { folder, name }: Target): Promise<Settings> {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name))
    throw refused(`--name: ${JSON.stringify(name)} is not a name of letters, digits, dots, dashes, such as live.`);
  const file = path.join(folder, `${name}.yaml`);
  const root = projectRootOf(path.resolve(file));
  const state = wanted.state === null ? `state/${name}` : path.resolve(wanted.state);
  const absolute = (given: string | null): string | null => (given === null ? null : path.resolve(given));
  const paths = { keysFile: absolute(wanted.keysFile), watchdogKeysFile: absolute(wanted.watchdogKeysFile) };
  const text = await firstConfiguration({ ...wanted, ...paths }, { file, state });
  create(file, text);
  try {
    return await loadSettings([file]);
  } catch (error) {
    rmSync(file, { force: true });
    if (!(error instanceof StartError)) throw error;
    const lines = error.message.replaceAll(`${file}:`, 'line ');
    throw refused(`That makes no configuration, and nothing was written for ${root}:\n${lines}`);
  }
}

/** `wx`: never overwrites a file, even one created a moment ago. */
function create(file: string, text: string): void {
  try {
    makeFolder(path.dirname(file), 0o777);
    writeFileSync(file, text, { flag: 'wx' });
  } catch (error) {
    const code = systemCode(error);
    const way = 'Take another --name or folder, or move it away first';
    if (code === 'EEXIST') {
      throw new StartError(EXIT.stateUnusable, `${file} is there already, and nothing is overwritten. ${way}.`);
    }
    throw new StartError(EXIT.stateUnusable, `${file} cannot be written (${code}).`);
  }
}
