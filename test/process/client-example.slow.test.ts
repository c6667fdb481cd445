// The examples of docs/client.md as its readers run them: `quotekeeper/client` against the sandbox exchange.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from '@jest/globals';
import { openExchange } from '../../src/client/index.ts';
import { send } from '../contract/paper-connection.ts';
import { endPrograms, PROJECT_ROOT, type Program, runProgram, startProgram } from './start-program.ts';

const TRADES = 65;

afterEach(endPrograms);

const read = (file: string): string => readFileSync(path.join(PROJECT_ROOT, file), 'utf8');

interface Sandbox {
  readonly program: Program;
  readonly url: string;
  readonly controlUrl: string;
  readonly accounts: readonly { readonly keys: readonly { readonly apiKey: string; readonly secret: string }[] }[];
}

async function sandbox(): Promise<Sandbox> {
  const options = ['--port', '0', '--json', '--control', '0', '--symbols', 'BTC/INR', '--balance', 'INR=5000000,BTC=2'];
  const program = startProgram(['exchange', ...options]);
  await program.said('\n');
  return { program, ...JSON.parse(program.out()) };
}

async function ask({ controlUrl }: Sandbox, method: string, target: string, body: object): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await send(controlUrl, { method, target, body: JSON.stringify(body), headers });
  if (answer.status !== 200) throw new Error(`${method} ${target}: ${answer.status} ${answer.body}`);
}

const BUY = { kind: 'place-order', account: 'owner', symbol: 'BTC/INR', side: 'buy', quantity: '0.001' };
const buy = (exchange: Sandbox): Promise<void> =>
  ask(exchange, 'POST', '/owner-actions', { ...BUY, terms: { type: 'MARKET' } });

const run = (
  exchange: Sandbox,
  key: { readonly apiKey: string; readonly secret: string },
  ...example: readonly string[]
) =>
  runProgram(['--conditions=quotekeeper-source', ...example], {
    executable: process.execPath,
    environment: { EXCHANGE_URL: exchange.url, API_KEY: key.apiKey, API_SECRET: key.secret },
  });

async function opened() {
  const exchange = await sandbox();
  const [full, reading] = exchange.accounts[0]?.keys ?? [];
  if (full === undefined || reading === undefined) throw new Error('The sandbox has no keys.');
  return { exchange, full, reading };
}

describe('the examples of docs/client.md', () => {
  test.each(['read-account.ts', 'place-order.ts'])('%s is the file that a test runs', (name) => {
    expect(read('docs/client.md')).toContain(`\`\`\`ts\n${read(`docs/${name}`)}\`\`\``);
  });

  test('one prints the wallet, and each execution once, over more than one page', async () => {
    const { exchange, full, reading } = await opened();
    const since = new Date(Date.now() - 60_000).toISOString();
    for (let number = 0; number < TRADES; number += 1) await buy(exchange);
    const { code, out, err } = await run(exchange, reading, 'docs/read-account.ts', 'BTC/INR', since);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.trimEnd().split('\n');
    expect(lines.filter((line) => /^(?:BTC|INR): [\d.]+ free, 0 locked$/.test(line))).toHaveLength(2);
    const bought = lines.filter((line) => line.includes(' buy '));
    expect(bought.length).toBeGreaterThanOrEqual(TRADES);
    const total = bought.reduce((sum, line) => sum + Number(/buy ([\d.]+) @/.exec(line)?.[1]), 0);
    expect(total).toBeCloseTo(TRADES * 0.001, 8);
    for (const secret of [full.secret, reading.secret, reading.apiKey]) expect(out).not.toContain(secret);
  });

  test('it says in one sentence why the wallet can not be read', async () => {
    const exchange = await sandbox();
    const nobody = { apiKey: 'key-of-nobody', secret: 'no-secret' };
    const { code, err } = await run(exchange, nobody, 'docs/read-account.ts', 'BTC/INR', '2026-01-01');
    expect(code).not.toBe(0);
    expect(err).toMatch(/The wallet can't be read: HTTP \d+ -\d+: /);
  });

  test.each([
    [
      'far from the market rests and is canceled',
      '1000000',
      /filled\nCancel: acknowledged\n0 trades of it; the list is/,
    ],
    ['at any price is filled', '9000000', /not open\nCancel: acknowledged\nbought 0\.\d+ @ \d/],
  ])('an order %s', async (_, price, said) => {
    const { exchange, full } = await opened();
    const { code, out, err } = await run(exchange, full, 'docs/place-order.ts', 'BTC/INR', price, '0.0010', '3');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^Order: 1-\d+-1\n/);
    expect(out).toMatch(said);
  });
});

describe('an exchange that is opened', () => {
  test('shows no secret, and asks nothing after it was closed', async () => {
    const { url, accounts } = await sandbox();
    const key = accounts[0]?.keys[0];
    if (key === undefined) throw new Error('The sandbox has no keys.');
    const exchange = openExchange({ baseUrl: url, apiKey: key.apiKey, secret: key.secret });
    const answer = await exchange.api.wallet();
    expect(answer.outcome.kind).toBe('read');
    expect(exchange.clock()?.uncertaintyMs).toBeLessThan(60_000);
    const shown = inspect([exchange, answer], { depth: 20, showHidden: true });
    for (const secret of [key.apiKey, key.secret]) expect(shown).not.toContain(secret);
    await exchange.close();
    expect((await exchange.api.wallet()).outcome).toMatchObject({ kind: 'failed', fault: { sent: false } });
  });
});
