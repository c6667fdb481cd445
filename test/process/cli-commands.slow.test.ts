// The real program on the real command line: exit codes, sentences, JSON, from any folder.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { VERSION } from '../../src/bot/base/program.ts';
import { statusLines } from '../../src/bot/status/status-table.ts';
import { writeLastStatus } from '../../src/bot/web/past-status.ts';
import { btc, statusFixture } from '../browser/status-fixture.ts';
import { runHere } from './run-here.ts';
import { endPrograms, PROJECT_ROOT, QUOTEKEEPER, runProgram } from './start-program.ts';

let folder = '';

beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'cli-')));
  mkdirSync(path.join(folder, 'config'));
  writeFileSync(path.join(folder, 'config/paper.yaml'), readFileSync(path.join(PROJECT_ROOT, 'config/paper.yaml')));
});
afterEach(() => {
  endPrograms();
  rmSync(folder, { recursive: true, force: true });
});

/** Files of `config` are those of the folder. */
const run = (args: readonly string[]) =>
  runHere(args.map((each) => (each.startsWith('config/') ? path.join(folder, each) : each)));

describe('help', () => {
  test('lists every exit code', async () => {
    const { code, out, err } = await run(['--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const exit of ['64', '65', '69', '70', '73', '74', '75', '76', '77', '78', '130'])
      expect(out).toMatch(new RegExp(`^ +${exit}  `, 'm'));
  });

  test('tells the version', async () => {
    const { version }: { version: string } = JSON.parse(readFileSync(path.join(PROJECT_ROOT, 'package.json'), 'utf8'));
    expect(await run(['--version'])).toMatchObject({ code: 0, out: `${version}\n` });
  });
});

describe('check', () => {
  test('says what the paper configuration means', async () => {
    const { code, out, err } = await run(['check', 'config/paper.yaml', '--offline']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(`The configuration is valid (${path.join(folder, 'config/paper.yaml')}).`);
    expect(out).toContain('nothing leaves this machine');
    expect(out).toContain('fee 0.472 % as maker');
    expect(out).toContain(path.join(folder, 'state/paper'));
  });

  test('takes no configuration of its own when none is named and no bot runs', async () => {
    const { code, out, err } = await runProgram(['check', '--offline'], { cwd: folder });
    expect({ code, out }).toEqual({ code: 64, out: '' });
    expect(err).toMatch(/^No configuration is named, and no bot runs/);
    expect(err).toContain('Name the configuration: quotekeeper check ');
  });

  test('names file and line of a mistake and ends with 78', async () => {
    const text = readFileSync(path.join(folder, 'config/paper.yaml'), 'utf8');
    writeFileSync(path.join(folder, 'config/bad.yaml'), text.replace('collarBps: 500', 'collarBps: abc'));
    const { code, out, err } = await run(['check', 'config/bad.yaml']);
    expect({ code, out }).toEqual({ code: 78, out: '' });
    expect(err).toMatch(/\/config\/bad\.yaml:\d+: runs\[0\]\.limits\.collarBps: "abc" is not a number > 0/);
  });
});

const socket = (): string => path.join(folder, 'state/paper/control.sock');

describe('status', () => {
  const asked: string[] = [];

  async function listen(server: Server, place: { readonly port: number } | { readonly path: string }): Promise<number> {
    await new Promise<void>((resolve) => server.listen({ host: '127.0.0.1', ...place }, resolve));
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  const bot = (name: string): Server =>
    createServer(({ url }, response) => {
      asked.push(name);
      response.setHeader('content-type', 'application/json');
      const status = { ...STATUS, program: name, stateFolder: path.join(folder, 'state/paper') };
      response.end(JSON.stringify(url === '/status-lines' ? statusLines(status) : status));
    });

  test('ends with 69 when no bot answers, whoever holds the port of its page', async () => {
    asked.length = 0;
    const impostor = bot('impostor');
    const port = await listen(impostor, { port: 0 });
    const text = readFileSync(path.join(folder, 'config/paper.yaml'), 'utf8');
    writeFileSync(path.join(folder, 'config/a.yaml'), `${text}\nweb: { port: ${port} }\n`);
    const { code, out, err } = await run(['status', 'config/a.yaml']);
    impostor.close();
    expect({ code, out, asked }).toEqual({ code: 69, out: '', asked: [] });
    expect(err).toContain(`No bot answers at ${socket()}.`);
  });

  test('shows the last status of a bot that is gone, and ends with 69', async () => {
    mkdirSync(path.dirname(socket()), { recursive: true });
    const kept = statusFixture({ phase: 'stopped', flat: true, symbols: [btc({ orders: [] })] });
    writeLastStatus(path.dirname(socket()), JSON.stringify({ ...kept, version: VERSION }));
    const { code, out, err } = await run(['status', 'config/paper.yaml']);
    expect(code).toBe(69);
    expect(out).toContain('PAPER  stopped  as of 2026-03-17 15:12:31 GMT+5:30');
    expect(out).toContain('that none of its orders rests on the exchange.');
    expect(err).toContain(`No bot answers at ${socket()}.`);
  });

  test.each([
    ['a table', [], 'BTC/INR  Quoting'],
    ['JSON', ['--json'], '"phase":"running"'],
  ])('prints %s of what the bot says', async (_what, options, wanted) => {
    mkdirSync(path.dirname(socket()), { recursive: true });
    const server = bot('quotekeeper');
    await listen(server, { path: socket() });
    const { code, out, err } = await run(['status', 'config/paper.yaml', ...options]);
    server.closeAllConnections();
    server.close();
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain(wanted);
  });
});

const STATUS = statusFixture({ symbols: [btc()] });

describe('rearm', () => {
  const latch = (): string => path.join(folder, 'state/paper/kill-latch.json');
  const setLatch = (text: string): void => {
    mkdirSync(path.dirname(latch()), { recursive: true });
    writeFileSync(latch(), text);
  };

  test('shows the reason first and removes the latch only with --yes', async () => {
    setLatch('{"reason":"The loss of the day passed its limit.","at":"2026-01-02T03:04:05.000Z"}');
    const asked = await run(['rearm', 'config/paper.yaml']);
    expect(asked).toMatchObject({ code: 77, out: expect.stringContaining('The loss of the day passed its limit.') });
    expect(JSON.parse((await run(['rearm', 'config/paper.yaml', '--json'])).out)).toMatchObject({ latched: true });
    expect(await run(['rearm', 'config/paper.yaml', '--yes'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('It is removed'),
    });
    expect(await run(['rearm', 'config/paper.yaml'])).toMatchObject({
      code: 0,
      out: expect.stringContaining('No kill latch is set'),
    });
  });

  test('says since when no order is open, and so does `status` where nobody answers', async () => {
    setLatch('{"reason":"8 of its orders may be open.","at":"2026-01-02T03:04:05.000Z"}');
    const line = (op: string, reason: string, at: string): string => `${JSON.stringify({ at, op, reason, pid: 1 })}\n`;
    const trail = path.join(folder, 'state/paper/kill-latch.log');
    const set = line('set', '8 of its orders may be open.', '2026-01-02T03:04:05.000Z');
    const then =
      'The kill latch is set since 2026-01-02 08:34:05 GMT+5:30. The reason, as of then: 8 of its orders may be open.';
    const proof = 'Proved since, 2026-01-02 08:35:06 GMT+5:30, by cancel-all: no order of the bot is open.';
    writeFileSync(trail, set + line('proved', 'cancel-all', '2026-01-02T03:05:06.000Z'));
    expect((await run(['rearm', 'config/paper.yaml'])).out).toContain(`${then}\n${proof}\n`);
    // Of a bot that was killed: that its orders may rest is over.
    writeLastStatus(path.dirname(socket()), JSON.stringify({ ...STATUS, version: VERSION }));
    expect(await run(['status', 'config/paper.yaml'])).toMatchObject({
      out: '',
      err: expect.stringContaining(
        `${then} ${proof} Next: \`quotekeeper rearm ${path.join(folder, 'config/paper.yaml')}\`.`,
      ),
    });
  });

  test('takes a damaged latch for a latch', async () => {
    setLatch('{"reas');
    expect(await run(['rearm', 'config/paper.yaml'])).toMatchObject({
      code: 77,
      out: expect.stringContaining('is damaged'),
    });
  });
});

describe('the executable', () => {
  test('works through a symbolic link from elsewhere', async () => {
    symlinkSync(QUOTEKEEPER, path.join(folder, 'qk'));
    const ended = await runProgram(['check', path.join(folder, 'config/paper.yaml'), '--offline'], {
      cwd: '/',
      executable: path.join(folder, 'qk'),
    });
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('The configuration is valid') });
  });

  test.each([
    { what: 'a clone', main: 'src/bot/main.ts', remedy: 'npm ci' },
    { what: 'a package', main: 'build/src/bot/main.js', remedy: 'Install quotekeeper again' },
    { what: 'a package without its build', main: 'README.md', remedy: 'npm run pack' },
  ])('of $what says what to do where it can not start', async ({ main, remedy }) => {
    const root = path.join(folder, 'node_modules/quotekeeper');
    mkdirSync(path.join(root, path.dirname(main)), { recursive: true });
    writeFileSync(path.join(root, main), '');
    copyFileSync(QUOTEKEEPER, path.join(root, 'quotekeeper'));
    // Neither what lies beside a package nor what the machine has is new enough.
    for (const place of ['bin', 'node_modules/.bin']) {
      mkdirSync(path.join(folder, place), { recursive: true });
      writeFileSync(path.join(folder, place, 'node'), '#!/bin/sh\necho 22\n', { mode: 0o755 });
    }
    const environment = { PATH: `${path.join(folder, 'bin')}:/usr/bin:/bin` };
    const ended = await runProgram(['check', '--offline'], { executable: path.join(root, 'quotekeeper'), environment });
    expect(ended).toMatchObject({ code: 69, out: '', err: expect.stringContaining(remedy) });
  });
});
