// `npm pack` begins here: writes build/, the program without its types, as Node strips none below node_modules. What is
// not reached from the program, the client or a strategy is left out: generators, dashboards, tests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, globSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
const COMPILER = path.join(ROOT, 'node_modules/typescript/bin/tsc');

async function compile(configuration: string): Promise<void> {
  const child = spawn(process.execPath, [COMPILER, '--project', path.join(import.meta.dirname, configuration)], {
    stdio: 'inherit',
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`The compiler ended with ${code} for ${configuration}: nothing may be packed.`);
}

rmSync(path.join(ROOT, 'build'), { recursive: true, force: true });
// Types of what others import; the rest of the program is nobody's to import.
await Promise.all([compile('tsconfig.json'), compile('tsconfig.types.json')]);
// The page runs in a browser: it is copied as it stands.
const FOLDER = 'src/bot/web/page';
for (const name of globSync('**/*.{html,css,js}', { cwd: path.join(ROOT, FOLDER) })) {
  const target = path.join(ROOT, 'build', FOLDER, name);
  mkdirSync(path.dirname(target), { recursive: true });
  copyFileSync(path.join(ROOT, FOLDER, name), target);
}
