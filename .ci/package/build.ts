// `npm pack` begins here: writes build/, the program without its types, as Node strips none below node_modules. What is
// not reached from the program, the client or a strategy is left out: generators, tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COMPILER = path.join(ROOT, 'node_modules/typescript/bin/tsc');

async function compile(configuration: string, ...options: readonly string[]): Promise<void> {
  const args = [COMPILER, '--project', path.join(import.meta.dirname, configuration), ...options];
  const child = spawn(process.execPath, args, { stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The compiler ended with ${code} for ${configuration}: nothing may be packed.`);
}

/**
 * Checks the version of Node before the client is loaded: an older one fails at loading, in words about the insides of
 * a package that its user does not know.
 */
async function clientEntry(): Promise<string> {
  const manifest = readFileSync(path.join(ROOT, 'package.json'), 'utf8');
  const [, major, minor] = /"node": ">=(\d+)\.(\d+)"/.exec(manifest) ?? [];
  if (minor === undefined) throw new Error('package.json does not say from which Node on it works.');
  const names = Object.keys(await import(path.join(ROOT, 'build/src/client/index.js'))).join(', ');
  return `// Written by .ci/package/build.ts.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < ${major} || (major === ${major} && minor < ${minor}))
  throw new Error(\`quotekeeper/client needs Node.js ${major}.${minor} or newer; this is \${process.version}.\`);
export const { ${names} } = await import('./src/client/index.js');
`;
}

rmSync(path.join(ROOT, 'build'), { recursive: true, force: true });
// The types of the program were checked before (`npm run typecheck`); those that others import must also fit an older
// Node.
await Promise.all([compile('tsconfig.json', '--noCheck'), compile('tsconfig.types.json')]);
writeFileSync(path.join(ROOT, 'build/client.js'), await clientEntry());
// Pages run in a browser: their parts are copied as they are.
for (const name of globSync('src/**/*.{html,css,js}', { cwd: ROOT })) {
  const target = path.join(ROOT, 'build', name);
  mkdirSync(path.dirname(target), { recursive: true });
  copyFileSync(path.join(ROOT, name), target);
}
