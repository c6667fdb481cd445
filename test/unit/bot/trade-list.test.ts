// The list of trades: from the journal's tables, filtered, bounded for each answer.
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { calendarOf } from '../../../src/bot/books/local-time.ts';
import { openSqliteJournal } from '../../../src/bot/state-folder/sqlite-journal.ts';
import { tradePage, tradeQuery } from '../../../src/bot/web/trade-list.ts';
import { startWeb } from '../../../src/bot/web/web-server.ts';
import { DAY, HOUR } from '../../../src/domain/time.ts';
import type { JournalRecord } from '../../../src/ports/journal-storage.ts';
import { pageOptions } from '../../browser/page-options.ts';
import { tradeRecords } from '../../browser/trade-records.ts';
import { testFolder } from './test-folder.ts';

const NOW = Date.UTC(2026, 2, 17, 9);
const KOLKATA = calendarOf('Asia/Kolkata');
const folder = testFolder();

function pageOf(records: readonly JournalRecord[], asked: Record<string, string>) {
  const query = tradeQuery(asked, KOLKATA);
  if (!query.ok) throw new Error(query.error);
  return tradePage((before, limit) => records.filter(({ seq }) => seq < before).slice(0, limit), query.value);
}

test('comes from the journal and from what has left it, newest first', () => {
  const journal = openSqliteJournal(path.join(folder, 'journal.sqlite'));
  const records = tradeRecords(5, NOW, HOUR).toReversed();
  const other = { ...records[4], seq: 60, type: 'intent' } as JournalRecord;
  journal.append([...records, other]);
  journal.snapshots.write({ seq: 60, schema: 1, text: '{}' });
  while (!journal.snapshots.retire(30));
  expect([...journal.read()].map(({ seq }) => seq)).toEqual([40, 50, 60]);
  expect(journal.trades(Number.MAX_SAFE_INTEGER, 4).map(({ seq }) => seq)).toEqual([50, 40, 30, 20]);
  expect(journal.trades(30, 4).map(({ seq }) => seq)).toEqual([20, 10]);
  journal.close();
});

test('looks at five hundred records for an answer, and says where the next begins', () => {
  const records = tradeRecords(1_100, NOW, 1_000).map((each) => ({ ...each, seq: each.seq / 10 }));
  const none = pageOf(records, { symbol: 'SOL/INR' });
  expect([none.rows, none.next]).toEqual([[], 601]);
  expect(pageOf(records, { symbol: 'SOL/INR', before: '101' }).next).toBeNull();
  const first = pageOf(records, { symbol: 'ETH/INR', side: 'sell' });
  expect([first.rows.length, first.rows.at(-1)?.record]).toEqual([50, first.next]);
  expect(new Set(first.rows.map(({ symbol, side }) => `${symbol} ${side}`))).toEqual(new Set(['ETH/INR sell']));
});

test('a day is one of the configured zone; what was booked before it is not read on', () => {
  const records = tradeRecords(72, NOW, HOUR);
  const { rows, next } = pageOf(records, { from: '2026-03-16', to: '2026-03-16' });
  const times = rows.map(({ tradedAt }) => new Date(tradedAt).toISOString());
  expect([times.length, times[0], times.at(-1), next]).toEqual([
    ...[24, '2026-03-16T18:00:00.000Z', '2026-03-15T19:00:00.000Z', null],
  ]);
});

test('a correction appears as such, and a trade taken back without prices at the time when it was made', () => {
  // Thousands of trades were made since.
  const records = tradeRecords(2_001, NOW, HOUR);
  const taken = { symbol: 'BTC/INR', tradeId: '1', side: 'buy', fill: null, intentId: null, mid: null, at: NOW + DAY };
  const back = { ...records[0], seq: 30_000, type: 'fill-corrected', payload: JSON.stringify(taken) } as JournalRecord;
  const { rows } = pageOf([back, ...records], {});
  const madeAt = NOW - 2_000 * HOUR;
  expect(rows.slice(0, 2).map(({ event, fill, tradedAt }) => [event, fill?.price, tradedAt])).toEqual([
    ['fill-reversed', undefined, madeAt],
    ['fill', '5500120', NOW],
  ]);
  expect(pageOf([back, ...records], { from: '2026-03-17' }).rows.map(({ event }) => event)).not.toContain(
    'fill-reversed',
  );
});

test('an answer is full only where another row follows; a file gets all rows that are looked at', () => {
  const records = tradeRecords(51, NOW, HOUR);
  expect(pageOf(records, {}).next).toBe(20);
  expect(pageOf(records.slice(0, 50), {}).next).toBeNull();
  expect(pageOf(records, { format: 'csv' }).rows).toHaveLength(51);
});

test.each([
  [{ side: 'both' }, "side is 'both': buy or sell was expected."],
  [{ before: '-1' }, "before is '-1': the number of a record was expected."],
  [{ from: '2026-02-30' }, "from '2026-02-30' is not a time: a day such as 2026-04-01"],
  [{ since: '1' }, "There is no parameter 'since', only symbol, side, from, to, before and format."],
  [{ symbol: '' }, "symbol is '': a symbol such as BTC/INR was expected."],
  [{ symbol: ['BTC/INR', 'ETH/INR'] }, `symbol is '["BTC/INR","ETH/INR"]': a symbol such as BTC/INR was expected.`],
  [{ from: ['1', '2'] }, `from is '["1","2"]': a day such as 2026-04-01 was expected.`],
  [{ before: ['1', '2'] }, `before is '["1","2"]': the number of a record was expected.`],
])('%j is refused', (asked: Record<string, unknown>, sentence) => {
  expect(tradeQuery(asked, KOLKATA)).toEqual({ ok: false, error: expect.stringContaining(sentence) });
});

test('wants a sign-in where the page does; profit by day refuses what is no month', async () => {
  const trades = () => tradeRecords(1, NOW, HOUR);
  const past = { symbols: () => ['BTC/INR'], history: () => null, profitBefore: () => null };
  const behindProxy = { host: '127.0.0.1', port: 0, origin: 'https://bot.example.com', tls: null, behindProxy: true };
  for (const [web, code] of [
    [behindProxy, 401],
    [null, 200],
  ] as const) {
    const { options, end } = pageOptions({ trades, past, ...(web && { web }) });
    const { port, close } = await startWeb(options);
    for (const name of ['trades', 'trades?format=csv', 'days'])
      expect([name, (await fetch(`http://127.0.0.1:${port}/api/${name}`)).status]).toEqual([name, code]);
    if (web === null) {
      const answer = await fetch(`http://127.0.0.1:${port}/api/days?month=2026-13`);
      expect([answer.status, await answer.json()]).toEqual([
        ...[400, { error: "month is '2026-13': a month such as 2026-04 was expected." }],
      ]);
    }
    await close();
    end();
  }
});
