// `export` and `statement` of real journals: of a bot that runs and one that has ended, and of days in which the owner
// trades, moves money, and the exchange corrects and takes back trades. Beancount itself checks the ledger.
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { FaultId } from '../../simulation/faults/fault-kinds.ts';
import { simulate } from '../../simulation/machine/simulate.ts';
import { drawPlan } from '../../simulation/plan/plan.ts';
import { checkBooks } from '../../src/bot/books/holding-lines.ts';
import { readBooks } from '../../src/bot/books/read-books.ts';
import { openSqliteJournal } from '../../src/bot/state-folder/sqlite-journal.ts';
import { journalPath } from '../../src/bot/state-folder/state-folder.ts';
import { amountText } from '../../src/ledger/amount.ts';
import { answersFor, expectedTotal, type Ledger } from '../../src/ledger/ledger.ts';
import type { JournalRecord } from '../../src/ports/journal-storage.ts';
import type { TraderEvent } from '../../src/trader/durable/events.ts';
import { fill, opening, ownerTrade, simple, transfer } from '../unit/bot/books/books-kit.ts';
import { session } from '../unit/bot/books/live-journal.ts';
import { fillsOfYear } from '../unit/bot/books/played-year.ts';
import { endProjects, expectStop, LIVELY, newProject, type Project, until } from './bot-process.ts';
import { runHere } from './run-here.ts';
import { PROJECT_ROOT } from './start-program.ts';
import { findTool } from './tools.ts';

afterEach(endProjects);

const BEAN_QUERY = findTool('bean-query', 'Beancount does not work out the gains by lots');
const BEAN_CHECK = findTool('bean-check', 'Beancount does not check the ledger that `export` writes');

const folders: string[] = [];
function newFolder(): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'books-')));
  folders.push(folder);
  return folder;
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** What Beancount says of a file: nothing, where it is right. */
function beanCheck(text: string): string {
  const file = path.join(newFolder(), 'books.beancount');
  writeFileSync(file, text);
  const { status, stdout, stderr } = spawnSync(BEAN_CHECK ?? '', [file], { encoding: 'utf8' });
  return `${status}${stdout}${stderr}`;
}

/** `INR 12.5` → what the file asserts of the wallet at its end. */
function walletIn(beancount: string): Readonly<Record<string, string>> {
  const asserted = beancount.matchAll(/^\S+ balance Assets:Exchange:Wallet {2}(\S+) ~ 0 (\S+)$/gm);
  return Object.fromEntries([...asserted].map(([, amount, asset]) => [asset ?? '', amount ?? '']));
}

const exported = (project: Project, what: string, ...options: readonly string[]) =>
  project.ask('export', what, project.file, ...options);

const filesOf = (project: Project): Readonly<Record<string, number>> =>
  Object.fromEntries(
    readdirSync(project.stateFolder)
      .filter((name) => name.startsWith('journal'))
      .map((name) => [name, statSync(path.join(project.stateFolder, name)).size]),
  );

const statementSchema = z.object({
  whole: z.boolean(),
  lines: z.array(z.object({ section: z.string(), subject: z.string(), line: z.string(), exact: z.string() })),
});

/** Sum of an account's INR, as Beancount sums it. `gains left out`: it works out each gain itself. */
function beanSum(text: string, account: string, gains: 'gains as written' | 'gains left out'): number {
  const file = path.join(newFolder(), 'lots.beancount');
  const own = text.replaceAll(/^( {2}Income:Exchange:Gains) .*$/gm, '$1');
  writeFileSync(file, gains === 'gains left out' ? own : text);
  const select = `SELECT number(only('INR', cost(sum(position)))) AS n WHERE account ~ '^${account}$'`;
  const { status, stdout, stderr } = spawnSync(BEAN_QUERY ?? '', ['-f', 'csv', file, select], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  return Number(stdout.trim().split(/\r?\n/)[1]);
}

describe('a bot and its exchange', () => {
  test('every digit of the wallet, while the bot runs and after it has ended; nothing is changed', async () => {
    const project = await newProject(LIVELY);
    const bot = await project.readyBot();
    await until('fills', () => project.log().split('"op":"fill"').length > 20);
    const running = await exported(project, 'ledger', '--format', 'beancount');
    expect(running).toMatchObject({ code: 0, err: expect.stringContaining('PAPER, no real money') });
    if (BEAN_CHECK !== null) expect(beanCheck(running.out)).toBe('0');
    for (const what of ['trades', 'orders', 'flows'])
      expect({ what, ...(await exported(project, what)) }).toMatchObject({ what, code: 0 });
    await expectStop(bot);
    const before = filesOf(project);
    const ended = await exported(project, 'ledger', '--format', 'beancount');
    const trades = JSON.parse((await exported(project, 'trades', '--format', 'json')).out);
    const year = new Date().getUTCFullYear() - (new Date().getUTCMonth() < 3 ? 1 : 0);
    // One that begins on the first of April in India has begun there.
    const name = `${year}-${String((year + 1) % 100).padStart(2, '0')}`;
    const stated = await project.command('statement', '--year', name, '--format', 'json');
    expect(filesOf(project)).toEqual(before);
    const truth = await project.truth();
    expect(ended.code).toBe(0);
    if (BEAN_CHECK !== null) expect(beanCheck(ended.out)).toBe('0');
    expect(walletIn(ended.out)).toEqual(truth.totals);
    expect(trades.rows).toHaveLength(truth.fillCount);
    expect(stated.code).toBe(0);
    const { whole, lines } = statementSchema.parse(JSON.parse(stated.out));
    const closing = lines.filter(({ section, line }) => section === 'holdings' && line === 'closing');
    expect([whole, Object.fromEntries(closing.map(({ subject, exact }) => [subject, exact]))]).toEqual([
      true,
      truth.totals,
    ]);
  });

  test('Beancount itself would notice a digit', () => {
    if (BEAN_CHECK === null) return;
    const wrong = [
      '2026-04-01 open Assets:Exchange:Wallet',
      '2026-04-01 open Equity:Opening',
      '2026-04-01 * "opening"',
      '  Assets:Exchange:Wallet  12345678.000000000000000001 INR',
      '  Equity:Opening  -12345678.000000000000000001 INR',
    ];
    const ending = (amount: string): string =>
      beanCheck([...wrong, `2026-04-02 balance Assets:Exchange:Wallet  ${amount} ~ 0 INR`].join('\n'));
    expect(ending('12345678.000000000000000001')).toBe('0');
    expect(ending('12345678.000000000000000002')).toContain('Balance failed');
  });
});

/** A folder with a configuration and a state folder, in which `write` leaves a journal. */
function folderOf(write: (stateFolder: string) => void, more = ''): string {
  const folder = newFolder();
  const stateFolder = path.join(folder, 'state/paper');
  mkdirSync(path.join(folder, 'config'));
  mkdirSync(stateFolder, { recursive: true });
  const paper = readFileSync(path.join(PROJECT_ROOT, 'config/paper.yaml'), 'utf8');
  writeFileSync(path.join(folder, 'config/paper.yaml'), `${paper}\n${more}\n`);
  write(stateFolder);
  return folder;
}

/** Records as a bot left them. */
const left = (records: readonly JournalRecord[]) => (stateFolder: string) => {
  const storage = openSqliteJournal(journalPath(stateFolder));
  storage.append(records);
  storage.close();
};

const run = (folder: string, ...args: readonly string[]) =>
  runHere(args.map((each) => (each === 'config/paper.yaml' ? path.join(folder, each) : each)));

/** What the exchange and the owner do beside the bot: odd fees, busted trades, transfers, simple trades, by hand. */
const MONEY: readonly FaultId[] = ['F49', 'F50', 'F52', 'F53', 'F54', 'F55'];

describe('days with everything that moves money', () => {
  test.each([
    // Seeds, with what is in them.
    ['26', ['fill-corrected', 'owner-trade', 'transfer']],
    ['34', ['fill-reversed', 'transfer']],
    ['45', ['fill-reversed', 'conversion', 'transfer']],
  ])('seed %s: %j', async (seed, types) => {
    const records: JournalRecord[] = [];
    let ledger: Ledger | null = null;
    await simulate(drawPlan(seed, { hours: 0.5, faults: MONEY }), {
      records: (record) => records.push(record),
      watch: (context) => {
        ledger = context.trader()?.durable.books.ledger ?? ledger;
      },
    });
    expect(readBooks(records).movements.map(({ event }) => event)).toEqual(expect.arrayContaining(types));
    if (ledger === null) throw new Error('No bot ran.');
    const whole: Ledger = ledger;
    expect(checkBooks(readBooks(records), whole)).toEqual([]);
    const folder = folderOf(left(records));
    const { code, out } = await run(folder, 'export', 'ledger', 'config/paper.yaml', '--format', 'beancount');
    expect(code).toBe(0);
    if (BEAN_CHECK !== null) expect(beanCheck(out)).toBe('0');
    const kept = [...whole.balances.keys()].filter((asset) => answersFor(whole, asset));
    const totals = kept.map((asset) => [asset, amountText(expectedTotal(whole, asset))]);
    expect(walletIn(out)).toEqual(Object.fromEntries(totals));
    for (const what of ['ledger', 'lots'])
      for (const from of [[], ['--from', HALF]]) {
        const part = await run(folder, 'export', what, 'config/paper.yaml', '--format', 'beancount', ...from);
        expect(part.out).not.toContain(folder);
        if (BEAN_CHECK !== null) expect([what, from, beanCheck(part.out)]).toEqual([what, from, '0']);
      }
    const stated = await run(folder, 'statement', 'config/paper.yaml', '--year', '2025-26', '--format', 'csv');
    expect(stated).toMatchObject({ code: 0, out: expect.stringContaining('check,books,,whole,,,yes,yes,') });
  });
});

describe('lots in Beancount', () => {
  const varied: readonly TraderEvent[] = [
    ...opening('2026-04-01', { INR: '100000', BTC: '1', USDT: '5000' }, ['BTC/INR', 'BTC/USDT', 'USDT/INR']),
    fill({ on: '2026-04-02', price: '100', fee: '0.01', feeAsset: 'BTC' }),
    fill({ on: '2026-04-02T08:00:00Z', price: '33.3333', quantity: '3', value: '100', fee: '0.5' }),
    fill({ on: '2026-04-03', price: '130', quantity: '1.5', side: 'sell', tds: '1.95', fee: '0.01', feeAsset: 'BTC' }),
    fill({ on: '2026-04-04', symbol: 'USDT/INR', price: '90', quantity: '100' }),
    fill({ on: '2026-04-05', symbol: 'BTC/USDT', price: '2', quantity: '2', fee: '0.1' }),
    fill({ on: '2026-04-06', price: '140', quantity: '2.5', side: 'sell' }),
    fill({ on: '2026-04-07', symbol: 'BTC/USDT', price: '3', quantity: '0.5', side: 'sell' }),
    // More than is held: what is sold is bought the next day.
    fill({ on: '2026-04-07T09:00:00Z', price: '150', quantity: '5', side: 'sell' }),
    fill({ on: '2026-04-08', price: '110', quantity: '6' }),
    ownerTrade({ on: '2026-04-14', symbol: '1INCH/INR', price: '2', quantity: '5' }),
    simple({ on: '2026-04-15', price: '105', quantity: '0.5', fee: '2' }),
    transfer({ on: '2026-04-16', asset: 'BTC', by: '-0.2', fee: '0.01' }),
    transfer({ on: '2026-04-16', asset: 'BTC', by: '0.3' }),
    transfer({ on: '2026-04-16', asset: 'INR', by: '500' }),
  ];
  const played = [...opening('2026-04-01', { INR: '100000000' }, ['BTC/INR', 'ETH/INR']), ...fillsOfYear(400).events];

  test.each(['fifo', 'lifo', 'hifo', 'average'])(
    'by %s: bean-check is silent, and its gains are ours',
    async (method) => {
      if (BEAN_CHECK === null || BEAN_QUERY === null) return;
      for (const events of [varied, played]) {
        const settings = `statement: { method: ${method}, taxRules: india }`;
        const folder = folderOf((stateFolder) => session(stateFolder, events), settings);
        const asked = ['export', 'lots', 'config/paper.yaml', '--format', 'beancount'];
        const lots = await run(folder, ...asked);
        const later = await run(folder, ...asked, '--from', '2026-04-07');
        const stated = await run(folder, 'statement', 'config/paper.yaml', '--year', '2026-27', '--format', 'json');
        expect([lots, later, stated].map(({ code }) => code)).toEqual([0, 0, 0]);
        expect([lots.out, later.out].map(beanCheck)).toEqual(['0', '0']);
        const { lines } = statementSchema.parse(JSON.parse(stated.out));
        const figure = (line: string): number =>
          Number(lines.find((each) => each.section === 'tax' && each.line === line)?.exact);
        const gains = figure('income') - figure('losses');
        expect(gains).toBeGreaterThan(100);
        expect(beanSum(lots.out, 'Income:Exchange:Gains', 'gains as written')).toBeCloseTo(-gains, 3);
        // Beancount works out every gain, where nothing else than gains is left over.
        if (events === played)
          expect(beanSum(lots.out, 'Income:Exchange:Gains', 'gains left out')).toBeCloseTo(-gains, 3);
      }
    },
  );
});

/** Days of the simulator begin with 2026. */
const HALF = '2026-01-01T00:15:00Z';
