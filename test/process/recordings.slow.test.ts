// Recordings as a person gives them to `backtest`, `exchange` and `run`: what is wrong with one is a sentence and
// exit code 65 (which sentence, the tests of `tape` say), and the end of one is an end that is said.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { endProjects, expectStop, newProject, type Project, until } from './bot-process.ts';
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
/** It plays from the exchange's start on: a busy machine has a bot that quotes well before its end. */
const LONG_S = 20;
const filesOf = ({ folder }: Project): string[] => [
  ...['--tape-trades', path.join(folder, 'trades.csv')],
  ...['--tape-books', path.join(folder, 'books.csv')],
];

afterEach(() => endProjects());

async function tapeProject(seconds = 4): Promise<Project> {
  const project = await newProject();
  const example = readFileSync(path.join(PROJECT_ROOT, 'config/tape.example.yaml'), 'utf8');
  const text = example
    .replace('port: 8788', `port: ${project.exchangePort}`)
    .replace('state: state/tape', 'state: state/paper');
  writeFileSync(path.join(project.folder, project.config), `${text}\nweb: { port: ${project.pagePort} }\n`);
  writeFileSync(path.join(project.folder, 'trades.csv'), tradesUntil(seconds));
  writeFileSync(path.join(project.folder, 'books.csv'), booksUntil(seconds));
  return project;
}

test.each(['backtest', 'exchange', 'run'])('%s of a recording that cannot be read ends with 65', async (command) => {
  const project = await tapeProject();
  writeFileSync(path.join(project.folder, 'trades.csv'), lines(TRADES_HEADER, trade(0), trade(4, 'sixty')));
  const { code, out, err } = await project.command(command, ...filesOf(project));
  const sentence = 'trades.csv, line 3, column price: "sixty" is not a price; a number above 0 was expected.';
  expect({ code, out, err }).toEqual({ code: 65, out: '', err: expect.stringContaining(sentence) });
  expect(project.exchangePid()).toBeNull();
});

describe('at the end of a recording', () => {
  test('run says so, cancels and ends with 0; a second run plays it from its beginning', async () => {
    const project = await tapeProject(LONG_S);
    for (const _time of ['first', 'second']) {
      const { code, out } = await project.command('run', ...filesOf(project));
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
    const bot = project.start(['run', project.config, '--loop', ...filesOf(project)]);
    await project.ready(bot);
    const trades = async (): Promise<number> => {
      const response = await fetch(`${project.exchangeUrl}/api/v1/public/market/trades?symbol=BTC/USDT&limit=50`);
      const all: unknown = await response.json();
      return Array.isArray(all) ? all.length : 0;
    };
    await until('more trades than were recorded', async () => (await trades()) > 4);
    expect(bot.out()).not.toContain('The recording has ended');
    await expectStop(bot);
  });
});
