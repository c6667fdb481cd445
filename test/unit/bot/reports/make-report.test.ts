// `report` on the journal and memory file of a folder: equal to `statement` and `export` to the last digit, as text,
// JSON and a page, and its messages about missing or invalid data.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { calendarOf } from '../../../../src/bot/books/local-time.ts';
import { makeStatement } from '../../../../src/bot/books/make-statement.ts';
import { createCollector } from '../../../../src/bot/memory/collector.ts';
import { memoryPath, openMemory } from '../../../../src/bot/memory/memory-file.ts';
import { makeReport, type ReportRequest } from '../../../../src/bot/reports/make-report.ts';
import type { Settings } from '../../../../src/bot/settings/types.ts';
import { MINUTE } from '../../../../src/domain/time.ts';
import { corrected, fill, moment, opening, transfer } from '../books/books-kit.ts';
import { CLOCK, session } from '../books/live-journal.ts';
import { type Said, saying } from '../books/said.ts';
import { enterProject, leaveProject, load, PAPER } from '../settings-project.ts';

const EVENTS = [
  ...opening('2026-04-01', { INR: '100000', BTC: '1' }, ['BTC/INR']),
  fill({ on: '2026-04-02', id: '1', price: '100.123456', quantity: '2.00000001', fee: '0.333333333333333333' }),
  fill({ on: '2026-04-30', id: '2', side: 'sell', price: '130.7', quantity: '1.1', fee: '0.7', tds: '1.4377' }),
  fill({ on: '2026-05-01', id: '3', price: '99.9', quantity: '0.3', fee: '0.0003', feeAsset: 'BTC' }),
  corrected({ on: '2026-04-30', id: '2', side: 'sell', price: '130.7', quantity: '1', fee: '0.6', tds: '1.307' }),
  transfer({ on: '2026-05-03', asset: 'INR', by: '250' }),
  fill({ on: '2026-06-30', id: '4', side: 'sell', price: '140', quantity: '0.5', fee: '0.11', tds: '0.7' }),
  fill({ on: '2026-06-30', id: '5', price: '90', quantity: '3', byHand: true }),
];

let settings: Settings;
beforeAll(async () => {
  enterProject();
  settings = await load(PAPER);
  mkdirSync(settings.stateFolder, { recursive: true });
  session(settings.stateFolder, EVENTS);
});
afterAll(() => leaveProject());

const reported = (request: Partial<ReportRequest> = {}): Said =>
  saying((io) =>
    makeReport(settings, io, {
      ...{ span: 'month', of: '2026-04-15', symbol: null, json: false, html: null, clock: CLOCK },
      ...request,
    }),
  );

const monthSchema = z.object({
  symbols: z.array(
    z.object({
      fills: z.record(z.string(), z.unknown()),
      profit: z.object({ fees: z.string(), taxWithheld: z.string() }),
    }),
  ),
});

/** A figure of each month of the quarter, added up exactly. */
function quarterSum(of: (symbol: z.output<typeof monthSchema>['symbols'][number]) => unknown): bigint {
  return ['2026-04-30', '2026-05-31', '2026-06-01']
    .map((day) => monthSchema.parse(JSON.parse(reported({ of: day, json: true }).out)).symbols[0])
    .reduce((sum, symbol) => sum + (symbol === undefined ? 0n : exact(String(of(symbol)))), 0n);
}

/** In 10^-36. */
function exact(text: string): bigint {
  const [whole = '0', part = ''] = text.replace('-', '').split('.');
  return BigInt(`${text.startsWith('-') ? '-' : ''}${whole}${part.padEnd(36, '0')}`);
}

test('money is, to the last digit, the statement’s', () => {
  const statement = saying((io) =>
    makeStatement(settings, io, { year: '2026-27', quarter: 1, format: 'json', clock: CLOCK }),
  );
  const lines = z
    .object({
      lines: z.array(
        z.object({ origin: z.string().nullable(), section: z.string(), line: z.string(), exact: z.string() }),
      ),
    })
    .parse(JSON.parse(statement.out)).lines;
  const stated = (line: string): bigint =>
    exact(
      lines.find((each) => each.section === 'trades' && each.origin === 'bot' && each.line === line)?.exact ?? 'none',
    );
  expect({
    trades: quarterSum(({ fills }) => fills.trades),
    bought: quarterSum(({ fills }) => fills.bought),
    boughtFor: quarterSum(({ fills }) => fills.boughtFor),
    sold: quarterSum(({ fills }) => fills.sold),
    soldFor: quarterSum(({ fills }) => fills.soldFor),
    fees: quarterSum(({ profit }) => profit.fees),
    tax: quarterSum(({ profit }) => profit.taxWithheld),
  }).toEqual({
    ...{ trades: stated('trades'), bought: stated('bought'), boughtFor: stated('bought_for'), sold: stated('sold') },
    ...{ soldFor: stated('sold_for'), fees: stated('fees'), tax: stated('tax_withheld') },
  });
  expect(stated('fees')).toBeGreaterThan(0n);
});

test('without a memory file it says so, and gives what is known', () => {
  const { code, out } = reported();
  expect(code).toBe(0);
  expect(out).toContain('Report of 2026-04: 2026-04-01 to 2026-04-30, Asia/Kolkata.');
  expect(out).toContain('There is no recorded history: prices, time in the market and requests are not known.');
  expect(out).toMatch(/ {2}bought +1 fill, 2\.00000001 BTC for /);
  expect(out).toMatch(/ {2}price at the end +100\.123456 INR, by the last fill of 2026-04-30 06:30:00 UTC/);
});

test('with a memory file it has its figures, and a self-contained page', () => {
  const file = memoryPath(settings.stateFolder);
  const from = moment('2026-05-10');
  const memory = openMemory(file, { at: from, putAside: () => {} });
  const collector = createCollector(calendarOf('Asia/Kolkata'));
  const sample = { marketBid: 99, marketAsk: 101, ownBid: 99.5, ownAsk: 100.5, inventory: 1, equity: 1, profit: 0 };
  for (let at = from; at < from + 180 * MINUTE; at += MINUTE)
    collector.sample('BTC/INR', { ...sample, reference: 117.5 }, at);
  const message = 'One </script> of them <b>was</b> lost.';
  collector.notice({ at: from, level: 'page', op: 'unknown', symbol: 'BTC/INR', message });
  memory.write(collector.take(from));
  memory.close();
  const html = path.join(settings.stateFolder, 'may.html');
  const { code, out, err } = reported({ of: '2026-05-20', html });
  expect(code).toBe(0);
  expect(err).toBe(`The page is ${html}.\n`);
  expect(out).toContain('Prices, time in the market and requests are known from 2026-05-10 06:30:00 UTC on.');
  expect(out).toMatch(/ {2}spread quoted +100\.0 bps; the market 200\.0 bps meanwhile, 200\.0 bps in all/);
  expect(out).toMatch(/ {2}price at the end +117\.5 INR, by the memory of 2026-05-10 09:29:00 UTC/);
  const page = readFileSync(html, 'utf8');
  expect(page).toContain('One &lt;/script&gt; of them &lt;b&gt;was&lt;/b&gt; lost.');
  expect(page).not.toMatch(/(?:src|href)=/);
  expect(page.match(/<script/g)).toHaveLength(3);
  expect(page.match(/<\/script>/g)).toHaveLength(3);
  rmSync(file);
});

test('a damaged memory file costs its figures, and gives a sentence', () => {
  const file = memoryPath(settings.stateFolder);
  writeFileSync(file, 'x'.repeat(9_000));
  const { code, out, err } = reported();
  expect([code, err]).toEqual([0, `${file} can't be read: the report is made from the journal alone.\n`]);
  expect(out).toContain('There is no recorded history');
  expect(readFileSync(file, 'utf8')).toBe('x'.repeat(9_000));
  rmSync(file);
});

describe('invalid arguments end with a sentence', () => {
  test.each([
    [{ of: '2026-02-30' }, 64, "--of is '2026-02-30': a day such as 2026-07-01 was expected."],
    [{ symbol: 'DOGE/INR' }, 64, "--symbol is 'DOGE/INR': one of BTC/INR, ETH/INR was expected."],
    [{ html: '/nowhere/at/all.html' }, 73, "The page /nowhere/at/all.html can't be written (ENOENT)."],
    [{ html: '/proc/a.html', symbol: 'DOGE/INR' }, 73, "The page /proc/a.html can't be written (ENOENT)."],
  ])('%j', (request, code, sentence) => {
    expect(reported(request)).toEqual({ code, out: '', err: `${sentence}\n` });
    expect(existsSync('/nowhere')).toBe(false);
  });
});

test('a market removed from the configuration since is in the month in which the bot traded it', () => {
  const stateFolder = path.join(settings.stateFolder, 'taken-out');
  mkdirSync(stateFolder);
  session(stateFolder, [
    ...opening('2026-04-01', { INR: '100000', BTC: '0', SOL: '0' }, ['BTC/INR', 'SOL/INR']),
    fill({ on: '2026-04-02', id: '1' }),
    fill({ on: '2026-04-03', id: '2', symbol: 'SOL/INR', fee: '3' }),
    fill({ on: '2026-04-04', id: '3', symbol: 'SOL/INR', side: 'sell', price: '60', fee: '2', tds: '0.6' }),
  ]);
  const month = (of: string) => {
    const request = { span: 'month', of, symbol: null, json: true, html: null, clock: CLOCK } as const;
    const { code, out } = saying((io) => makeReport({ ...settings, stateFolder }, io, request));
    return { code, ...JSON.parse(out) };
  };
  const { code, symbols, totals } = month('2026-04-15');
  expect([code, symbols.map(({ symbol }: { symbol: string }) => symbol)]).toEqual([
    0,
    ['BTC/INR', 'ETH/INR', 'SOL/INR'],
  ]);
  expect(totals[0]).toMatchObject({ trades: 3, profit: { fees: '5', taxWithheld: '0.6' } });
  expect(month('2026-05-15').symbols).toHaveLength(2);
});
