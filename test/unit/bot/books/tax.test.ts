// The tax of a statement: a played year against an independent computation from its raw fills, and data files of rates
// that can't be right.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportBooks } from '../../../../src/bot/books/export-books.ts';
import type { Method } from '../../../../src/bot/books/lots.ts';
import { makeStatement } from '../../../../src/bot/books/make-statement.ts';
import { readTaxRules } from '../../../../src/bot/books/tax-rules.ts';
import type { Settings } from '../../../../src/bot/settings/types.ts';
import { changed, enterProject, inProject, leaveProject, load, PAPER } from '../settings-project.ts';
import { APRIL, figures, fill, INDIA, opening, statementIn } from './books-kit.ts';
import { CLOCK, session } from './live-journal.ts';
import { computed, fillsOfYear, rupees } from './played-year.ts';
import { saying } from './said.ts';

const START = opening('2026-04-01', { INR: '100000000' }, ['BTC/INR', 'ETH/INR']);
const RULES = readFileSync(INDIA, 'utf8');
const PLAYED = fillsOfYear(2_000);

const withStatement = (statement: string): Promise<Settings> =>
  load(changed(PAPER, 'mode: paper', `mode: paper\nstatement: { ${statement} }`));

beforeAll(async () => {
  enterProject();
  const { stateFolder } = await load(PAPER);
  mkdirSync(stateFolder, { recursive: true });
  session(stateFolder, [...START, ...PLAYED.events]);
});
afterAll(leaveProject);

const stated = (of: Settings, year = '2026-27', format: 'json' | 'text' = 'json') =>
  saying((io) => makeStatement(of, io, { year, quarter: null, format, clock: CLOCK }));

describe('a played year', () => {
  test.each<Method>(['fifo', 'lifo', 'hifo'])('%s: all sums to the paisa, and each disposal', async (method) => {
    const settings = await withStatement(`taxRules: india, method: ${method}`);
    const said = stated(settings);
    expect(said.code).toBe(0);
    const { lines, disposals } = JSON.parse(said.out);
    const taxLines: { section: string; line: string; amount: string }[] = lines;
    const tax = Object.fromEntries(
      taxLines.filter(({ section }) => section === 'tax').map(({ line, amount }) => [line, amount]),
    );
    const { parts, sums } = computed(PLAYED.fills, method);
    expect(tax).toEqual(sums);
    expect(Number(tax.losses)).toBeGreaterThan(1_000);
    const shown = (row: { cost: string; consideration: string; income: string; loss: string; quantity: string }) =>
      [row.quantity, ...[row.cost, row.consideration, row.income, row.loss].map(rupees)].join(' ');
    expect(disposals.map(shown).sort()).toEqual(parts.toSorted());
    const csv = saying((io) => exportBooks(settings, io, { what: 'lots', format: 'csv', clock: CLOCK }));
    const [names = [], ...rows] = csv.out
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    const column = (name: string): number => rows.reduce((sum, row) => sum + Number(row[names.indexOf(name)]), 0);
    expect([column('income').toFixed(2), column('loss').toFixed(2)]).toEqual([sums.income, sums.losses]);
    expect(new Set(rows.map((row) => row[names.indexOf('year')]))).toEqual(new Set(['2026-27']));
  });

  test('as text: losses set off nothing, by the section of that year; columns that never touch', async () => {
    const { out } = stated(await withStatement('taxRules: india'), '2026-27', 'text');
    expect(out).toMatch(/\n {2}losses +[\d,]+\.\d\d INR {2}set off nothing; Income-tax Act 2025, s\. 194\n/);
    expect(out).toMatch(/\n {2}tax +[\d,]+\.\d\d INR {2}30 %; Income-tax Act 2025, s\. 194\(1\), Table 4\n/);
    expect(out).toMatch(/\n {2}acquired +transferred +quantity +cost +consideration +income +loss\n/);
    const earlier = stated(await withStatement('taxRules: india'), '2025-26', 'text').out;
    expect(earlier).toContain('set off nothing; Income-tax Act 1961, s. 115BBH(2)\n');
  });

  test('with other rules: a set-off of losses, fees deducted, other rates', async () => {
    const text = changed(changed(RULES, 'setOff: false', 'setOff: true'), 'deducted: false', 'deducted: true');
    const own = text.replaceAll('2025-26', '2026-27').replace(/\n {2}- from: 2026-27[\s\S]*/, '\n');
    writeFileSync(inProject('rules.yaml'), changed(own, 'rate: 0.30', 'rate: 0.2'));
    const { lines } = JSON.parse(stated(await withStatement('taxRules: rules.yaml')).out);
    const figure = (name: string): number =>
      Number(
        lines.find((each: { line: string; section: string }) => each.section === 'tax' && each.line === name).exact,
      );
    expect(figure('taxable_income')).toBeCloseTo(figure('income') - figure('losses') - figure('fees'), 6);
    expect(figure('tax')).toBeCloseTo(0.2 * figure('taxable_income'), 6);
  });
});

test('a sale before its purchase is booked is named in the year of the sale, and taxed in that of the purchase', () => {
  const events = [
    ...opening('2025-04-01', { INR: '1000' }),
    fill({ on: '2026-03-30', side: 'sell', price: '130' }),
    fill({ on: '2026-04-02', price: '100' }),
  ];
  const taxOf = (year: string) =>
    figures(statementIn(year, events, { rules: readTaxRules(INDIA, year, APRIL) }), { section: 'tax' });
  expect(taxOf('2025-26')).toMatchObject({ consideration: '0 INR', unmatched_consideration: '130 INR' });
  expect(taxOf('2026-27')).toMatchObject({ consideration: '130 INR', income: '30 INR' });
  expect(taxOf('2026-27')).not.toHaveProperty('unmatched_consideration');
});

describe('a file of rules that can’t be right ends with 78 and writes nothing', () => {
  const last = RULES.lastIndexOf('from: 2026-27');
  const later = (from: string): string => `${RULES.slice(0, last)}from: ${from}${RULES.slice(last + 13)}`;
  const lineOf = (text: string): number => RULES.slice(0, RULES.indexOf(text)).split('\n').length;
  const second = RULES.slice(0, last).split('\n').length;

  test.each([
    [
      'a hole',
      later('2027-28').replace('to: 2026-27', 'to: 2027-28'),
      second,
      'years[1].from: "2027-28" leaves a hole after 2025-26: 2026-27 was expected.',
    ],
    [
      'an overlap',
      later('2025-26'),
      second,
      'years[1].from: "2025-26" overlaps the entry that ends with 2025-26: 2026-27 was expected.',
    ],
    [
      'an end before the beginning',
      RULES.replace('to: 2025-26', 'to: 2021-22'),
      lineOf('to: 2025-26'),
      'years[0].to: "2021-22" is before 2022-23: a later year was expected.',
    ],
    [
      'no year',
      RULES.replace('to: 2025-26', 'to: 2025-27'),
      lineOf('to: 2025-26'),
      'years[0].to: "2025-27" is no year: 2025-26 was expected.',
    ],
    [
      'no rate',
      RULES.replace('cess: { rate: 0.04, ', 'cess: { '),
      lineOf('cess:'),
      'years[0].cess.rate: missing; expected a ratio from 0 to 1, such as 0.004.',
    ],
    [
      'a rate in per cent',
      RULES.replace('rate: 0.30', 'rate: 30'),
      lineOf('income:'),
      'years[0].income.rate: "30" is not a ratio from 0 to 1, such as 0.004.',
    ],
    [
      'a rate that no amount is as fine as',
      RULES.replace('rate: 0.04', 'rate: 1e-19'),
      lineOf('cess:'),
      'years[0].cess.rate: "1e-19" is not a ratio from 0 to 1, such as 0.004, with at most 18 decimals.',
    ],
    [
      'an unknown key',
      RULES.replace('losses: { setOff', 'losses: { carryForward: 8, setOff'),
      lineOf('losses:'),
      'years[0].losses.carryForward: unknown key; allowed keys: setOff, rule.',
    ],
  ])('%s', async (_name, text, line, sentence) => {
    const file = inProject('broken.yaml');
    writeFileSync(file, text);
    const said = stated(await withStatement('taxRules: broken.yaml'));
    expect(said).toEqual({ code: 78, out: '', err: `${file}:${line}: ${sentence}\n` });
  });

  test('or whose years begin on another day than those of the configuration', async () => {
    const said = stated(await withStatement('taxRules: india, yearBegins: 07-01'));
    const sentence = 'yearBegins: "04-01", and `statement.yearBegins` is 07-01: these are other years.';
    expect(said).toEqual({ code: 78, out: '', err: `${INDIA}:${lineOf('yearBegins:')}: ${sentence}\n` });
  });

  test('or that lacks the year, or is not there', async () => {
    const lacking = stated(await withStatement('taxRules: india'), '2031-32');
    expect(lacking).toMatchObject({ code: 78, out: '' });
    expect(lacking.err).toContain('years: 2031-32 is not among them; its years are 2022-23 to 2026-27.');
    const gone = stated(await withStatement('taxRules: gone.yaml'));
    expect(gone).toEqual({ code: 78, out: '', err: `There is no file ${inProject('gone.yaml')}.\n` });
  });
});
