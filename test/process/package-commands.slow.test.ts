// Every command of the README, and every option that writes a file, from the installed package and on the oldest Node
// that the program runs on; and every link of its documents.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseDocument } from 'yaml';
import { closeServers, httpReceiver } from '../unit/bot/notify/servers.ts';
import { freePort } from './free-port.ts';
import { type PackedProject, packedProject, USER_PATH } from './packed-project.ts';
import { type Ended, endPrograms, PROJECT_ROOT, type Program, startProgram } from './start-program.ts';

/** What the launcher takes from PATH at the least; Apple silicon has no newer one. */
const OLDEST_NODE = '24.0.0';
const CONFIG = 'config/paper.yaml';

let project: PackedProject;
let environment: Record<string, string>;
/** First words of what was run. */
const ran = new Set<string>();

beforeAll(async () => {
  project = await packedProject('--omit=optional');
  const node = path.dirname(await project.node(OLDEST_NODE));
  environment = { PATH: `${node}${path.delimiter}${USER_PATH}`, NODE_COMPILE_CACHE: '' };
});
afterAll(async () => {
  endPrograms();
  await closeServers();
  project.remove();
});

function start(line: string): Program {
  const args = line.split(' ');
  ran.add(args[0] ?? '');
  const executable = path.join(project.folder, 'node_modules/.bin/quotekeeper');
  return startProgram(args, { cwd: project.folder, executable, environment });
}

/** Fails with everything it said where it ends otherwise. */
async function command(line: string, code = 0): Promise<Ended> {
  const ended = await start(line).ended;
  expect({ line, ...ended }).toEqual({ ...ended, line, code });
  return ended;
}

async function until(program: Program, text: string, signal: NodeJS.Signals): Promise<Ended> {
  await program.said(text);
  program.signal(signal);
  return program.ended;
}

const text = (file: string): string => readFileSync(path.join(project.folder, file), 'utf8');

/** Ports and a channel of this test. */
async function configure(): Promise<void> {
  const document = parseDocument(text(CONFIG));
  document.setIn(['paper', 'port'], await freePort());
  document.set('web', { port: await freePort() });
  document.set('notify', { channels: [{ form: 'webhook', name: 'desk', url: (await httpReceiver()).url }] });
  writeFileSync(path.join(project.folder, CONFIG), document.toString());
}

const WHILE_IT_RUNS = [
  'status',
  'check',
  `check --offline ${CONFIG}`,
  'plan',
  'probe --budget 4 --out probed.yaml',
  'notify test',
  'page-token',
  'set BTC/INR quoting.guard.guardTicks=3 --yes',
  'pause BTC/INR --for 1m',
  'resume BTC/INR',
  'export trades',
  'statement --year 2026-27',
  'report day --html day.html',
  'backup --to state.backup',
];

test('a bot starts and is asked, steered, backed up, stopped, latched and restored', async () => {
  await command('init --symbol BTC/INR');
  await configure();
  const bot = start('run');
  await bot.said('"op":"accepted"');
  for (const line of WHILE_IT_RUNS) await command(line);
  // Nothing was changed in the file: it ends with the sentence that says so.
  expect((await command('reload --yes', 64)).err).toContain('Nothing would change');
  const watchdog = start(`watchdog ${CONFIG}`);
  expect((await until(watchdog, '\n', 'SIGINT')).code).toBe(0);
  await command('stop');
  const { code, out } = await bot.ended;
  expect({ code, out }).toEqual({ code: 0, out: expect.not.stringContaining('memory') });
  for (const file of ['probed.yaml', 'day.html', 'state.backup', 'state/paper/memory.sqlite', 'state/paper/bot.log'])
    expect([file, text(file).length > 0]).toEqual([file, true]);
  expect((await until(start(`page ${CONFIG}`), 'http://', 'SIGINT')).code).toBe(0);
  await command(`cancel-all ${CONFIG}`);
  await command(`rearm ${CONFIG} --yes`);
  await command(`restore ${CONFIG} --from state.backup --replace`);
});

test('a backtest writes its page and its journal, and a report of that journal its own', async () => {
  await command(`backtest ${CONFIG} --hours 0.02 --begin 2026-01-01 --html played.html --state played`);
  expect(text('played.html')).toContain('uPlot');
  await command(`report day ${CONFIG} --of 2026-01-01 --state played --html report.html`);
  expect(text('report.html')).toContain('<h2>BTC/INR</h2>');
  await command(`export ledger ${CONFIG} --state played --format beancount`);
});

test('the sandbox keeps its state, and completion is printed for each shell', async () => {
  const { code } = await until(start('exchange --port 0 --json --state sandbox'), '\n', 'SIGINT');
  expect(code).toBe(0);
  expect(globSync('sandbox/*', { cwd: project.folder }).length).toBeGreaterThan(0);
  for (const shell of ['bash', 'zsh', 'fish']) expect((await command(`completion ${shell}`)).out).toContain('restore');
});

test('no command of the README was left out', () => {
  const readme = readFileSync(path.join(PROJECT_ROOT, 'README.md'), 'utf8');
  const rows = readme.split('\n').filter((line) => line.startsWith('| `./quotekeeper '));
  const named = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(?:\.\/quotekeeper )?([a-z-]+)/g)]);
  expect(named.length).toBeGreaterThan(20);
  expect(named.map(([, name]) => name).filter((name) => name !== undefined && !ran.has(name))).toEqual([]);
});

test('every link of a document in the package leads to a file in it', () => {
  const documents = globSync('**/*.md', { cwd: path.join(project.folder, 'node_modules/quotekeeper') });
  expect(documents.length).toBeGreaterThan(30);
  const dangling = documents.flatMap((document) =>
    [...text(`node_modules/quotekeeper/${document}`).matchAll(/\]\((?![a-z]+:)([^)#\s]+)/g)]
      .map(([, target = '']) => path.join(path.dirname(document), target))
      .filter((target) => !project.holds(target))
      .map((target) => `${document} → ${target}`),
  );
  expect(dangling).toEqual([]);
});
