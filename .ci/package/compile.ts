// What both packages are made with: the compiler, and an entry that first looks at the version of Node.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const ROOT = path.resolve(import.meta.dirname, '../..');
export const MANIFEST = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
const COMPILER = path.join(ROOT, 'node_modules/typescript/bin/tsc');

export async function compile(configuration: string, ...options: readonly string[]): Promise<void> {
  const args = [COMPILER, '--project', path.join(import.meta.dirname, configuration), ...options];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The compiler ended with ${code} for ${configuration}: nothing may be packed.`);
}

/**
 * The entry of the client in this folder: an older Node fails at loading, in words about the insides of a package that
 * its user does not know.
 */
export async function clientEntry(folder: string, name: string): Promise<string> {
  const [, major, minor] = /^>=(\d+)\.(\d+)$/.exec(MANIFEST.engines.node) ?? [];
  if (minor === undefined) throw new Error('package.json does not say from which Node on it works.');
  const names = Object.keys(await import(path.join(folder, 'src/client/index.js'))).join(', ');
  return `// Written by .ci/package.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < ${major} || (major === ${major} && minor < ${minor}))
  throw new Error(\`${name} needs Node.js ${major}.${minor} or newer; this is \${process.version}.\`);
export const { ${names} } = await import('./src/client/index.js');
`;
}
