// `quotekeeper exchange` without a configuration: a sandbox for a program that knows nothing of the bot.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { EndpointName } from '../../src/venue/requests.ts';
import { type Answer, send, sendRequest } from '../contract/paper-connection.ts';
import { type RequestOptions, requestFor } from '../unit/paper/small-exchange.ts';
import { endPrograms, PROJECT_ROOT, type Program, runProgram, startProgram } from './start-program.ts';
import { findTool } from './tools.ts';

let folder = '';

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'sandbox-')));
});
afterEach(() => {
  endPrograms();
  rmSync(folder, { recursive: true, force: true });
});

interface Key {
  readonly apiKey: string;
  readonly secret: string;
}
interface Started {
  readonly program: Program;
  readonly url: string;
  readonly instanceId: string;
  readonly controlUrl: string | null;
  readonly symbols: readonly string[];
  readonly accounts: readonly { readonly account: string; readonly balances: object; readonly keys: [Key, Key] }[];
}

async function start(...options: string[]): Promise<Started> {
  const program = startProgram(['exchange', '--port', '0', '--json', ...options], { cwd: folder });
  await program.said('\n');
  return { program, ...JSON.parse(program.out()) };
}

async function stop({ program }: Started): Promise<string> {
  program.signal('SIGTERM');
  const { code, out, err } = await program.ended;
  expect(code).toBe(0);
  for (const [secret] of out.matchAll(/paper-secret-[0-9a-f]+/g)) expect(err).not.toContain(secret);
  return out;
}

const keysOf = ({ accounts }: Started, index = 0): [Key, Key] =>
  accounts[index]?.keys ?? [
    { apiKey: '', secret: '' },
    { apiKey: '', secret: '' },
  ];
const ask = (started: Started, key: Key, name: EndpointName, options: RequestOptions = {}): Promise<Answer> =>
  sendRequest(started.url, requestFor(name, { key, ...options }, Date.now()));
const control = ({ controlUrl }: Started, method: string, target: string, body?: object): Promise<Answer> =>
  send(controlUrl ?? '', {
    method,
    target,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
const ORDER = { symbol: 'BTC/INR', action: 'BUY', type: 'LIMIT', price: '4000000', quantity: '0.001' };

describe('one command', () => {
  test('starts it anywhere, says a key that works, and leaves nothing behind', async () => {
    const args = ['--port', '0', '--account', 'alice', '--balance', 'INR=1000000,BTC=1', '--profile', 'field'];
    const program = startProgram(['exchange', ...args], { cwd: folder });
    await program.said('Ctrl+C');
    const said = program.out();
    expect(said).toMatch(/It has the profile field, and trades BTC\/INR, ETH\/INR, SOL\/INR, USDT\/INR\.\n/);
    expect(said).toMatch(
      /Account alice, with 1000000 INR, 1 BTC:\n {2}key: +paper-[0-9a-f]+\n {2}secret: +paper-secret-/,
    );
    if (findTool('curl', 'the line that a sandbox shows') !== null) {
      const line = said.split('\n').find((each) => each.includes('curl')) ?? '';
      const { stdout, stderr } = spawnSync('bash', ['-c', line], { encoding: 'utf8' });
      expect([stdout, stderr]).toEqual([expect.stringContaining('{"asset":"INR","free":"1000000","locked":"0"'), '']);
    }
    program.signal('SIGINT');
    const { code, err } = await program.ended;
    expect(code).toBe(0);
    expect(err).not.toMatch(/paper-secret/);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('says what docs/paper-exchange.md shows', async () => {
    const document = readFileSync(path.join(PROJECT_ROOT, 'docs/paper-exchange.md'), 'utf8');
    const [, shown] = /^```bash start\n.*\n```\n\n```text\n([\s\S]*?)^```$/m.exec(document) ?? [];
    const args = ['exchange', '--port', '0', '--control', '0', '--symbols', 'BTC/INR,ETH/INR'];
    const program = startProgram(args, { cwd: folder });
    await program.said('Ctrl+C');
    const plain = program
      .out()
      .replace(/(at http:\/\/127\.0\.0\.1:)\d+(: GET)/, '$18789$2')
      .replaceAll(/127\.0\.0\.1:(?!8789)\d+/g, '127.0.0.1:8788')
      .replace(/signature=.*"$/m, 'signature=…"')
      .replaceAll(/paper-(secret-)?[0-9a-z]+$/gm, 'paper-$1…')
      .replaceAll(/paper-[0-9a-z]+( |')/g, 'paper-…$1');
    expect(plain).toBe(shown);
  });

  test('answers the Python of docs/paper-exchange.md as is shown there', async () => {
    if (findTool('python3', 'the Python of docs/paper-exchange.md') === null) return;
    const document = readFileSync(path.join(PROJECT_ROOT, 'docs/paper-exchange.md'), 'utf8');
    const [, program = '', shown] = /^```python\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```$/m.exec(document) ?? [];
    const started = await start('--symbols', 'BTC/INR,ETH/INR');
    const [{ apiKey, secret }] = keysOf(started);
    const mine = program.replace(
      /^BASE, KEY, SECRET = .*$/m,
      `BASE, KEY, SECRET = '${started.url}', '${apiKey}', '${secret}'`,
    );
    const { stdout, stderr } = spawnSync('python3', ['-c', mine], { encoding: 'utf8' });
    expect([stdout, stderr]).toEqual([shown, '']);
  });

  test('opens several accounts, and what is said of one account is not said of another', async () => {
    const started = await start('--account', 'alice', '--balance', 'INR=5', '--balance', 'BTC=2', '--account', 'bob');
    expect(started.accounts).toMatchObject([
      { account: 'alice', balances: { INR: '5', BTC: '2' } },
      { account: 'bob', balances: { INR: '5000000' } },
    ]);
    const [alice] = keysOf(started);
    expect(JSON.parse((await ask(started, alice, 'wallet')).body)).toMatchObject([
      { asset: 'BTC', free: '2' },
      { asset: 'INR', free: '5' },
    ]);
    const created = await ask(started, keysOf(started, 1)[0], 'create', { body: ORDER });
    expect(created.body).toMatch(/order_id/);
    expect((await ask(started, alice, 'open-orders')).body).toBe('[]');
  });

  test.each(['spec', 'field'])('every market is warm in the first second (%s)', async (profile) => {
    const started = await start(
      '--profile',
      profile,
      '--control',
      '0',
      '--symbols',
      'BTC/INR,USDT/INR,DOGE/INR=12.5,ETH/BTC=0.055',
    );
    await control(started, 'PATCH', '/controls', { rateLimits: { public: [], private: [], legacy: [] } });
    const get = async (target: string) => JSON.parse((await send(started.url, { method: 'GET', target })).body);
    const tickers = await get('/api/v1/public/exchange/ticker');
    const symbols = ['BTC/INR', 'USDT/INR', 'DOGE/INR', 'ETH/BTC'];
    expect(tickers.map(({ symbol }: { symbol: string }) => symbol)).toEqual(symbols);
    for (const { high, low, lastPrice, volume, change_24h: change } of tickers) {
      expect(Number(high)).toBeGreaterThan(Number(low));
      expect(Number(lastPrice)).toBeGreaterThan(0);
      expect(Number(volume)).toBeGreaterThan(0);
      expect(Number(change)).not.toBe(0);
    }
    for (const symbol of symbols) {
      const trades: { time: number }[] = await get(`/api/v1/public/market/trades?symbol=${symbol}&limit=50`);
      expect(trades).toHaveLength(50);
      const { bids, asks } = await get(`/api/v1/public/market/orderbook?symbol=${symbol}&limit=20`);
      expect([bids.length, asks.length]).toEqual([20, 20]);
    }
  });
});

describe('keys', () => {
  test('in a folder they outlive a restart and a crash, also those that were made by control', async () => {
    const options = ['--state', 'kept', '--account', 'alice', '--control', '0'];
    const first = await start(...options);
    const [trading] = keysOf(first);
    const made: Key = JSON.parse(
      (await control(first, 'POST', '/keys', { account: 'alice', permissions: ['read'] })).body,
    );
    const gone: Key = JSON.parse((await control(first, 'POST', '/keys', { account: 'alice' })).body);
    expect((await control(first, 'DELETE', `/keys/${gone.apiKey}`)).status).toBe(200);
    await ask(first, trading, 'create', { body: ORDER });
    await stop(first);
    expect(statSync(path.join(folder, 'kept/paper-exchange.json')).mode & 0o777).toBe(0o600);
    expect(statSync(path.join(folder, 'kept/keys/alice')).mode & 0o777).toBe(0o600);

    const second = await start(...options);
    expect(second.accounts).toEqual(first.accounts);
    expect(second.instanceId).toBe(first.instanceId);
    expect(JSON.parse((await ask(second, made, 'open-orders')).body)).toMatchObject([{ price: '4000000' }]);
    expect((await ask(second, gone, 'wallet')).body).toContain('-2015');
    second.program.signal('SIGKILL');
    await second.program.ended;

    const third = await start(...options);
    expect(third.instanceId).not.toBe(first.instanceId);
    expect((await ask(third, made, 'open-orders')).body).toBe('[]');
    expect((await ask(third, trading, 'wallet')).status).toBe(200);
    await stop(third);
  });
});

describe('what an answer says', () => {
  test('of an order that would meet one’s own names no account', async () => {
    const started = await start('--account', 'alice', '--balance', 'INR=1000000,BTC=1', '--symbols', 'BTC/INR');
    const [key] = keysOf(started);
    const order = (action: string) => ({ ...ORDER, action, price: '5500000' });
    const answers = [];
    for (const action of ['BUY', 'SELL', 'BUY', 'SELL'])
      answers.push((await ask(started, key, 'create', { body: order(action) })).body);
    expect(answers.join('\n')).toMatch(/"msg":"The order would trade with an open order of the same account\."/);
    expect(answers.join('\n')).not.toContain('alice');
  });
});

describe('is refused', () => {
  test.each([
    [['--account', 'Alice'], '--account: "Alice" is not a name such as alice'],
    [['--keys', 'k'], '--keys goes with a configuration, and none is named.'],
    [['config/a.yaml', '--account', 'alice'], '--account is for a sandbox, which has no configuration'],
  ])('%j with 64', async (options, sentence) => {
    const { code, out, err } = await runProgram(['exchange', ...options], { cwd: folder });
    expect([code, out]).toEqual([64, '']);
    expect(err).toContain(sentence);
  });
});
