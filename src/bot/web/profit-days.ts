// Profit by day, of one month and each symbol, from the recorded ends of days.
import { z } from 'zod';
import { parseSymbol } from '../../domain/instrument.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Calendar, type Day, dayText, monthsLater, monthText } from '../books/local-time.ts';
import { type HistorySource, whyRefused } from '../memory/history.ts';

const EXPECTED = 'a month such as 2026-04';
const querySchema = z.strictObject({
  month: z
    .string({ error: EXPECTED })
    .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/, { error: EXPECTED })
    .optional(),
});

/** The first day of the month that is asked for: the present one if none is named. */
export function monthAsked(
  asked: Readonly<Record<string, unknown>>,
  { calendar, now }: { readonly calendar: Calendar; readonly now: EpochMs },
): Result<Day> {
  const read = querySchema.safeParse(asked);
  if (!read.success) return fail(whyRefused(read.error, asked, 'month'));
  const [year, month] = (read.data.month ?? monthText(calendar.dayOf(now))).split('-').map(Number);
  return ok({ year: year ?? 0, month: month ?? 0, day: 1 });
}

/** The days of a month, and the last before it. */
const MOST_DAYS = 32;

/** A day's profit counts from the last day before it that was recorded; the first one has all of before. */
export function profitDays({ symbols, days }: HistorySource, first: Day, calendar: Calendar) {
  const [from, to] = [calendar.beginning(first), calendar.beginning(monthsLater(first, 1))];
  const profits = symbols().map((symbol) => {
    const ends = days(symbol, to, MOST_DAYS);
    const within = ends.flatMap(({ at, profit }, index) => {
      const before = ends[index + 1]?.profit ?? 0;
      return at < from ? [] : [{ day: dayText(calendar.dayOf(at)), profit: profit - before }];
    });
    return { symbol, quote: parseSymbol(symbol)?.quote ?? '', days: within };
  });
  return {
    month: monthText(first),
    before: monthText(monthsLater(first, -1)),
    after: monthText(monthsLater(first, 1)),
    profits,
  };
}
