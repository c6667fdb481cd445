// `npm pack` begins here: writes build/, the program without its types, as Node strips none below node_modules. What is
// not reached from the program, the client or a strategy is left out: generators, tests.
import { copyFileSync, globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clientEntry, compile, ROOT } from './compile.ts';

const BUILD = path.join(ROOT, 'build');

rmSync(BUILD, { recursive: true, force: true });
// The types of the program were checked before (`npm run typecheck`); those that others import must also fit an older
// Node.
await Promise.all([compile('tsconfig.json', '--noCheck'), compile('tsconfig.types.json')]);
writeFileSync(path.join(BUILD, 'client.js'), await clientEntry(BUILD, 'quotekeeper/client'));
// Pages run in a browser: their parts are copied as they are.
for (const name of globSync('src/**/*.{html,css,js}', { cwd: ROOT })) {
  const target = path.join(BUILD, name);
  mkdirSync(path.dirname(target), { recursive: true });
  copyFileSync(path.join(ROOT, name), target);
}
