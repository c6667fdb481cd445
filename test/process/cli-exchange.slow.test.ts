// `quotekeeper exchange`: listens, answers, keeps its state over a stop, refuses a second start and bad recordings; and
// is a sandbox for other programs.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sendRequest } from '../contract/paper-connection.ts';
import { requestFor } from '../unit/paper/small-exchange.ts';
import { endPrograms, PROJECT_ROOT, type Program, runProgram, startProgram } from './start-program.ts';

let folder = '';

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cli-exchange-')));
  mkdirSync(path.join(folder, 'config'));
  configure('paper.yaml', (text) => text.replace('port: 8788', 'port: 0'));
});
afterEach(() => {
  endPrograms();
  rmSync(folder, { recursive: true, force: true });
});

function configure(example: string, change: (text: string) => string): void {
  const text = readFileSync(path.join(PROJECT_ROOT, 'config', example), 'utf8');
  writeFileSync(path.join(folder, 'config/a.yaml'), change(text));
}

interface Started {
  readonly program: Program;
  readonly url: string;
  readonly instanceId: string;
  readonly stateFile: string;
  readonly profile: string;
  readonly controlUrl: string | null;
  readonly keys: readonly { readonly account: string; readonly file: string }[];
}

async function start(...options: string[]): Promise<Started> {
  const program = startProgram(['exchange', 'config/a.yaml', '--json', ...options], { cwd: folder });
  await program.said('\n');
  return { program, ...JSON.parse(program.out()) };
}

describe('the paper exchange alone', () => {
  test('answers, and ends in good order on SIGTERM and on SIGINT', async () => {
    const names: string[] = [];
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const { program, url, instanceId, stateFile } = await start();
      names.push(instanceId);
      const response = await fetch(`${url}/api/v1/public/exchange/symbols`);
      expect(await response.json()).toEqual(['BTC/INR', 'ETH/INR']);
      program.signal(signal);
      expect(await program.ended).toMatchObject({ code: 0, signal: null });
      expect(existsSync(stateFile)).toBe(true);
    }
    // The second start went on with the same exchange.
    expect(names[1]).toBe(names[0]);
  });

  test('refuses a folder whose exchange runs on a port that the system chose with 73', async () => {
    const { url } = await start();
    const { code, out, err } = await runProgram(['exchange', 'config/a.yaml'], { cwd: folder });
    expect({ code, out }).toEqual({ code: 73, out: '' });
    expect(err).toContain('is in use by another exchange');
    expect((await fetch(`${url}/api/v1/public/exchange/symbols`)).status).toBe(200);
  });
});

/** Key and secret as the file has them. */
function keysIn(file: string): { readonly apiKey: string; readonly secret: string } {
  const text = readFileSync(file, 'utf8');
  const of = (name: string): string => new RegExp(`^${name}: (\\S+)$`, 'm').exec(text)?.[1] ?? '';
  return { apiKey: of('key'), secret: of('secret') };
}

const asset = (rows: { asset: string; free: string }[], wanted: string) =>
  rows.find((row) => row.asset === wanted)?.free;

describe('for another program', () => {
  test('the words at the start say all that a stranger needs, and no secret', async () => {
    const options = ['--profile', 'field', '--quirk', 'codeAs=number', '--quirk', 'openOrdersCap=20', '--control', '0'];
    const program = startProgram(['exchange', 'config/a.yaml', ...options], { cwd: folder });
    await program.said('Ctrl+C');
    const file = path.join(folder, 'state/paper/paper-keys');
    expect(
      program
        .out()
        .replace(/:\d{4,5}\b/g, ':PORT')
        .replace(/exchange paper-\w+/, 'exchange paper-x'),
    ).toBe(
      `The paper exchange paper-x listens at http://127.0.0.1:PORT.
It is made from config/a.yaml, with the profile field and openOrdersCap=20, codeAs=number.
http://127.0.0.1:PORT/openapi.json describes its interface; an account begins with 5000000 INR, 0.5 BTC, 8 ETH.
A key goes into the header X-EXCHANGE-APIKEY, its secret signs. Both are in the file:
  owner: ${file} (wallet, orders, trades)
The control interface is at http://127.0.0.1:PORT: GET / lists what it does.
Its state is in ${path.join(folder, 'state/paper/paper-exchange.json')}. Stop it with Ctrl+C.
`,
    );
    program.signal('SIGTERM');
    const { out, err } = await program.ended;
    expect(out + err).not.toContain(keysIn(file).secret);
  });

  test('a first signed request with the key in the file, and /openapi.json with its own address', async () => {
    const { url, keys } = await start('--keys', 'mine/key');
    const file = path.join(folder, 'mine/key');
    expect(keys).toEqual([{ account: 'owner', file, permissions: ['wallet', 'orders', 'trades'] }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(existsSync(path.join(folder, 'state/paper/paper-keys'))).toBe(false);
    const wallet = await sendRequest(url, requestFor('wallet', { key: keysIn(file) }, Date.now()));
    expect(asset(JSON.parse(wallet.body), 'INR')).toBe('5000000');
    const described = await (await fetch(`${url}/openapi.json`)).json();
    expect(described).toMatchObject({
      openapi: expect.stringMatching(/^3\./),
      servers: [{ variables: { base_url: { default: url } } }],
    });
  });

  test('accounts of the configuration have keys of their own, made where there are none', async () => {
    const lines = `
  accounts:
    - name: carol
      openingBalances: { INR: 1000 }
      keys: [{ file: keys/carol }, { file: keys/reader, permissions: [wallet] }]
  instruments: [{ symbol: SOL/INR, tickSize: 0.1, lotSize: 0.01, minNotional: 100 }]`;
    configure('paper.yaml', (text) => text.replace('port: 8788', `port: 0${lines}`));
    const { url, keys } = await start();
    expect(keys.map(({ account }) => account)).toEqual(['owner', 'carol', 'carol']);
    const carol = keysIn(path.join(folder, 'keys/carol'));
    const reader = keysIn(path.join(folder, 'keys/reader'));
    const body = { symbol: 'SOL/INR', action: 'BUY', type: 'LIMIT', price: '10', quantity: '20' };
    const created = await sendRequest(url, requestFor('create', { key: carol, body }, Date.now()));
    expect(created).toMatchObject({ status: 200, body: expect.stringContaining('order_id') });
    const denied = await sendRequest(url, requestFor('create', { key: reader, body }, Date.now()));
    expect(denied).toMatchObject({ status: 403, body: expect.stringContaining('-2003') });
  });

  test('two files with one key are refused with 78, and a key that others can read as well', async () => {
    mkdirSync(path.join(folder, 'keys'));
    writeFileSync(path.join(folder, 'keys/a'), 'key: same-key-1\nsecret: some-secret\n', { mode: 0o600 });
    writeFileSync(path.join(folder, 'keys/b'), 'key: same-key-1\nsecret: other-secret\n', { mode: 0o600 });
    const accounts = 'accounts: [{ name: a, keys: [{ file: keys/a }] }, { name: b, keys: [{ file: keys/b }] }]';
    configure('paper.yaml', (text) => text.replace('port: 8788', `port: 0\n  ${accounts}`));
    const twice = await runProgram(['exchange', 'config/a.yaml'], { cwd: folder });
    expect(twice).toMatchObject({ code: 78, err: expect.stringContaining('hold the same key (accounts a and b)') });
    chmodSync(path.join(folder, 'keys/b'), 0o644);
    const open = await runProgram(['exchange', 'config/a.yaml'], { cwd: folder });
    expect(open).toMatchObject({ code: 78, err: expect.stringContaining('has mode 0644') });
  });

  test.each([
    [['--quirk', 'codeAs=text'], 64, '--quirk codeAs: "text" is not one of number, string.'],
    [['--keys', 'config/a.yaml/key'], 73, 'cannot be used'],
  ])('%j is refused', async (options, code, sentence) => {
    const ended = await runProgram(['exchange', 'config/a.yaml', ...options], { cwd: folder });
    expect(ended).toMatchObject({ code, out: '' });
    expect(ended.err).toContain(sentence);
  });
});
