// The package in an empty project, as a stranger has it: packed here, installed there by the machine's own npm.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from './start-program.ts';

const run = promisify(execFile);

/** As a person has it: without what npm adds to the path of a script of this project. */
export const USER_PATH = (process.env.PATH ?? '')
  .split(path.delimiter)
  .filter((each) => !each.endsWith('node_modules/.bin'))
  .join(path.delimiter);

export interface PackedProject {
  readonly folder: string;
  /** What lies in the package. */
  holds(file: string): boolean;
  /** Runs in the folder and gives its standard output. */
  run(command: string, args: readonly string[]): Promise<string>;
  /** The executable of that version of Node, from npm. */
  node(version: string): Promise<string>;
  remove(): void;
}

type Script = 'pack' | 'pack:client';

async function pack(script: Script, env: NodeJS.ProcessEnv): Promise<string> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'packed-')));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  await run('npm', ['run', '--silent', script, '--', '--pack-destination', folder], { cwd: PROJECT_ROOT, env });
  return path.join(folder, ...readdirSync(folder));
}

/** With the whole package, or the client alone. */
export async function packedProject(script: Script = 'pack'): Promise<PackedProject> {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'package-')));
  const env = { ...process.env, PATH: USER_PATH };
  const runIn = async (cwd: string, command: string, args: readonly string[]): Promise<string> =>
    (await run(command, args, { cwd, env })).stdout;
  const install = (cwd: string, ...args: readonly string[]) =>
    runIn(cwd, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', ...args]);
  await install(folder, await pack(script, env));
  return {
    folder,
    holds: (name) => existsSync(path.join(folder, 'node_modules/quotekeeper', name)),
    run: (command, args) => runIn(folder, command, args),
    async node(version) {
      const name = `node-${process.platform}-${process.arch}`;
      const home = path.join(folder, `node-${version}`);
      mkdirSync(home);
      await install(home, '--prefix', '.', `${name}@${version}`);
      return path.join(home, 'node_modules', name, 'bin/node');
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
