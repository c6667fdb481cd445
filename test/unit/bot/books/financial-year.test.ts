// Financial years and days of a time zone: where they begin and end.
import { describe, expect, test } from '@jest/globals';
import { calendarOf, dayText, financialYear, monthsLater, parseDay } from '../../../../src/bot/books/local-time.ts';
import { APRIL, KOLKATA, yearOf } from './books-kit.ts';

const iso = (at: number): string => new Date(at).toISOString();

describe('a year', () => {
  test('in India begins in April, by its own clock', () => {
    const { from, to, quarters, ...about } = yearOf('2026-27');
    expect(about).toEqual({
      name: '2026-27',
      timeZone: 'Asia/Kolkata',
      firstDay: '2026-04-01',
      lastDay: '2027-03-31',
    });
    expect([from, to].map(iso)).toEqual(['2026-03-31T18:30:00.000Z', '2027-03-31T18:30:00.000Z']);
    expect(quarters.map(({ name, firstDay, lastDay }) => [name, firstDay, lastDay])).toEqual([
      ['2026-27 Q1', '2026-04-01', '2026-06-30'],
      ['2026-27 Q2', '2026-07-01', '2026-09-30'],
      ['2026-27 Q3', '2026-10-01', '2026-12-31'],
      ['2026-27 Q4', '2027-01-01', '2027-03-31'],
    ]);
    expect(quarters.slice(1).map((quarter) => quarter.from)).toEqual(quarters.slice(0, 3).map((quarter) => quarter.to));
  });

  test('may begin within a month in which clocks change', () => {
    const year = yearOf('2026-27', { month: 4, day: 6 }, calendarOf('Europe/London'));
    expect(year.quarters.map(({ firstDay, from }) => [firstDay, iso(from)])).toEqual([
      ['2026-04-06', '2026-04-05T23:00:00.000Z'],
      ['2026-07-06', '2026-07-05T23:00:00.000Z'],
      ['2026-10-06', '2026-10-05T23:00:00.000Z'],
      ['2027-01-06', '2027-01-06T00:00:00.000Z'],
    ]);
  });

  test.each([
    ['2026', APRIL, "'2026' is not a year: one such as 2026-27, which begins on 2026-04-01 was expected."],
    ['2026-28', APRIL, "'2026-28' is not a year: one such as 2026-27, which begins on 2026-04-01 was expected."],
    ['26-27', APRIL, "'26-27' is not a year: one such as 2026-27, which begins on 2026-04-01 was expected."],
    ['2026-27', { month: 1, day: 1 }, "'2026-27' is not a year: one of the calendar such as 2026 was expected."],
    ['', APRIL, "'' is not a year: one such as 2026-27, which begins on 2026-04-01 was expected."],
  ])('%j is refused', (text, begins, error) => {
    expect(financialYear(text, begins, KOLKATA)).toEqual({ ok: false, error });
  });
});

describe('a day', () => {
  test('is that of the time zone', () => {
    const of = (text: string): string => dayText(KOLKATA.dayOf(Date.parse(text)));
    expect([of('2026-03-31T18:29:59.999Z'), of('2026-03-31T18:30:00Z')]).toEqual(['2026-03-31', '2026-04-01']);
  });

  test.each(['America/New_York', 'Europe/London', 'Asia/Kolkata', 'Pacific/Auckland', 'Australia/Lord_Howe', 'UTC'])(
    'in %s begins where the one before ends, all year',
    (zone) => {
      const calendar = calendarOf(zone);
      for (let day = 1; day <= 365; day += 1) {
        const at = calendar.beginning({ year: 2026, month: 1, day });
        const [before, after] = [at - 1, at].map((moment) => dayText(calendar.dayOf(moment)));
        expect(after).toBe(new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10));
        expect(before).toBe(new Date(Date.UTC(2026, 0, day - 1)).toISOString().slice(0, 10));
      }
    },
  );

  test('is read from its text', () => {
    expect(parseDay('2026-02-28')).toEqual({ year: 2026, month: 2, day: 28 });
    expect(['2026-02-29', '2026-13-01', '2026-1-1', '20260101', 'today'].map(parseDay)).toEqual(Array(5).fill(null));
    expect(monthsLater({ year: 2026, month: 11, day: 7 }, 2)).toEqual({ year: 2027, month: 1, day: 7 });
  });

  test.each([
    ['Africa/Cairo', '2024-04-26', '2024-04-25T22:00:00.000Z'],
    ['America/Havana', '2024-03-10', '2024-03-10T05:00:00.000Z'],
    ['Asia/Beirut', '2024-03-31', '2024-03-30T22:00:00.000Z'],
    ['America/Santiago', '2024-09-08', '2024-09-08T04:00:00.000Z'],
    // If clocks went back over midnight, the second midnight counts.
    ['Asia/Beirut', '2024-10-27', '2024-10-26T22:00:00.000Z'],
  ])('of %s begins within itself, even if midnight is skipped or comes twice: %s', (zone, text, begins) => {
    const calendar = calendarOf(zone);
    const at = calendar.beginning(parseDay(text) ?? { year: 0, month: 0, day: 0 });
    expect(new Date(at).toISOString()).toBe(begins);
    expect([dayText(calendar.dayOf(at)) === text, dayText(calendar.dayOf(at - 1)) < text]).toEqual([true, true]);
  });
});
