// Recordings as a person gives them to `backtest`, `exchange` and `run`: what is wrong with one is a sentence and
// exit code 65, and the end of one is an end that is said.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { endProjects, newProject, type Project, until } from './bot-process.ts';
import { PROJECT_ROOT } from './start-program.ts';

const TRADES_HEADER = 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount';
const BOOKS_HEADER =
  'exchange,symbol,timestamp,local_timestamp,asks[0].price,asks[0].amount,bids[0].price,bids[0].amount';
const NOON_US = 1_723_118_400_000_000;

const rowAt = (second: number): string => `x,BTCUSDT,${NOON_US + second * 1_000_000},${NOON_US + second * 1_000_000}`;
const trade = (second: number, price = '60000.00'): string => `${rowAt(second)},1,buy,${price},0.01`;
const book = (second: number): string => `${rowAt(second)},60000.00,1,59990.00,2`;
const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;

const tradesUntil = (second: number): string => lines(TRADES_HEADER, trade(0), trade(second));
const booksUntil = (second: number): string => lines(BOOKS_HEADER, book(0), book(second / 2), book(second));
const TRADES = tradesUntil(4);
const BOOKS = booksUntil(4);
/** It plays from the exchange's start on: a busy machine has a bot that quotes well before its end. */
const LONG_S = 30;

/** Damaged ones lie outside the project: whoever looks through that for secrets unpacks what it finds. */
const damaged = mkdtempSync(path.join(tmpdir(), 'damaged-'));
afterAll(() => rmSync(damaged, { recursive: true }));

function writeDamaged(): void {
  const write = (name: string, content: string | Buffer): void => writeFileSync(path.join(damaged, name), content);
  write('trades.csv', TRADES);
  write('books.csv', BOOKS);
  write('not-packed.csv.gz', TRADES);
  write('cut.csv.gz', gzipSync(TRADES).subarray(0, -20));
  write('packed.csv', gzipSync(TRADES));
  write('columns.csv', lines('time,price', '1,2'));
  write('number.csv', lines(TRADES_HEADER, trade(0), trade(4, 'sixty')));
  write('backward.csv', lines(TRADES_HEADER, trade(4), trade(0)));
  write('empty.csv', '');
  write('short.csv', lines(TRADES_HEADER, trade(0).slice(0, -10)));
  mkdirSync(path.join(damaged, 'folder.csv'));
  symlinkSync('loop.csv', path.join(damaged, 'loop.csv'));
}

async function tapeProject(seconds = 4): Promise<Project> {
  const project = await newProject();
  const example = readFileSync(path.join(PROJECT_ROOT, 'config/tape.example.yaml'), 'utf8');
  const text = example
    .replace('port: 8788', `port: ${project.exchangePort}\n  exposeTruth: true`)
    .replace('state: state/tape', 'state: state/paper');
  writeFileSync(path.join(project.folder, project.config), `${text}\nweb: { port: ${project.pagePort} }\n`);
  writeFileSync(path.join(project.folder, 'trades.csv'), tradesUntil(seconds));
  writeFileSync(path.join(project.folder, 'books.csv'), booksUntil(seconds));
  return project;
}

const BAD: readonly (readonly [trades: string, books: string, sentence: string])[] = [
  ['nowhere.csv', 'books.csv', 'nowhere.csv: There is no such file; a recording was expected.'],
  ['folder.csv', 'books.csv', 'folder.csv: This is a folder; a file was expected.'],
  ['loop.csv', 'books.csv', "loop.csv: The file can't be read further (ELOOP)."],
  [
    'not-packed.csv.gz',
    'books.csv',
    'not-packed.csv.gz: The name ends with .gz, but what follows is not packed with gzip (incorrect header check).',
  ],
  ['cut.csv.gz', 'books.csv', 'The packed file ends before its data do: it was cut off.'],
  ['packed.csv', 'books.csv', 'packed.csv: The file is packed with gzip; a name that ends with .gz was expected.'],
  [
    'columns.csv',
    'books.csv',
    'columns.csv, line 1, column timestamp: The header has no such column; one was expected.',
  ],
  [
    'number.csv',
    'books.csv',
    'number.csv, line 3, column price: "sixty" is not a price; a number above 0 was expected.',
  ],
  ['backward.csv', 'books.csv', 'backward.csv, line 3, column timestamp: The time '],
  ['empty.csv', 'books.csv', 'empty.csv, line 1: The file is empty; a header line was expected.'],
  ['short.csv', 'books.csv', 'short.csv, line 2: The row has 7 cells, the header names 8 columns.'],
  [
    'books.csv',
    'books.csv',
    'books.csv, line 1: The header is that of recorded books; trades were expected (columns side, price, amount).',
  ],
  [
    'trades.csv',
    'trades.csv',
    'trades.csv, line 1: The header is that of recorded trades; ' +
      'books were expected (columns asks[0].price, bids[0].price).',
  ],
];

describe('a recording that cannot be read ends with 65 and one sentence', () => {
  let project: Project;
  beforeAll(async () => {
    writeDamaged();
    project = await tapeProject();
  });
  afterAll(() => endProjects());

  const refused = async (command: string, trades: string, books: string): Promise<string> => {
    const files = ['--tape-trades', path.join(damaged, trades), '--tape-books', path.join(damaged, books)];
    const { code, out, err } = await project.command(command, ...files);
    expect({ code, out }).toEqual({ code: 65, out: '' });
    expect(err.trimEnd().split('\n')).toHaveLength(1);
    expect(err).toMatch(new RegExp(`^${damaged}/`));
    expect(err).not.toContain('line 0');
    return err;
  };

  test.each(BAD)('backtest: %s and %s', async (trades, books, sentence) => {
    expect(await refused('backtest', trades, books)).toContain(sentence);
  });

  test.each(BAD)('exchange: %s and %s', async (trades, books, sentence) => {
    expect(await refused('exchange', trades, books)).toContain(sentence);
  });

  // The exchange that it starts has read it; what it says is passed on.
  test.each(BAD.slice(0, 5))('run: %s and %s', async (trades, books, sentence) => {
    expect(await refused('run', trades, books)).toContain(sentence);
    expect(project.exchangePid()).toBeNull();
  });
});

describe('at the end of a recording', () => {
  afterEach(() => endProjects());
  const FILES = ['--tape-trades', 'trades.csv', '--tape-books', 'books.csv'];

  test('run says so, cancels and ends with 0; a second run plays it from its beginning', async () => {
    const project = await tapeProject(LONG_S);
    for (const _time of ['first', 'second']) {
      const { code, out } = await project.command('run', ...FILES);
      expect(out).toContain('The recording has ended: stopping. With --loop it begins again instead.');
      expect(out).toMatch(/Order \S+ is canceled/);
      expect(out).toContain('Stopped after');
      expect(code).toBe(0);
      expect(project.exchangePid()).toBeNull();
    }
    expect(readFileSync(path.join(project.stateFolder, 'exchange.log'), 'utf8')).toContain(
      'The paper exchange starts anew: Its recording had ended.',
    );
  });

  test('run --loop goes on', async () => {
    const project = await tapeProject();
    const bot = project.start(['run', project.config, '--loop', ...FILES]);
    await project.ready(bot);
    const trades = async (): Promise<number> => {
      const response = await fetch(`${project.exchangeUrl}/api/v1/public/market/trades?symbol=BTC/USDT&limit=50`);
      const all: unknown = await response.json();
      return Array.isArray(all) ? all.length : 0;
    };
    await until('more trades than were recorded', async () => (await trades()) > 4);
    expect(bot.out()).not.toContain('The recording has ended');
    bot.signal('SIGTERM');
    expect((await bot.ended).code).toBe(0);
  });
});
