// `export` and `statement` on a journal: rows, formats, times, messages and exit codes.
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ExportOptions, exportBooks } from '../../../../src/bot/books/export-books.ts';
import { makeStatement, type StatementRequest } from '../../../../src/bot/books/make-statement.ts';
import type { Settings } from '../../../../src/bot/settings/types.ts';
import type { TraderEvent } from '../../../../src/trader/durable/events.ts';
import { changed, enterProject, leaveProject, load, PAPER } from '../settings-project.ts';
import { accepted, corrected, fill, moment, opening, ownerTrade, reversed, simple, transfer } from './books-kit.ts';
import { CLOCK, change, paused, session } from './live-journal.ts';
import { type Said, saying } from './said.ts';

const at = moment('2026-04-02');
const order = (type: 'create-outcome' | 'closed', more: object): TraderEvent =>
  ({ type, payload: { intentId: '1-1', at: at + 500, ...more } }) as TraderEvent;

const EVENTS: readonly TraderEvent[] = [
  ...opening('2026-04-01', { INR: '1000', BTC: '1' }, ['BTC/INR']),
  {
    type: 'intent',
    payload: {
      ...{ intentId: '1-1', symbol: 'BTC/INR', slot: 'buy:0', side: 'buy', price: '100', quantity: '2' },
      ...{ timestamp: at, recvWindow: 1, uncertaintyMs: 1, horizon: at, sentAt: at, bookSentAt: at },
      ...{ reference: '100', revision: 1 },
      reserve: { asset: 'INR', amount: '201' },
    },
  },
  order('create-outcome', { outcome: 'accepted', orderId: '1-1-1', detail: '' }),
  fill({ on: '2026-04-02', id: '1', fee: '1', quantity: '2' }),
  order('closed', { as: 'filled' }),
  corrected({ on: '2026-04-02', id: '1', fee: '0.5', quantity: '1', booked: '2026-04-03' }),
  fill({ on: '2026-04-10', id: '2', intent: '1-2', side: 'sell', price: '130', tds: '1.3' }),
  fill({ on: '2026-04-11', id: '3', byHand: true }),
  reversed('3', 'buy', '2026-04-12'),
  simple({ on: '2026-04-13', id: '4', quantity: '0.5' }),
  ownerTrade({ on: '2026-04-14', id: '5', symbol: '1INCH/INR', price: '2', quantity: '5' }),
  transfer({ on: '2026-04-15', asset: 'BTC', by: '-0.2', fee: '0.01' }),
  accepted('INR', '3', '2026-05-01'),
];

let settings: Settings;
beforeAll(async () => {
  enterProject();
  settings = await load(PAPER);
  mkdirSync(settings.stateFolder, { recursive: true });
  session(settings.stateFolder, EVENTS);
});
afterAll(() => leaveProject());

const exported = (what: ExportOptions['what'], options: Partial<ExportOptions> = {}, of = settings): Said =>
  saying((io) => exportBooks(of, io, { what, format: 'csv', ...options, clock: CLOCK }));
const stated = (request: Partial<StatementRequest> = {}, of = settings): Said =>
  saying((io) => makeStatement(of, io, { year: '2026-27', quarter: null, format: 'csv', ...request, clock: CLOCK }));

/** The cells of these columns, row by row. */
function cells({ out }: Said, ...names: readonly string[]): readonly string[] {
  const [header = '', ...rows] = out.trimEnd().split('\n');
  const columns = header.split(',');
  return rows.map((row) => names.map((name) => row.split(',')[columns.indexOf(name)]).join(' '));
}

describe('trades', () => {
  test('are one row for each booking, with a sign', () => {
    const said = exported('trades');
    expect(said).toMatchObject({ code: 0, err: expect.stringMatching(/^PAPER, no real money: /) });
    expect(cells(said, 'trade_id', 'event', 'sign', 'origin', 'base_change', 'quote_change')).toEqual([
      '1 fill 1 bot 2 -201',
      '1 fill-corrected -1 bot -2 201',
      '1 fill-corrected 1 bot 1 -100.5',
      '2 fill 1 bot -1 128.7',
      '3 fill 1 owner 1 -100',
      '3 fill-reversed -1 owner -1 100',
      '4 conversion 1 simple 0.5 -50',
      '5 owner-trade 1 owner 5 -10',
    ]);
    const [, first] = said.out.split('\n');
    expect(first).toBe(
      '6,2026-04-02T06:30:01.000Z,1775111401000,2026-04-02T06:30:00.000Z,1775111400000,fill,1,bot,BTC/INR,1,1-1-1,' +
        '1-1,buy,maker,100,2,200,1,INR,0,2,-201,2026-04-02,2026-27',
    );
  });

  test('of some days', () => {
    const ids = (from?: string, to?: string): string => cells(exported('trades', { from, to }), 'trade_id').join(' ');
    expect(ids('2026-04-10', '2026-04-11')).toBe('2 3 3');
    expect(ids('2026-04-13')).toBe('4 5');
    expect(ids(undefined, '2026-04-09')).toBe('1 1 1');
    // 12:00 in India, first excluded, then included.
    expect(ids('2026-04-10T00:00:00Z', '2026-04-10T06:30:00Z')).toBe('');
    expect(ids('2026-04-10T12:00+05:30', '2026-04-10T06:30:00.001Z')).toBe('2');
  });

  test('as JSON have the same names, numbers for counts and times, null for unknown values', () => {
    const { out } = exported('trades', { format: 'json', from: '2026-04-13' });
    expect(JSON.parse(out)).toMatchObject({
      ...{ mode: 'paper', export: 'trades', from: '2026-04-13', to: null, lastRecord: { seq: 15 } },
      rows: [
        { record: 12, traded_at_ms: moment('2026-04-13'), intent_id: null, price: '100', sign: 1 },
        { record: 13 },
      ],
    });
    expect(JSON.parse(exported('trades', { format: 'json', from: '2026-06-01' }).out)).toMatchObject({ rows: [] });
  });
});

test('flows are all wallet changes other than trades', () => {
  expect(cells(exported('flows'), 'event', 'kind', 'asset', 'wallet_change', 'fee', 'reference')).toEqual([
    'opened opening-balances BTC 1 0 ',
    'opened opening-balances INR 1000 0 ',
    'transfer withdrawals BTC -0.2 0.01 BTC of 2026-04-15',
    `accepted accepted INR 3 0 accepted at ${moment('2026-05-01')}`,
  ]);
});

test('orders are one row each, with the booked quantity', () => {
  expect(
    cells(exported('orders'), 'intent_id', 'order_id', 'slot', 'quantity', 'filled', 'create_outcome', 'closed_as'),
  ).toEqual(['1-1 1-1-1 buy:0 2 1 accepted filled']);
});

describe('the ledger', () => {
  test('has transactions that sum to zero in each asset', () => {
    const sums = new Map<string, number>();
    for (const row of cells(exported('ledger'), 'transaction', 'asset', 'amount')) {
      const [transaction, asset, amount] = row.split(' ');
      const key = `${transaction} ${asset}`;
      sums.set(key, (sums.get(key) ?? 0) + Number(amount));
    }
    expect(sums.size).toBeGreaterThan(15);
    expect([...sums.keys()]).toContain('8r BTC');
    for (const sum of sums.values()) expect(sum).toBeCloseTo(0, 10);
  });

  test('as Beancount', () => {
    const { code, out } = exported('ledger', { format: 'beancount', from: '2026-04-10', to: '2026-04-11' });
    expect(code).toBe(0);
    expect(out).toMatch(/^option "title" "PAPER, no real money: exchange http:\/\/127.0.0.1:8788"\n/);
    expect(out.split('\n').slice(1)).toEqual(BEANCOUNT.split('\n').slice(1));
  });
});

describe('invalid arguments end with 64', () => {
  test.each<[Partial<ExportOptions>, string]>([
    [{ from: 'yesterday' }, "--from 'yesterday' is not a time: a day such as 2026-04-01, or a moment such as"],
    [{ to: '2026-02-30' }, "--to '2026-02-30' is not a time"],
    [{ to: '2026-04-31T00:00:00+05:30' }, "--to '2026-04-31T00:00:00+05:30' is not a time"],
    [{ to: '2026-04-01T00:00:00' }, "--to '2026-04-01T00:00:00' is not a time"],
    [{ from: '2026-04-02', to: '2026-04-01' }, '--from 2026-04-02 is not before --to 2026-04-01'],
    [{ from: '2026-04-01T00:00Z', to: '2026-04-01T00:00Z' }, 'nothing can be in between.'],
  ])('%j', (options, sentence) => {
    expect(exported('trades', options)).toMatchObject({ code: 64, out: '', err: expect.stringContaining(sentence) });
  });
});

describe('a statement', () => {
  test('goes by the configured year, ratio and costs', async () => {
    const text = changed(
      PAPER,
      'mode: paper',
      'mode: paper\ntimeZone: UTC\nstatement: { yearBegins: 01-01, costs: { BTC/INR: 50 } }',
    );
    const said = stated({ year: '2026' }, await load(text));
    expect(said.code).toBe(0);
    // The opening record leaves first.
    expect(said.out).toContain('profit,BTC/INR,bot,cost,fifo,INR,50.00,50,');
    expect(said.out).toContain('trades,BTC/INR,bot,fees_tax,,INR,0.08,0.076271186440677966101694915254237288,');
    expect(said.out).toContain('check,books,,whole,,,yes,yes,');
  });

  test('as JSON has the same lines, and its caveats', () => {
    const { code, out } = stated({ format: 'json', quarter: 1 });
    const data = JSON.parse(out);
    expect(code).toBe(0);
    expect(data).toMatchObject({
      mode: 'paper',
      period: { name: '2026-27 Q1', firstDay: '2026-04-01', lastDay: '2026-06-30' },
      restated: [
        { tradeId: '1', event: 'fill-corrected' },
        { tradeId: '3', event: 'fill-reversed' },
      ],
      ...{ whole: true, openDifferences: [], lastRecord: { seq: 15 } },
    });
    expect(data.lines).toContainEqual(
      expect.objectContaining({ section: 'holdings', subject: 'INR', line: 'accepted', exact: '3', origin: null }),
    );
  });

  test('as CSV has its caveats beside it', () => {
    expect(stated({ format: 'csv' }).err).toMatch(
      /^PAPER, .*\nBy the journal as it is at its record 15, of .*\nThe period is not over by then\.\n$/,
    );
  });

  test('as text names the account and its time', () => {
    const { out } = stated({ format: 'text' });
    expect(out).toMatch(
      /^PAPER, no real money: .*\nStatement of 2026-27: 2026-04-01 to 2027-03-31, Asia\/Kolkata, by FIFO\.\n/,
    );
    expect(out).not.toContain(settings.stateFolder);
    expect(out).toContain('1INCH/INR, by hand, not the bot: 1 trade\n');
    expect(out.indexOf('BTC/INR, the bot: 2 trades')).toBeLessThan(out.indexOf('not the bot'));
    // Taken back.
    expect(out).not.toContain('BTC/INR, by hand');
    expect(out).toContain('trade 3 of BTC/INR, of 2026-04-11 06:30:00 UTC, was taken back at 2026-04-12 06:30:00 UTC.');
    expect(out).toContain('`statement.costs` in the configuration sets it.');
    expect(out).toMatch(/By the journal as it is at its record 15, of .*\nThe period is not over by then\.\n$/);
    expect(out.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });
});

test('with missing records, all that is known is written, the rest is reported, and the code is 65', async () => {
  const of = await load(changed(PAPER, 'state: state/paper', 'state: state/other'));
  mkdirSync(of.stateFolder, { recursive: true });
  session(of.stateFolder, [...EVENTS, ...paused(80)]);
  change(of.stateFolder, `DELETE FROM books WHERE type = 'external-flow' AND payload LIKE '%"kind":"transfer"%'`);
  const trades = exported('trades', {}, of);
  expect([trades.code, cells(trades, 'trade_id')]).toEqual([65, cells(exported('trades'), 'trade_id')]);
  expect(trades.err).toContain('Records are missing: those that are left do not give the ledger.');
  expect(trades.err).toContain("The records give 1.5 BTC in 'wallet', and the ledger has 1.3.");
  const said = stated({}, of);
  expect([said.code, said.err]).toEqual([65, expect.stringContaining('The statement does not add up')]);
  expect(said.out).toContain('holdings,BTC,,unrecorded,,BTC,-0.20000000,-0.2,');
  expect(said.out).toContain('holdings,BTC,,closing,,BTC,1.30000000,1.3,');
  expect(stated({ format: 'text' }, of).out).toContain('CHECK FAILED: this statement is not whole.');
});

const BEANCOUNT = `title
option "operating_currency" "INR"
2026-04-10 commodity X-1INCH
  name: "1INCH"
2026-04-10 commodity BTC
  name: "BTC"
2026-04-10 commodity INR
  name: "INR"
2026-04-10 open Assets:Exchange:Tax-Withheld
2026-04-10 open Assets:Exchange:Wallet
2026-04-10 open Equity:Exchange:Trading
2026-04-10 open Equity:Opening
2026-04-10 open Equity:Owner:By-Hand
2026-04-10 open Equity:Owner:Simple-Trades
2026-04-10 open Equity:Owner:Withdrawals
2026-04-10 open Expenses:Exchange:Fees
2026-04-10 * "Brought forward"
  Assets:Exchange:Wallet  2 BTC
  Equity:Exchange:Trading  -1 BTC
  Equity:Opening  -1 BTC
  Assets:Exchange:Wallet  899.5 INR
  Expenses:Exchange:Fees  0.5 INR
  Equity:Exchange:Trading  100 INR
  Equity:Opening  -1000 INR
2026-04-10 * "fill" "BTC/INR 2"
  transaction: "9"
  happened: "2026-04-10T06:30:00.000Z"
  booked: "2026-04-10T06:30:01.000Z"
  Assets:Exchange:Wallet  -1 BTC
  Equity:Exchange:Trading  1 BTC
  Assets:Exchange:Wallet  128.7 INR
  Assets:Exchange:Tax-Withheld  1.3 INR
  Equity:Exchange:Trading  -130 INR
2026-04-11 * "fill" "BTC/INR 3"
  transaction: "10"
  happened: "2026-04-11T06:30:00.000Z"
  booked: "2026-04-11T06:30:01.000Z"
  Assets:Exchange:Wallet  1 BTC
  Equity:Owner:By-Hand  -1 BTC
  Assets:Exchange:Wallet  -100 INR
  Equity:Owner:By-Hand  100 INR
2026-04-11 * "taken back: fill-reversed" "BTC/INR 3"
  transaction: "11r"
  happened: "2026-04-11T06:30:00.000Z"
  booked: "2026-04-12T06:30:00.000Z"
  Assets:Exchange:Wallet  -1 BTC
  Equity:Owner:By-Hand  1 BTC
  Assets:Exchange:Wallet  100 INR
  Equity:Owner:By-Hand  -100 INR
2026-04-12 balance Equity:Owner:By-Hand  0 ~ 0 X-1INCH
2026-04-12 balance Equity:Opening  0 ~ 0 X-1INCH
2026-04-12 balance Assets:Exchange:Wallet  1 ~ 0 BTC
2026-04-12 balance Expenses:Exchange:Fees  0 ~ 0 BTC
2026-04-12 balance Equity:Exchange:Trading  0 ~ 0 BTC
2026-04-12 balance Equity:Owner:Withdrawals  0 ~ 0 BTC
2026-04-12 balance Equity:Owner:Simple-Trades  0 ~ 0 BTC
2026-04-12 balance Equity:Owner:By-Hand  0 ~ 0 BTC
2026-04-12 balance Equity:Opening  -1 ~ 0 BTC
2026-04-12 balance Assets:Exchange:Wallet  1028.2 ~ 0 INR
2026-04-12 balance Expenses:Exchange:Fees  0.5 ~ 0 INR
2026-04-12 balance Assets:Exchange:Tax-Withheld  1.3 ~ 0 INR
2026-04-12 balance Equity:Exchange:Trading  -30 ~ 0 INR
2026-04-12 balance Equity:Owner:Simple-Trades  0 ~ 0 INR
2026-04-12 balance Equity:Owner:By-Hand  0 ~ 0 INR
2026-04-12 balance Equity:Opening  -1000 ~ 0 INR
`;
