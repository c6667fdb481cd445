// The package as another project has it: packed, installed into an empty folder, started there, imported from there.
// `npm` is that of the machine, and so is the runtime that it finds first: an older one must do.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { parseDocument } from 'yaml';
import { freePort } from './free-port.ts';
import { type PackedProject, packedProject, USER_PATH } from './packed-project.ts';
import { endPrograms, PROJECT_ROOT, type Program, runProgram, startProgram } from './start-program.ts';

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

const ENVIRONMENT = { PATH: USER_PATH, NODE_COMPILE_CACHE: '' };
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
async function histories(node: string, { url, accounts }: Sandbox): Promise<{ out: string[]; err: string }> {
  const [{ apiKey, secret } = { apiKey: '', secret: '' }] = accounts[0]?.keys ?? [];
  const environment = { BASE_URL: url, API_KEY: apiKey, API_SECRET: secret };
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
  expect(await page('/')).toContain('src="/app.js"');
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
  expect(await histories(await project.node(`${oldest}.0`), sandbox)).toEqual({ out: PROVED, err: '' });
  const { err } = await histories(await project.node('20.0.0'), sandbox);
  expect(err).toContain(`quotekeeper/client needs Node.js ${oldest} or newer; this is v20.0.0.`);
});
