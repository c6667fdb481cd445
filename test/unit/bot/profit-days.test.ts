// Profit by day over a real socket, from a memory file that the recorder's own rows fill.
import { afterEach, expect, test } from '@jest/globals';
import { calendarOf, datesOf } from '../../../src/bot/books/local-time.ts';
import { createCollector } from '../../../src/bot/memory/collector.ts';
import { readMemory } from '../../../src/bot/memory/read-memory.ts';
import { startWeb } from '../../../src/bot/web/web-server.ts';
import { DAY, HOUR } from '../../../src/domain/time.ts';
import { pageOptions } from '../../browser/page-options.ts';
import { type Opened, open, point } from './memory/memory-kit.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const SYMBOL = 'BTC/INR';

/** Samples as a bot in that zone records them: `2026-03-01T10:00Z`, and the profit so far. */
function record({ memory }: Opened, zone: string, samples: readonly (readonly [time: string, profit: number])[]): void {
  const collector = createCollector(calendarOf(zone));
  for (const [time, profit] of samples) {
    const at = Date.parse(time);
    collector.sample(SYMBOL, { ...point(at), profit }, at);
  }
  memory.write(collector.take(Date.parse(samples.at(-1)?.[0] ?? '')));
}

async function daysIn({ file }: Opened, timeZone: string, month: string) {
  const reader = readMemory(file);
  if (reader === null) throw new Error(`Nothing is recorded in ${file}.`);
  const past = { ...reader, symbols: () => [SYMBOL] };
  const { options, end } = pageOptions({ past, dates: datesOf({ timeZone, yearBegins: '04-01' }) });
  const { url, close } = await startWeb(options);
  closing.push(async () => {
    reader.close();
    await close();
    end();
  });
  const answer = await fetch(`${url}/api/days?month=${month}`);
  const { profits } = (await answer.json()) as { profits: { days: { day: string; profit: number }[] }[] };
  return (profits[0]?.days ?? []).map(({ day, profit }) => [day, profit]).sort();
}

test('a day counts from the last one before it that was recorded, also of another month', async () => {
  const opened = open();
  record(opened, 'UTC', [
    ['2026-01-31T23:59:59Z', 100],
    ['2026-02-02T12:00:00Z', 90],
    ['2026-02-02T23:00:00Z', 130],
    ['2026-02-05T01:00:00Z', 125],
    ['2026-03-01T00:00:00Z', 500],
  ]);
  expect(await daysIn(opened, 'UTC', '2026-02')).toEqual([
    ['2026-02-02', 30],
    ['2026-02-05', -5],
  ]);
  // The first one recorded includes all of before.
  expect(await daysIn(opened, 'UTC', '2026-01')).toEqual([['2026-01-31', 100]]);
  expect(await daysIn(opened, 'UTC', '2025-12')).toEqual([]);
});

test('days are those of the configured zone, also from before it was changed', async () => {
  const opened = open();
  record(opened, 'Asia/Kolkata', [
    ['2026-03-01T18:00:00Z', 10],
    ['2026-03-01T19:00:00Z', 11],
    ['2026-03-02T18:00:00Z', 20],
  ]);
  record(opened, 'UTC', [
    ['2026-03-02T20:00:00Z', 25],
    ['2026-03-03T12:00:00Z', 40],
  ]);
  expect(await daysIn(opened, 'UTC', '2026-03')).toEqual([
    ['2026-03-01', 11],
    ['2026-03-02', 14],
    ['2026-03-03', 15],
  ]);
  expect(await daysIn(opened, 'Asia/Kolkata', '2026-03')).toEqual([
    ['2026-03-01', 10],
    ['2026-03-02', 10],
    ['2026-03-03', 20],
  ]);
});

test('a month of many changes of the zone, and days of 23 and 25 hours, add up to its profit', async () => {
  const opened = open();
  const begin = Date.parse('2026-03-01T00:00:00Z');
  for (let day = 0; day < 40; day += 1)
    record(opened, day % 2 === 0 ? 'Asia/Kolkata' : 'America/New_York', [
      [new Date(begin + day * DAY).toISOString(), 7 * day],
      [new Date(begin + day * DAY + 12 * HOUR).toISOString(), 7 * day + 3],
    ]);
  const days = await daysIn(opened, 'Europe/Berlin', '2026-03');
  expect(days).toHaveLength(31);
  expect(days.reduce((sum, [, profit]) => sum + Number(profit), 0)).toBe(7 * 30 + 3);
});
