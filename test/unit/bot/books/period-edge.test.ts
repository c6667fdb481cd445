// Money at the edge of a quarter or a year, booked a day later: it belongs to the period in which it moved, by the
// account's time zone, in statement, report and export alike.
import { mkdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportBooks } from '../../../../src/bot/books/export-books.ts';
import type { Period } from '../../../../src/bot/books/local-time.ts';
import { readBooks } from '../../../../src/bot/books/read-books.ts';
import type { StatementLine } from '../../../../src/bot/books/statement-lines.ts';
import { readTaxRules } from '../../../../src/bot/books/tax-rules.ts';
import { reportOf, reportPeriod } from '../../../../src/bot/reports/report.ts';
import type { Settings } from '../../../../src/bot/settings/types.ts';
import { times } from '../../../../src/ledger/amount.ts';
import type { TraderEvent } from '../../../../src/trader/durable/events.ts';
import { amt } from '../../ledger/fills.ts';
import { enterProject, leaveProject, load, PAPER } from '../settings-project.ts';
import {
  APRIL,
  corrected,
  figures,
  fill,
  INDIA,
  KOLKATA,
  opening,
  ownerTrade,
  recordsOf,
  reversed,
  simple,
  statementIn,
  transfer,
  yearOf,
} from './books-kit.ts';
import { CLOCK, session } from './live-journal.ts';
import { saying } from './said.ts';

const RULES = readTaxRules(INDIA, '2026-27', APRIL);
const START = opening('2026-04-02', { INR: '100000', BTC: '9' }, ['BTC/INR', 'ETH/INR']);

/** Every kind of movement, at that moment: in INR −100, −10, −20, −30, −40, +50 and 130 with 1.3 of tax. */
const moved = (on: string, booked: string): readonly TraderEvent[] => [
  fill({ on, booked, id: '1', price: '90' }),
  fill({ on, booked, id: '2', price: '10', byHand: true }),
  simple({ on, booked, id: '3', price: '20' }),
  ownerTrade({ on, booked, id: '4', symbol: 'ETH/INR', price: '30' }),
  transfer({ on, booked, asset: 'INR', by: '-40', fee: '1' }),
  transfer({ on, booked, asset: 'INR', by: '50' }),
  fill({ on, booked, id: '5', side: 'sell', price: '260', quantity: '0.5', tds: '1.3' }),
  transfer({ on, booked, asset: 'BTC', by: '2' }),
  fill({ on, booked, id: '6', price: '77', byHand: true }),
  corrected({ on, booked, id: '1', price: '100' }),
  reversed('6', 'buy', booked),
];
const MOVED = 100_000 - 21.3;

const EDGES = [
  ['a quarter', { year: '2026-27', edge: '2026-06-30T18:30:00.000Z', last: 'Q1', next: ['2026-27', 'Q2'] }],
  ['a year', { year: '2026-27', edge: '2027-03-31T18:30:00.000Z', last: 'Q4', next: ['2027-28', 'Q1'] }],
] as const;

const quarterOf = (year: string, name: string): Period => {
  const found = yearOf(year).quarters.find((each) => each.name.endsWith(name));
  if (found === undefined) throw new Error(name);
  return found;
};

const shifted = (text: string, ms: number): string => new Date(Date.parse(text) + ms).toISOString();
const DAY = 86_400_000;

/** A period's statement about the money that moved. */
function said(events: readonly TraderEvent[], year: string, period: Period) {
  const statement = statementIn(year, events, { period, quarters: [period], rules: RULES });
  const of = (section: StatementLine['section'], subject?: string) =>
    figures(statement, { section, ...(subject === undefined ? {} : { subject }) });
  const { opening: begins, closing: ends } = of('holdings', 'INR');
  return {
    ...{ begins, ends, tax: statement.taxByQuarter.map(({ amount }) => amount) },
    trades: statement.trades.length,
    months: statement.taxByMonth.map(({ month }) => month),
    isWhole: statement.check.isWhole,
    // The first coins sold are from the opening balance, whose cost is unknown.
    sold: figures(statement, { section: 'profit', subject: 'BTC/INR', origin: 'bot', method: 'fifo' })
      .unknown_cost_quantity,
    coins: figures(statement, { section: 'coins', subject: 'BTC', method: 'fifo' }).closing_quantity,
  };
}

describe.each(EDGES)('the edge of %s', (_, { year, edge, last, next: [nextYear, nextName] }) => {
  const before = quarterOf(year, last);
  const after = quarterOf(nextYear, nextName);
  const booked = shifted(edge, DAY);
  const lastMoment = [...START, ...moved(shifted(edge, -1), booked)];
  const firstMoment = [...START, ...moved(edge, booked)];
  const month = KOLKATA.dayOf(Date.parse(edge) - 1);
  const monthName = `${month.year}-${String(month.month).padStart(2, '0')}`;

  test('the quarter before it ends with everything that moved a millisecond earlier', () => {
    expect(said(lastMoment, year, before)).toMatchObject({
      ...{ ends: `${MOVED} INR`, tax: [amt('1.3')], months: [monthName], isWhole: true },
      ...{ sold: '0.5 BTC', coins: '13.5 BTC' },
    });
    expect(said(lastMoment, nextYear, after)).toEqual({
      ...{ begins: `${MOVED} INR`, ends: `${MOVED} INR`, tax: [], trades: 0, months: [], isWhole: true },
      ...{ sold: undefined, coins: '13.5 BTC' },
    });
  });

  test('the quarter after it begins with the earlier holdings, if everything moved at its first moment', () => {
    expect(said(firstMoment, year, before)).toMatchObject({
      ...{ ends: '100000 INR', tax: [], trades: 0, sold: undefined, coins: '9 BTC' },
    });
    expect(said(firstMoment, nextYear, after)).toMatchObject({
      ...{ begins: '100000 INR', ends: `${MOVED} INR`, tax: [amt('1.3')], isWhole: true, sold: '0.5 BTC' },
    });
  });

  test('a report of the day has them, and the next day’s does not', () => {
    const books = readBooks(recordsOf(lastMoment));
    const run = { symbol: 'BTC/INR', base: 'BTC', quote: 'INR', treatment: 'cost', feeTaxRatio: amt('0') } as const;
    const priceAt = (_symbol: string, at: number) => ({ price: amt(at <= Date.parse(edge) ? '100' : '110'), at });
    const memory = { since: null, counts: [], notices: [], priceAt };
    const ofDay = (at: number) => {
      const period = reportPeriod('day', KOLKATA.dayOf(at), KOLKATA);
      const report = reportOf({
        books,
        ledger: books.ledger,
        isWhole: true,
        period,
        now: at + DAY,
        runs: [run],
        memory,
      });
      const [symbol] = report.symbols;
      const { taxWithheld, inventory } = symbol?.profit ?? {};
      return [symbol?.fills.buys, symbol?.fills.sells, taxWithheld, report.flows.length > 0, inventory];
    };
    const tax = times(amt('1.3'), amt('1'));
    expect(ofDay(Date.parse(edge) - 1).slice(0, 4)).toEqual([1, 1, tax, true]);
    // Half a coin was held from the first moment.
    expect(ofDay(Date.parse(edge))).toEqual([0, 0, 0n, false, times(amt('0.5'), amt('10'))]);
    expect(ofDay(Date.parse(booked))).toEqual([0, 0, 0n, false, 0n]);
  });
});

describe('an export', () => {
  let settings: Settings;
  beforeAll(async () => {
    enterProject();
    settings = await load(PAPER);
    mkdirSync(settings.stateFolder, { recursive: true });
    session(settings.stateFolder, [...START, ...moved('2026-06-30T18:29:59.999Z', '2026-07-01T18:30:00Z')]);
  });
  afterAll(() => leaveProject());

  const rows = (what: 'trades' | 'flows' | 'ledger', from: string, to: string): number =>
    saying((io) => exportBooks(settings, io, { what, format: 'csv', from, to, clock: CLOCK }))
      .out.trimEnd()
      .split('\n').length - 1;

  test.each(['trades', 'flows', 'ledger'] as const)('of %s goes by the day on which money moved', (what) => {
    expect(rows(what, '2026-06-30', '2026-06-30')).toBeGreaterThan(1);
    expect(rows(what, '2026-07-01', '2026-07-31')).toBe(0);
  });

  test('has the account’s days in Beancount, and the opening balances', () => {
    const beancount = (from: string, to: string): string =>
      saying((io) => exportBooks(settings, io, { what: 'ledger', format: 'beancount', from, to, clock: CLOCK })).out;
    expect(beancount('2026-06-30', '2026-06-30')).toMatch(/^2026-06-30 \* /m);
    const next = beancount('2026-07-01', '2026-07-31');
    expect(next.match(/^\d{4}-\d\d-\d\d \* .*/gm)).toEqual(['2026-07-01 * "Brought forward"']);
    expect(next).toContain('  Assets:Exchange:Wallet  99978.7 INR\n');
  });
});
