// `npm run pack:client`: the client as a package of its own, which brings neither the bot nor a runtime.
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { clientEntry, compile, MANIFEST, ROOT } from './compile.ts';

const NAME = 'quotekeeper-client';
/** Below the project, so that the compiled client finds its packages. */
const FOLDER = mkdtempSync(path.join(ROOT, 'node_modules', `.${NAME}-`));

/** Packages that the compiled files import, in the versions of the program. */
function dependencies(): Record<string, string> {
  const found = new Set<string>();
  for (const file of globSync('src/**/*.js', { cwd: FOLDER }))
    for (const [, name = ''] of readFileSync(path.join(FOLDER, file), 'utf8').matchAll(
      / from '((?:@[^/']+\/)?[^./'][^/']*)/g,
    ))
      if (!name.startsWith('node:')) found.add(name);
  return Object.fromEntries([...found].sort().map((name) => [name, MANIFEST.dependencies[name]]));
}

/** docs/client.md under the package's own name; what it links to is not in the package. */
const readme = (): string =>
  readFileSync(path.join(ROOT, 'docs/client.md'), 'utf8')
    .replaceAll("'quotekeeper/client'", `'${NAME}'`)
    .replaceAll(/\[([^\]]+)\]\((?![a-z]+:)[^)]+\)/g, '$1');

try {
  await compile('tsconfig.client.json', '--outDir', FOLDER);
  writeFileSync(path.join(FOLDER, 'client.js'), await clientEntry(FOLDER, NAME));
  copyFileSync(path.join(ROOT, 'LICENSE'), path.join(FOLDER, 'LICENSE'));
  writeFileSync(path.join(FOLDER, 'README.md'), readme());
  const { version, license, engines } = MANIFEST;
  const entry = { types: './src/client/index.d.ts', require: './src/client/index.js', default: './client.js' };
  const manifest = {
    ...{ name: NAME, version, license, private: true, type: 'module', engines },
    description: 'A typed client of the exchange: 26 endpoints, signed and paced, exact decimals, whole histories.',
    exports: { '.': entry, './package.json': './package.json' },
    dependencies: dependencies(),
  };
  writeFileSync(path.join(FOLDER, 'package.json'), JSON.stringify(manifest, null, 2));
  execFileSync('npm', ['pack', FOLDER, ...process.argv.slice(2)], { cwd: ROOT, stdio: 'inherit' });
} finally {
  rmSync(FOLDER, { recursive: true, force: true });
}
