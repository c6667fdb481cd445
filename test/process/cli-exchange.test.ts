// `quotekeeper exchange`: listens, answers, keeps its state over a stop, refuses a second start and bad recordings.

import {
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
}

async function start(): Promise<Started> {
  const program = startProgram(['exchange', 'config/a.yaml', '--json'], { cwd: folder });
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

  test('says where it listens and where its state is', async () => {
    const program = startProgram(['exchange', 'config/a.yaml'], { cwd: folder });
    await program.said('Ctrl+C');
    expect(program.out()).toMatch(/listens at http:\/\/127\.0\.0\.1:\d+\./);
    expect(program.out()).toContain(path.join(folder, 'state/paper/paper-exchange.json'));
    program.signal('SIGINT');
    expect((await program.ended).code).toBe(0);
  });

  test('makes keys that only the owner can read, and prints none of them', async () => {
    const { program } = await start();
    program.signal('SIGTERM');
    const { out, err } = await program.ended;
    const file = path.join(folder, 'state/paper/paper-keys');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const [, secret = 'none'] = /^secret: (\S+)$/m.exec(readFileSync(file, 'utf8')) ?? [];
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(out + err).not.toContain(secret);
  });

  test('refuses a port that is taken with 69', async () => {
    const { url } = await start();
    const port = new URL(url).port;
    configure('paper.yaml', (text) => text.replace('port: 8788', `port: ${port}`));
    const { code, out, err } = await runProgram(['exchange', 'config/a.yaml'], { cwd: folder });
    expect({ code, out }).toEqual({ code: 69, out: '' });
    expect(err).toContain(`Port ${port} of 127.0.0.1 is taken`);
  });

  test('refuses a state folder that it can not use with 73', async () => {
    writeFileSync(path.join(folder, 'state'), 'a file where the folder should be');
    const { code, err } = await runProgram(['exchange', 'config/a.yaml'], { cwd: folder });
    expect(code).toBe(73);
    expect(err).toContain('can not be used');
  });
});

describe('with a recording', () => {
  const trades =
    'exchange,symbol,timestamp,local_timestamp,id,side,price,amount\nx,BTCUSDT,1700000000000000,1700000000000000,1,buy,60000.00,0.01\n';
  const books =
    'exchange,symbol,timestamp,local_timestamp,asks[0].price,asks[0].amount,bids[0].price,bids[0].amount\nx,BTCUSDT,1700000000000000,1700000000000000,60000.00,1,59990.00,2\n';

  beforeEach(() => {
    configure('tape.example.yaml', (text) => text.replace('port: 8788', 'port: 0'));
    writeFileSync(path.join(folder, 'trades.csv'), trades);
    writeFileSync(path.join(folder, 'books.csv'), books);
  });

  test('plays the files of the command line', async () => {
    const args = ['exchange', 'config/a.yaml', '--json', '--tape-trades', 'trades.csv', '--tape-books', 'books.csv'];
    const program = startProgram(args, { cwd: folder });
    await program.said('\n');
    const { url }: { url: string } = JSON.parse(program.out());
    const response = await fetch(`${url}/api/v1/public/market/orderbook?symbol=BTC/USDT`);
    expect(await response.json()).toMatchObject({ bids: [['59990', '2']] });
    program.signal('SIGTERM');
    expect((await program.ended).code).toBe(0);
  });

  test('that is not there ends with 65', async () => {
    const { code, err } = await runProgram(['exchange', 'config/a.yaml'], { cwd: folder });
    expect(code).toBe(65);
    expect(err).toContain('BTCUSDT.trades.csv.gz');
  });

  test('that is damaged ends with 65, file and line', async () => {
    writeFileSync(path.join(folder, 'trades.csv'), trades.replace('60000.00', 'much'));
    const args = ['exchange', 'config/a.yaml', '--tape-trades', 'trades.csv', '--tape-books', 'books.csv'];
    const { code, err } = await runProgram(args, { cwd: folder });
    expect(code).toBe(65);
    expect(err).toMatch(/trades\.csv, line 2, column price/);
  });
});
