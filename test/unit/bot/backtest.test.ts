// A backtest of a small recording: its first lines, the times of its fills, and how it ends.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { StartError } from '../../../src/bot/base/exit-codes.ts';
import { makeStatement } from '../../../src/bot/books/make-statement.ts';
import type { CommandIo } from '../../../src/bot/io/command-io.ts';
import { type BacktestOptions, runBacktest } from '../../../src/bot/offline/run-backtest.ts';
import { timeText } from '../../../src/domain/time-text.ts';
import { realClock } from '../../../src/ports/clock.ts';
import { changed, enterProject, leaveProject, load, PAPER, TAPE } from './settings-project.ts';

const BEGIN = Date.UTC(2024, 7, 8, 12);
const TRADES_HEADER = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount';
const BOOK_HEADER =
  'exchange,symbol,timestamp,local_timestamp,asks[0].price,asks[0].amount,bids[0].price,bids[0].amount';

interface Market {
  readonly symbol?: string;
  readonly seconds?: number;
  readonly trades?: boolean;
  /** Price increase per second. */
  readonly drift?: number;
}

let folder = '';
beforeEach(() => {
  folder = enterProject();
});
afterEach(() => leaveProject());

/** A book each second, 100 wide, and occasional trades through both sides of our quotes. */
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
      rows.push(`${stamp},${second}s,sell,${(middle - 49).toFixed(2)},0.01`);
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

interface Said {
  readonly code: number;
  readonly out: string;
}

async function said(work: (io: CommandIo) => number | Promise<number>): Promise<Said> {
  const written: string[] = [];
  const io = { out: (line: string) => written.push(line), err: () => {}, isTerminal: false, environment: {} };
  return { code: await work(io), out: written.join('\n') };
}

type Kept = Partial<Pick<BacktestOptions, 'begin' | 'state' | 'html' | 'seed'>>;

async function backtest(wanted: Wanted, json: boolean, kept: Kept = {}): Promise<Said> {
  const { text = TAPE, hours, loop } = wanted;
  const settings = await load(text, { ...(text === PAPER ? {} : FILES), ...(loop && { loop }) });
  const options = { hours: hours ?? null, seed: null, json, html: null, begin: null, state: null, ...kept };
  return said((io) => runBacktest(settings, io, options));
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

test('a seed is one market, and another seed another', async () => {
  const market = async (seed: string) => {
    const { out } = await backtest({ text: PAPER, hours: 0.02 }, true, { seed });
    return dataSchema.parse(JSON.parse(out)).symbols;
  };
  const [one, again, other] = [await market('1'), await market('1'), await market('2')];
  expect(one.some(({ recentFills }) => recentFills.length > 0)).toBe(true);
  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

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

  test('continue when the recording repeats', async () => {
    record({});
    const { found } = await data({ hours: 0.05, loop: true });
    const last = Math.max(...found.symbols.flatMap(({ recentFills }) => recentFills.map((fill) => fill.venueTime)));
    expect(last).toBeGreaterThan(BEGIN + 120_000);
    expect(found.to).toBeGreaterThanOrEqual(BEGIN + 180_000);
  });
});

/** A request in 100 seconds on each lane. */
const SLOW: readonly (readonly [string, string])[] = [
  ['public: { requestsPerSecond: 9 }', 'public: { requestsPerSecond: 0.01 }'],
  ['private: { requestsPerSecond: 9 }', 'private: { requestsPerSecond: 0.01 }'],
];

test('a recording has ended when its time is over, however rarely the bot asks', async () => {
  record({ seconds: 1_800 });
  const { found } = await data({ text: SLOW.reduce((text, [old, other]) => changed(text, old, other), TAPE) });
  const stopMs = 910_000;
  expect(found.to).toBeGreaterThan(BEGIN + 1_800_000);
  expect(found.to).toBeLessThan(BEGIN + 1_800_000 + stopMs);
});

describe('says first', () => {
  test('that it was halted, when and why; ends with 76', async () => {
    record({ drift: -20 });
    const text = changed(TAPE, 'maxSessionLoss: 2000', 'maxSessionLoss: 0.5');
    const { code, found } = await data({ text });
    expect(code).toBe(76);
    const [halt] = found.halted;
    expect(halt).toMatchObject({ symbol: 'BTC/USDT', code: 'loss' });
    expect(halt?.at).toBeGreaterThan(BEGIN + 5_000);
    expect(halt?.at).toBeLessThan(BEGIN + 60_000);
    const [line] = await firstLines({ text });
    expect(line).toBe(`HALTED: from ${timeText(halt?.at ?? 0)} on BTC/USDT is halted: ${halt?.reason}`);
  });

  test('that nothing was traded', async () => {
    record({ trades: false });
    expect(await firstLines()).toEqual([
      'WARNING: The recording of BTC/USDT has no trades.',
      'WARNING: No order was filled.',
      expect.stringMatching(/^Seed 1: \d+ s of the market, from 2024-08-08 12:00:00 UTC on, /),
    ]);
  });

  test('that the recording is of another symbol; not if the configuration says so', async () => {
    record({ symbol: 'XBTUSD' });
    const [line] = await firstLines();
    expect(line).toMatch(/^WARNING: The recording played as BTC\/USDT is one of XBTUSD \(.*trades\.csv\.gz, line 2\)/);
    const text = changed(TAPE, '- symbol: BTC/USDT', '- symbol: BTC/USDT\n        recordedSymbol: XBTUSD');
    expect((await data({ text })).found.warnings).toEqual([]);
  });

  test('what blocked every order', async () => {
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

test('without hours a recording is played once, even if the configuration repeats it', async () => {
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

const refused = async (wanted: Wanted, kept: Kept): Promise<StartError> => {
  const error = await backtest(wanted, false, kept).catch((reason: unknown) => reason);
  if (error instanceof StartError) return error;
  throw new Error('It was not refused.');
};

describe('the journal of a run can be kept', () => {
  const assetsSchema = z.object({ assets: z.array(z.object({ asset: z.string(), wallet: z.string() })) });
  const statementSchema = z.object({
    whole: z.boolean(),
    lines: z.array(z.object({ section: z.string(), subject: z.string(), line: z.string(), exact: z.string() })),
  });

  test('and its statement ends with what the run ended with, to the last digit', async () => {
    record({});
    const state = path.join(folder, 'kept');
    const { out } = await backtest({}, true, { state });
    const { assets } = assetsSchema.parse(JSON.parse(out));
    const settings = await load(TAPE, { ...FILES, state });
    const statement = await said((io) =>
      makeStatement(settings, io, { year: '2024-25', quarter: null, format: 'json', clock: realClock }),
    );
    const { whole, lines } = statementSchema.parse(JSON.parse(statement.out));
    expect({ code: statement.code, whole }).toEqual({ code: 0, whole: true });
    const closing = lines.filter(({ section, line }) => section === 'holdings' && line === 'closing');
    expect(Object.fromEntries(closing.map(({ subject, exact }) => [subject, exact]))).toEqual(
      Object.fromEntries(assets.map(({ asset, wallet }) => [asset, wallet])),
    );
  });

  test('and an unwritable page is reported before anything is played', async () => {
    record({});
    for (const html of ['/proc/page.html', folder, `${folder}/new/`]) {
      const message = expect.stringContaining(`The page ${html} can't be written`);
      expect(await refused({}, { html, state: path.join(folder, 'kept') })).toMatchObject({ code: 73, message });
    }
    expect(readdirSync(folder).filter((name) => /kept|new/.test(name))).toEqual([]);
  });

  test('but not in a folder that has one, or from which a bot would continue', async () => {
    record({});
    const state = path.join(folder, 'kept');
    await backtest({}, false, { state });
    const before = readFileSync(path.join(state, 'journal.sqlite'));
    expect(await refused({}, { state })).toMatchObject({
      code: 73,
      message: `--state ${state} has a journal already: a folder without one was expected.`,
    });
    expect(readFileSync(path.join(state, 'journal.sqlite')).equals(before)).toBe(true);
    const own = (await load(TAPE, FILES)).stateFolder;
    expect(await refused({}, { state: own })).toMatchObject({
      code: 64,
      message: expect.stringContaining(`--state ${own} is the state folder of the configuration`),
    });
    expect(existsSync(own)).toBe(false);
  });

  test('nor for future times; a refusal leaves no journal', async () => {
    const state = path.join(folder, 'kept');
    expect(await refused({ text: PAPER, hours: 1 }, { state, begin: '2999-01-01T00:00:00Z' })).toMatchObject({
      code: 64,
      message: expect.stringContaining(`--state ${state} would be written up to 2999-01-01 01:00:00 UTC`),
    });
    expect(await refused({ text: PAPER, hours: 1 }, { state, begin: 'soon' })).toMatchObject({ code: 64 });
    expect(existsSync(state)).toBe(false);
  });
});

describe('a synthetic market', () => {
  test('begins at the given time', async () => {
    const { out } = await backtest({ text: PAPER, hours: 0.01 }, true, { begin: '2025-04-01T00:00:00Z' });
    expect(dataSchema.parse(JSON.parse(out)).from).toBe(Date.UTC(2025, 3, 1));
  });

  test('but not a recording, and not at an invalid time', async () => {
    record({});
    expect(await refused({}, { begin: '2025-04-01' })).toMatchObject({
      code: 64,
      message: expect.stringContaining('a recording has its own times, from 2024-08-08 12:00:00 UTC on'),
    });
    expect(await refused({ text: PAPER }, { begin: 'soon' })).toMatchObject({
      code: 64,
      message: expect.stringMatching(/^--begin 'soon' is not a time/),
    });
  });
});
