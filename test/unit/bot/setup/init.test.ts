// `init`: the program accepts what it writes, and a refusal writes nothing.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { createCommandLine } from '../../../../src/bot/command-line.ts';
import { placeholderLines } from '../../../../src/bot/settings/located.ts';
import { loadSettings } from '../../../../src/bot/settings/settings.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'init-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs `init` for the folder; asks nobody, since there is no terminal here. */
async function init(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const said: { out: string[]; err: string[] } = { out: [], err: [] };
  const io = {
    out: (text: string) => void said.out.push(text),
    err: (text: string) => void said.err.push(text),
    isTerminal: false,
    environment: {},
  };
  const code = await createCommandLine(io).run(['init', folder, ...args]);
  return { code, out: said.out.join('\n'), err: said.err.join('\n') };
}

const fileOf = (name: string): string => path.join(folder, `${name}.yaml`);
const textOf = (name: string): string => readFileSync(fileOf(name), 'utf8');
const LIVE = ['--mode', 'live', '--max-day-loss', '500'];

describe('init writes', () => {
  test('a paper exchange with one symbol by default, and the next command', async () => {
    const { code, out } = await init();
    expect([code, out]).toEqual([0, expect.stringContaining(`Next: quotekeeper run ${fileOf('paper')}`)]);
    const { mode, stateFolder, trader } = await loadSettings([fileOf('paper')]);
    expect([mode, stateFolder]).toEqual(['paper', path.join(folder, 'state/paper')]);
    expect(trader.runs.map(({ instrument }) => instrument.symbol)).toEqual(['BTC/INR']);
  });

  test('the given answers, limits scaled with the order size, and the example’s comments', async () => {
    const wanted = ['--symbol', 'ETH/INR', 'DOGE/INR=12.5', '--half-spread-bps', '120', '--order-size', '25000'];
    expect(await init(...wanted, '--name', 'mine')).toMatchObject({ code: 0 });
    const { trader } = await loadSettings([fileOf('mine')]);
    expect(
      trader.runs.map(({ instrument, limits, params }) => ({
        symbol: instrument.symbol,
        params: JSON.parse(JSON.stringify(params)),
        orders: limits.maxOrderNotional.toFixed(),
        open: limits.maxOpenNotional.toFixed(),
        quantity: limits.maxOrderQuantity.toFixed(),
      })),
    ).toEqual([
      {
        symbol: 'ETH/INR',
        params: expect.objectContaining({ halfSpreadBps: 120, orderSize: '25000' }),
        orders: '100000',
        open: '300000',
        quantity: '0.46',
      },
      {
        symbol: 'DOGE/INR',
        params: expect.objectContaining({ halfSpreadBps: 120, orderSize: '25000' }),
        orders: '100000',
        open: '300000',
        quantity: '11000',
      },
    ]);
    expect(textOf('mine')).toContain('# of DOGE and INR together, so much should be DOGE');
    expect(textOf('mine')).toContain('startPrice: 12.5');
  });

  test('amounts in another quote asset', async () => {
    expect(await init('--symbol', 'BTC/USDT')).toMatchObject({ code: 0 });
    const { trader } = await loadSettings([fileOf('paper')]);
    expect(trader.runs[0]?.limits.maxDayLoss?.toFixed()).toBe('3000');
    expect(textOf('paper')).toContain('orderSize: 500 ');
  });

  test('a live configuration with its loss limit, key files and state folder; no loss is rounded up', async () => {
    const files = ['--keys-file', '/etc/quotekeeper/live.keys', '--watchdog-keys-file', '/etc/my keys/dog'];
    const rest = ['--base-url', 'https://api.example/', '--state', '/var/lib/quotekeeper/live'];
    const { code, out } = await init(...LIVE, ...files, ...rest);
    expect([code, out]).toEqual([0, expect.stringContaining(`Next: quotekeeper check ${fileOf('live')}`)]);
    const { keys, watchdog, stateFolder, venue, log, trader } = await loadSettings([fileOf('live')]);
    const [run] = trader.runs;
    expect({
      keys,
      watchdogKeys: watchdog.keys,
      stateFolder,
      baseUrl: venue.baseUrl,
      log: log.file,
      losses: [run?.limits.maxDayLoss, run?.limits.maxDrawdown].map(String),
    }).toEqual({
      keys: { kind: 'file', path: '/etc/quotekeeper/live.keys' },
      watchdogKeys: { kind: 'file', path: '/etc/my keys/dog' },
      stateFolder: '/var/lib/quotekeeper/live',
      baseUrl: 'https://api.example',
      log: '/var/lib/quotekeeper/live/quotekeeper.log',
      losses: ['500', '830'],
    });
    // The address and the loss were given.
    const still = ['venue.apiKeyHeader', 'costs', 'runs[0].instrument'];
    expect(placeholderLines(new Map([[fileOf('live'), textOf('live')]]))).toEqual(
      still.map((key) => expect.stringContaining(`: ${key}: a placeholder. Enter `)),
    );
    expect(out).toContain('costs: a placeholder.');
  });

  test('another strategy, with the example’s parameters that it has', async () => {
    for (const strategy of ['avellaneda-stoikov', 'cartea-jaimungal', 'glft', 'microprice-pegged']) {
      expect([strategy, await init('--strategy', strategy, '--name', strategy)]).toEqual([
        strategy,
        expect.objectContaining({ code: 0, err: '' }),
      ]);
    }
  });
});

describe('init refuses, and writes nothing', () => {
  test.each([
    [['--mode', 'live'], '--max-day-loss: missing; live mode needs'],
    [['--mode', 'demo'], '--mode: "demo" is neither paper nor live.'],
    [['--symbol', 'BTCINR'], '--symbol: "BTCINR" is not a symbol such as BTC/INR'],
    [['--symbol', 'DOGE/INR'], '--symbol: DOGE/INR needs a start price, such as DOGE/INR=100'],
    [['--symbol', 'BTC/INR', 'BTC/INR'], '--symbol: BTC/INR stands there twice.'],
    [['--strategy', 'none'], '--strategy: there is no "none"; there are '],
    [['--strategy', 'cross-rate'], '--strategy: cross-rate wants legs, which cannot be said here.'],
    [['--strategy', 'glft', '--half-spread-bps', '90'], '--half-spread-bps: glft works its distances out'],
    [['--order-size', '-5'], '--order-size: "-5" is not an amount above zero'],
    [['--order-size', '1'], 'That makes no configuration, and nothing was written'],
    [['--half-spread-bps', '900'], 'collarBps'],
    [['--keys-file', 'keys'], '--keys-file: paper mode has none'],
    [['--name', '../paper'], '--name: "../paper" is not a name'],
  ])('%j', async (args, sentence) => {
    const { code, err } = await init(...args);
    expect([code, err]).toEqual([64, expect.stringContaining(sentence)]);
    expect(existsSync(fileOf('paper'))).toBe(false);
  });

  test('an existing file stays as it is', async () => {
    writeFileSync(fileOf('live'), 'mine');
    const { code, err } = await init(...LIVE);
    expect([code, err]).toEqual([73, expect.stringContaining(`${fileOf('live')} is there already`)]);
    expect(textOf('live')).toBe('mine');
  });

  test.each([
    ['a file', (place: string) => writeFileSync(place, 'mine'), 'ENOTDIR'],
    ['a pipe', (place: string) => void execFileSync('mkfifo', [place]), 'ENOTDIR'],
    ['a link to a file', (place: string) => symlinkSync('/dev/null', place), 'ENOTDIR'],
    ['a link to nothing', (place: string) => symlinkSync('nowhere', place), 'ENOENT'],
  ])('%s in the place of the folder is not reported as an existing file', async (_, make, code) => {
    rmSync(folder, { recursive: true });
    make(folder);
    const sentence = `${fileOf('live')} cannot be written (${code}).`;
    expect(await init(...LIVE)).toEqual({ code: 73, out: '', err: sentence });
  });
});
