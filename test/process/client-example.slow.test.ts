// docs/read-account.ts as a reader of docs/client.md runs it: `quotekeeper/client` against the sandbox exchange, whose
// owner has traded more than one page shows.
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

const run = (exchange: Sandbox, key: { readonly apiKey: string; readonly secret: string }, since: string) =>
  runProgram(['--conditions=quotekeeper-source', 'docs/read-account.ts', 'BTC/INR', since], {
    executable: process.execPath,
    environment: { EXCHANGE_URL: exchange.url, API_KEY: key.apiKey, API_SECRET: key.secret },
  });

describe('the example of docs/client.md', () => {
  test('is the file that a test runs', () => {
    expect(read('docs/client.md')).toContain(`\`\`\`ts\n${read('docs/read-account.ts')}\`\`\``);
  });

  test('prints the wallet, and each execution once, over more than one page', async () => {
    const exchange = await sandbox();
    const [full, reading] = exchange.accounts[0]?.keys ?? [];
    if (full === undefined || reading === undefined) throw new Error('The sandbox has no keys.');
    const since = new Date(Date.now() - 60_000).toISOString();
    for (let number = 0; number < TRADES; number += 1) await buy(exchange);
    const { code, out, err } = await run(exchange, reading, since);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const lines = out.trimEnd().split('\n');
    expect(lines.filter((line) => /^(?:BTC|INR): [\d.]+ free, 0 locked$/.test(line))).toHaveLength(2);
    const bought = lines.filter((line) => line.includes(' buy '));
    expect(bought.length).toBeGreaterThanOrEqual(TRADES);
    const total = bought.reduce((sum, line) => sum + Number(/buy ([\d.]+) @/.exec(line)?.[1]), 0);
    expect(total).toBeCloseTo(TRADES * 0.001, 8);
    for (const secret of [full.secret, reading.secret, reading.apiKey]) expect(out).not.toContain(secret);
  });

  test('says in one sentence why the wallet can not be read', async () => {
    const exchange = await sandbox();
    const { code, err } = await run(exchange, { apiKey: 'key-of-nobody', secret: 'no-secret' }, '2026-01-01');
    expect(code).not.toBe(0);
    expect(err).toMatch(/The wallet can't be read: HTTP \d+ -\d+: /);
  });
});

describe('an exchange that is opened', () => {
  test('shows no secret, and throws for what is asked after it was closed', async () => {
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
    await expect(exchange.api.wallet()).rejects.toThrow('wallet was asked of an exchange that is closed.');
  });
});
