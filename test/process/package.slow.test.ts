// The package as another project has it: packed, installed into an empty folder, started there, imported from there.
// `npm` is that of the machine, and so is the runtime that it finds first: an older one must do.
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { parseDocument } from 'yaml';
import { closeServers, httpReceiver } from '../unit/bot/notify/servers.ts';
import { freePort } from './free-port.ts';
import { type PackedProject, packedProject, USER_PATH } from './packed-project.ts';
import { type Ended, endPrograms, PROJECT_ROOT, type Program, runProgram, startProgram } from './start-program.ts';

let project: PackedProject;
let folder: string;
let BIN: string;
const ports = { exchange: 0, page: 0 };

const write = (file: string, text: string): void => {
  mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
};

beforeAll(async () => {
  project = await packedProject();
  ({ folder } = project);
  BIN = path.join(folder, 'node_modules/.bin');
  ports.exchange = await freePort();
  ports.page = await freePort();
});
afterEach(endPrograms);
afterAll(() => project.remove());

const ENVIRONMENT = { PATH: USER_PATH };
const start = (...args: string[]): Program =>
  startProgram(args, { cwd: folder, executable: path.join(BIN, 'quotekeeper'), environment: ENVIRONMENT });

/** One that quotes once on each side, two percent away from the price. */
const STRATEGY = `import { amount, defineStrategy, type MarketView, z } from 'quotekeeper/strategy';

const params = z.object({ quantity: amount('positive') });

export default defineStrategy({
  name: 'mine',
  params,
  quote: ({ referencePrice }: MarketView, { quantity }) => ({
    quotes: [
      { side: 'buy', level: 0, price: referencePrice.mul('0.98'), quantity },
      { side: 'sell', level: 0, price: referencePrice.mul('1.02'), quantity },
    ],
    explain: [],
  }),
});
`;

const CLIENT = `import { completeRows, type Exchange, openExchange, plain } from 'quotekeeper/client';

const { BASE_URL: baseUrl = '', API_KEY: apiKey = '', API_SECRET: secret = '' } = process.env;
const exchange: Exchange = openExchange({ baseUrl, apiKey, secret });
const wallet = completeRows((await exchange.api.wallet()).outcome);
console.log(wallet.ok ? wallet.value.map(({ asset, free }) => \`\${asset} \${plain(free)}\`).join() : wallet.error);
await exchange.close();
`;

/** Whoever imports it may check what its declarations import, too. */
const TYPES = {
  compilerOptions: {
    ...{ module: 'nodenext', target: 'es2024', strict: true, noEmit: true, skipLibCheck: false },
    ...{ types: ['node'], typeRoots: [path.join(PROJECT_ROOT, 'node_modules/@types')] },
  },
  files: ['client.mts', 'strategies/mine.mts'],
};

/** Reads each history of the last hour, and trades; prints what became of each step. */
const HISTORIES = `import { decimal, openExchange } from 'quotekeeper/client';

const { BASE_URL: baseUrl, API_KEY: apiKey, API_SECRET: secret } = process.env;
const exchange = openExchange({ baseUrl, apiKey, secret, requestsPerSecond: { public: 20, private: 20 } });
const symbol = 'BTC/INR';
const from = Date.now() - 3_600_000;
const order = { symbol, side: 'buy', price: decimal('1000000'), quantity: decimal('0.001') };
console.log((await exchange.api.createOrder(order)).outcome.kind);
const histories = [
  exchange.spotTrades({ symbol, from }),
  exchange.sbsTrades({ symbol, from }),
  ...['deposit', 'withdrawal'].flatMap((direction) => [
    exchange.cryptoTransfers({ direction, from }),
    exchange.fiatTransfers({ direction, from }),
  ]),
];
for (const history of histories)
  for await (const event of history) console.log(event.kind === 'rows' ? event.rows.length : event.outcome.kind);
await exchange.close();
`;
/** What is older than the first simple trade that is shown can't be proved: those have no archive. */
const PROVED = ['accepted', 'complete', 'gap', ...Array.from({ length: 4 }, () => 'complete')];

/** What `init` wrote, for this test's ports and strategy. */
function configure(): void {
  const file = path.join(folder, 'config/paper.yaml');
  const document = parseDocument(readFileSync(file, 'utf8'));
  document.setIn(['paper', 'port'], ports.exchange);
  document.set('web', { port: ports.page });
  document.setIn(['runs', 0, 'strategy'], 'mine');
  document.setIn(['runs', 0, 'params'], { quantity: 0.005 });
  writeFileSync(file, document.toString());
}

const page = async (target: string): Promise<string> => (await fetch(`http://127.0.0.1:${ports.page}${target}`)).text();

/** What the program above prints, with the bot's own keys. */
async function readWallet(): Promise<string> {
  const { key, secret } = parseDocument(readFileSync(path.join(folder, 'state/paper/paper-keys'), 'utf8')).toJS();
  const environment = { BASE_URL: `http://127.0.0.1:${ports.exchange}`, API_KEY: key, API_SECRET: secret };
  const options = { cwd: folder, executable: path.join(BIN, 'node'), environment };
  const { out, err } = await runProgram(['client.mts'], options);
  return out + err;
}

interface Sandbox {
  readonly url: string;
  readonly accounts: readonly { readonly keys: readonly { readonly apiKey: string; readonly secret: string }[] }[];
}

/** What the histories print with a version of Node, of an exchange in a sandbox. */
async function histories(node: string, { url, accounts }: Sandbox, nodeOptions = '') {
  const [{ apiKey, secret } = { apiKey: '', secret: '' }] = accounts[0]?.keys ?? [];
  const environment = { BASE_URL: url, API_KEY: apiKey, API_SECRET: secret, NODE_OPTIONS: nodeOptions };
  const { out, err } = await runProgram(['histories.mjs'], { cwd: folder, executable: node, environment });
  return { out: out.trim().split('\n'), err };
}

test('it holds the program, and neither its sources nor its tests', () => {
  const wanted = ['build/src/bot/main.js', 'config/schema.json', 'deploy/systemd', 'docs/operations.md', 'LICENSE'];
  expect(wanted.filter((file) => !project.holds(file))).toEqual([]);
  const unwanted = ['src', 'test', 'simulation', 'bench/main.ts', '.ci', 'build/simulation', 'build/test'];
  expect(unwanted.filter(project.holds)).toEqual([]);
});

test('a bot quotes by the project’s strategy, shows its page, stops flat; its state is in the project', async () => {
  expect(await project.run('npx', ['quotekeeper', 'init', '--symbol', 'BTC/INR'])).toContain('Wrote config/paper.yaml');
  write('strategies/mine.mts', STRATEGY);
  configure();
  const bot = start('run');
  await bot.said('"op":"accepted"');
  expect(await page('/')).toContain('src="app.js"');
  expect((await page('/app.js')).length).toBeGreaterThan(100);
  expect(JSON.parse(await page('/api/status'))).toMatchObject({ program: 'quotekeeper', mode: 'paper' });
  write('client.mts', CLIENT);
  expect(await readWallet()).toMatch(/BTC 0\.\d+/);
  bot.signal('SIGINT');
  const { code, out, err } = await bot.ended;
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('Warning') });
  expect(out).toContain('Done; no order of the bot is open.');
  expect(project.holds('state')).toBe(false);
});

test('what it lends to programs and strategies has types that check', async () => {
  write('client.mts', `${CLIENT}// @ts-expect-error: the secret is missing.\nopenExchange({ baseUrl, apiKey });\n`);
  write('strategies/mine.mts', STRATEGY);
  write('tsconfig.json', JSON.stringify(TYPES));
  const compiler = path.join(PROJECT_ROOT, 'node_modules/typescript/bin/tsc');
  const options = { cwd: folder, executable: path.join(BIN, 'node'), environment: ENVIRONMENT };
  expect(await runProgram([compiler, '--project', '.'], options)).toMatchObject({ code: 0, out: '' });
});

test('without a configuration it takes its own, and keeps its state where it is started', async () => {
  const cwd = path.join(folder, 'elsewhere');
  mkdirSync(cwd);
  const options = { cwd, executable: path.join(BIN, 'quotekeeper'), environment: ENVIRONMENT };
  const played = await runProgram(['backtest', '--hours', '0.01'], options);
  expect(played).toMatchObject({ code: 0, out: expect.stringContaining('ETH/INR') });
  const shipped = path.join(folder, 'node_modules/quotekeeper/config/paper.yaml');
  const { err } = await runProgram(['backup', shipped, '--to', 'nothing'], options);
  expect(err).toContain(`There is no journal in ${cwd}/state/paper`);
});

test('the client reads whole histories on the oldest Node that is allowed, and says so of an older one', async () => {
  const exchange = start('exchange', '--port', '0', '--json');
  await exchange.said('\n');
  write('histories.mjs', HISTORIES);
  const { engines } = JSON.parse(readFileSync(path.join(PROJECT_ROOT, 'package.json'), 'utf8'));
  const oldest = String(engines.node).replace('>=', '');
  const sandbox = JSON.parse(exchange.out());
  const node = await project.node(`${oldest}.0`);
  expect(await histories(node, sandbox)).toEqual({ out: PROVED, err: '' });
  // The same Node under an older name.
  const names = "{version:{value:'v20.0.0'},versions:{value:{node:'20.0.0'}}}";
  const older = `--import="data:text/javascript,Object.defineProperties(process,${names})"`;
  const { err } = await histories(node, sandbox, older);
  expect(err).toContain(`quotekeeper/client needs Node.js ${oldest} or newer; this is v20.0.0.`);
});

describe('every command of the README, and every option that writes a file, on the oldest Node', () => {
  /** What the launcher takes from PATH at the least; Apple silicon has no newer one. */
  const OLDEST_NODE = '24.0.0';
  const CONFIG = 'config/paper.yaml';

  let environment: Record<string, string>;
  /** First words of what was run. */
  const ran = new Set<string>();

  beforeAll(async () => {
    // As where the optional runtime is not installed.
    rmSync(path.join(BIN, 'node'));
    for (const name of readdirSync(folder).filter((each) => each !== 'node_modules'))
      rmSync(path.join(folder, name), { recursive: true });
    const node = path.dirname(await project.node(OLDEST_NODE));
    environment = {
      PATH: `${node}${path.delimiter}${USER_PATH}`,
      NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
    };
  });
  afterAll(closeServers);

  function start(line: string): Program {
    const args = line.split(' ');
    ran.add(args[0] ?? '');
    return startProgram(args, { cwd: folder, executable: path.join(BIN, 'quotekeeper'), environment });
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

  const text = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

  /** Ports and a channel of this test. */
  async function configure(): Promise<void> {
    const document = parseDocument(text(CONFIG));
    document.setIn(['paper', 'port'], await freePort());
    document.set('web', { port: await freePort() });
    document.set('notify', { channels: [{ form: 'webhook', name: 'desk', url: (await httpReceiver()).url }] });
    writeFileSync(path.join(folder, CONFIG), document.toString());
  }

  const WHILE_IT_RUNS = [
    'status',
    'check',
    `check --offline ${CONFIG}`,
    'plan',
    'probe --budget 4',
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
    for (const file of ['day.html', 'state.backup', 'state/paper/memory.sqlite', 'state/paper/bot.log'])
      expect([file, text(file).length > 0]).toEqual([file, true]);
    expect((await until(start(`page ${CONFIG}`), 'http://', 'SIGINT')).code).toBe(0);
    await command(`cancel-all ${CONFIG}`);
    await command(`rearm ${CONFIG} --yes`);
    await command(`restore ${CONFIG} --from state.backup --replace`);
    expect((await command(`fleet status ${CONFIG}`, 78)).err).toContain('the accounts of one database');
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
    expect(globSync('sandbox/*', { cwd: folder }).length).toBeGreaterThan(0);
    for (const shell of ['bash', 'zsh', 'fish'])
      expect((await command(`completion ${shell}`)).out).toContain('restore');
  });

  test('no command of the README was left out', () => {
    const readme = readFileSync(path.join(PROJECT_ROOT, 'README.md'), 'utf8');
    const rows = readme.split('\n').filter((line) => line.startsWith('| `./quotekeeper '));
    const named = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`(?:\.\/quotekeeper )?([a-z-]+)/g)]);
    expect(named.length).toBeGreaterThan(20);
    expect(named.map(([, name]) => name).filter((name) => name !== undefined && !ran.has(name))).toEqual([]);
  });

  test('every link of a document in the package leads to a file in it', () => {
    const documents = globSync('**/*.md', { cwd: path.join(folder, 'node_modules/quotekeeper') });
    expect(documents.length).toBeGreaterThan(30);
    const dangling = documents.flatMap((document) =>
      [...text(`node_modules/quotekeeper/${document}`).matchAll(/\]\((?![a-z]+:)([^)#\s]+)/g)]
        .map(([, target = '']) => path.join(path.dirname(document), target))
        .filter((target) => !project.holds(target))
        .map((target) => `${document} → ${target}`),
    );
    expect(dangling).toEqual([]);
  });
});
