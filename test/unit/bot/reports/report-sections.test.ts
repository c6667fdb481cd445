// The rows of a report, and that they add up.
import { expect, test } from '@jest/globals';
import { parseDay } from '../../../../src/bot/books/local-time.ts';
import { readBooks } from '../../../../src/bot/books/read-books.ts';
import { type Report, reportJson, reportOf, reportPeriod } from '../../../../src/bot/reports/report.ts';
import { reportSections } from '../../../../src/bot/reports/report-sections.ts';
import type { TaxTreatment } from '../../../../src/ledger/pnl.ts';
import { amt } from '../../ledger/fills.ts';
import { fill, KOLKATA, moment, opening, recordsOf } from '../books/books-kit.ts';

const ROUND_TRIP = { on: '2026-07-03', price: '100', quantity: '1' };
const EVENTS = [
  ...opening('2026-07-01', { INR: '1000', BTC: '5', ETH: '5' }),
  fill({ ...ROUND_TRIP, id: '1', side: 'sell', tds: '1' }),
  fill({ ...ROUND_TRIP, id: '2', side: 'buy' }),
  fill({ ...ROUND_TRIP, id: '3', side: 'sell', tds: '2', symbol: 'ETH/INR' }),
  fill({ ...ROUND_TRIP, id: '4', side: 'buy', symbol: 'ETH/INR' }),
];

function report(btc: TaxTreatment, eth: TaxTreatment): Report {
  const day = parseDay('2026-07-15');
  if (day === null) throw new Error('no day');
  const books = readBooks(recordsOf(EVENTS));
  const run = (base: string, treatment: TaxTreatment) => ({
    ...{ symbol: `${base}/INR`, base, quote: 'INR', treatment, feeTaxRatio: amt('0') },
  });
  return reportOf({
    ...{ books, ledger: books.ledger, isWhole: true, now: moment('2026-07-20') },
    period: reportPeriod('month', day, KOLKATA),
    runs: [run('BTC', btc), run('ETH', eth)],
    memory: { since: null, counts: [], notices: [], priceAt: () => null },
  });
}

const APART = '  tax withheld, not in the profit';

test.each([
  ['cost', 'cost', { '  tax withheld': -3 }, { taxInTotal: true, taxAsCost: '3' }],
  ['credit', 'ignore', { [APART]: 3 }, { taxInTotal: false, taxAsCost: '0' }],
  ['cost', 'credit', { '  tax withheld': -1, [APART]: 2 }, { taxInTotal: null, taxAsCost: '1' }],
] as const)('the rows of a total add up to its profit, with the tax as %s and %s', (btc, eth, tax, data) => {
  const whole = report(btc, eth);
  const rows = new Map(reportSections(whole)[0]?.rows.map(({ label, value }) => [label, Number.parseFloat(value)]));
  const of = (label: string): number => rows.get(label) ?? 0;
  expect(Object.fromEntries([...rows].filter(([label]) => label.includes('tax')))).toEqual(tax);
  expect(of('profit')).toBe(of('  spread') + of('  inventory') + of('  fees') + of('  tax withheld'));
  const { totals } = JSON.parse(reportJson({}, whole)) as { totals: { profit: object }[] };
  expect(totals[0]?.profit).toMatchObject(data);
});
