// A backtest of a small recording: what it says first, the times of its fills, and how it ends.

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { StartError } from '../../../src/bot/base/exit-codes.ts';
import { runBacktest } from '../../../src/bot/offline/run-backtest.ts';
import { changed, enterProject, leaveProject, load, TAPE } from './settings-project.ts';

const BEGIN = Date.UTC(2024, 7, 8, 12);
const TRADES_HEADER = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount';
const BOOK_HEADER =
  'exchange,symbol,timestamp,local_timestamp,asks[0].price,asks[0].amount,bids[0].price,bids[0].amount';

interface Market {
  readonly symbol?: string;
  readonly seconds?: number;
  readonly trades?: boolean;
  /** What the price gains a second. */
  readonly drift?: number;
}

let folder = '';
beforeEach(() => {
  folder = enterProject();
});
afterEach(() => leaveProject());

/** A book each second, 100 wide, and now and then a trade through both sides of our quotes. */
function record({ symbol = 'BTCUSDT', seconds = 60, trades = true, drift = 0 }: Market): void {
  const books = [BOOK_HEADER];
  const rows = [TRADES_HEADER];
  for (let second = 0; second <= seconds; second += 1) {
    const at = (BEGIN + second * 1_000) * 1_000;
    const middle = 60_000 + drift * second;
    const stamp = `x,${symbol},${at},${at}`;
    books.push(`${stamp},${(middle + 50).toFixed(2)},1,${(middle - 50).toFixed(2)},1`);
    if (trades && second % 10 === 5) {
      rows.push(`${stamp},${second},buy,${(middle + 49).toFixed(2)},0.01`);
      rows.push(`${stamp},${second},sell,${(middle - 49).toFixed(2)},0.01`);
    }
  }
  writeFileSync(path.join(folder, 'trades.csv.gz'), gzipSync(rows.join('\n')));
  writeFileSync(path.join(folder, 'books.csv'), books.join('\n'));
}

const FILES = { tapeTrades: ['trades.csv.gz'], tapeBooks: ['books.csv'] };

interface Wanted {
  readonly text?: string;
  readonly hours?: number;
  readonly loop?: boolean;
}

async function backtest({ text = TAPE, hours, loop }: Wanted, json: boolean): Promise<{ code: number; out: string }> {
  const written: string[] = [];
  const io = { out: (line: string) => written.push(line), err: () => {}, isTerminal: false, environment: {} };
  const settings = await load(text, { ...FILES, ...(loop && { loop }) });
  const code = await runBacktest(settings, io, { hours: hours ?? null, seed: null, json, html: null });
  return { code, out: written.join('\n') };
}

const dataSchema = z.object({
  halted: z.array(z.object({ symbol: z.string().nullable(), at: z.number(), code: z.string(), reason: z.string() })),
  warnings: z.array(z.string()),
  from: z.number(),
  to: z.number(),
  recordings: z.array(
    z.object({ recordedSymbol: z.string().nullable(), trades: z.object({ from: z.number().nullable() }) }),
  ),
  symbols: z.array(z.object({ recentFills: z.array(z.object({ venueTime: z.number(), side: z.string() })) })),
});

async function data(wanted: Wanted = {}): Promise<{ code: number; found: z.output<typeof dataSchema> }> {
  const { code, out } = await backtest(wanted, true);
  return { code, found: dataSchema.parse(JSON.parse(out)) };
}

const firstLines = async (wanted: Wanted = {}): Promise<string[]> =>
  (await backtest(wanted, false)).out.split('\n').slice(0, 3);

describe('fill times', () => {
  test('are those of the recorded trades', async () => {
    record({});
    const { code, found } = await data();
    expect({ code, warnings: found.warnings, halted: found.halted }).toEqual({ code: 0, warnings: [], halted: [] });
    const times = new Set(found.symbols[0]?.recentFills.map(({ venueTime }) => venueTime));
    expect(times.size).toBeGreaterThan(1);
    const recorded = [5, 15, 25, 35, 45, 55].map((second) => BEGIN + second * 1_000);
    for (const time of times) expect(recorded).toContain(time);
    expect(found.from).toBe(BEGIN);
    expect(found.recordings).toEqual([{ recordedSymbol: 'BTCUSDT', trades: { from: BEGIN + 5_000 } }]);
  });

  test('go on where the recording begins again', async () => {
    record({});
    const { found } = await data({ hours: 0.05, loop: true });
    const last = Math.max(...found.symbols.flatMap(({ recentFills }) => recentFills.map((fill) => fill.venueTime)));
    expect(last).toBeGreaterThan(BEGIN + 120_000);
    expect(found.to).toBeGreaterThanOrEqual(BEGIN + 180_000);
  });
});

describe('says first', () => {
  test('that it was halted, when and why; ends with 76', async () => {
    record({ drift: -20 });
    const text = changed(TAPE, 'maxSessionLoss: 2000', 'maxSessionLoss: 0.5');
    const { code, found } = await data({ text });
    expect(code).toBe(76);
    const [halt] = found.halted;
    expect(halt).toMatchObject({ symbol: 'BTC/USDT', code: 'loss-session' });
    expect(halt?.at).toBeGreaterThan(BEGIN + 5_000);
    expect(halt?.at).toBeLessThan(BEGIN + 60_000);
    const [line] = await firstLines({ text });
    const from = new Date(halt?.at ?? 0).toISOString();
    expect(line).toBe(`HALTED: from ${from} on BTC/USDT is halted: ${halt?.reason}`);
  });

  test('that nothing was traded', async () => {
    record({ trades: false });
    expect(await firstLines()).toEqual([
      'WARNING: The recording of BTC/USDT has no trades.',
      'WARNING: No order was filled.',
      expect.stringMatching(/^Seed 1: \d+ s of the market, from 2024-08-08T12:00:00\.000Z on, /),
    ]);
  });

  test('that the recording is one of another symbol; not where the configuration says so', async () => {
    record({ symbol: 'XBTUSD' });
    const [line] = await firstLines();
    expect(line).toMatch(/^WARNING: The recording played as BTC\/USDT is one of XBTUSD \(.*trades\.csv\.gz, line 2\)/);
    const text = changed(TAPE, '- symbol: BTC/USDT', '- symbol: BTC/USDT\n        recordedSymbol: XBTUSD');
    expect((await data({ text })).found.warnings).toEqual([]);
  });

  test('what kept every order back', async () => {
    record({});
    const text = changed(TAPE, 'maxOrderQuantity: 0.1', 'maxOrderQuantity: 0.001');
    expect((await data({ text })).found.warnings).toEqual([
      expect.stringMatching(/^No order was placed: the risk gate denied [1-9]\d* \(order-quantity\)\.$/),
    ]);
  });

  test('that the recording covers no time', async () => {
    record({ seconds: 0, trades: false });
    expect((await data()).found.warnings).toEqual([
      'The recording of BTC/USDT has no trades.',
      'The recording of BTC/USDT covers no time at all.',
      'No order was placed.',
    ]);
  });
});

test('without hours a recording is played once, also where the configuration lets it loop', async () => {
  record({});
  const { found } = await data({ loop: true });
  expect(found.to).toBeLessThan(BEGIN + 90_000);
});

test('a recording that cannot be read is refused with 65, its file and line', async () => {
  record({});
  writeFileSync(path.join(folder, 'books.csv'), `${BOOK_HEADER}\nx,BTCUSDT,yesterday,0,1,1,1,1`);
  const error = await backtest({}, false).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StartError);
  expect(error).toMatchObject({
    code: 65,
    message:
      `${path.join(folder, 'books.csv')}, line 2, column timestamp: ` +
      '"yesterday" is not a time in microseconds since 1970.',
  });
});
