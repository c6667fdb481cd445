// Profit by day, of one month and each symbol, from the samples that end its days.
import { z } from 'zod';
import { parseSymbol } from '../../domain/instrument.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { EpochMs } from '../../domain/time.ts';
import { type Calendar, type Day, daysLater, dayText, monthsLater, monthText } from '../books/local-time.ts';
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

/**
 * Days of the calendar's zone, whichever was set when they were recorded; those older than quarter hours are kept end
 * as they did then. A day counts from the last sample before it; the first one recorded includes all earlier profit.
 */
export function profitDays({ symbols, profitBefore }: HistorySource, first: Day, calendar: Calendar) {
  const count = new Date(Date.UTC(first.year, first.month, 0)).getUTCDate();
  const month = Array.from({ length: count }, (_, index) => {
    const day = daysLater(first, index);
    return { day: dayText(day), from: calendar.beginning(day), to: calendar.beginning(daysLater(day, 1)) };
  });
  const profits = symbols().map((symbol) => {
    let before = profitBefore(symbol, calendar.beginning(first))?.profit ?? 0;
    const days = month.flatMap(({ day, from, to }) => {
      const { at, profit } = profitBefore(symbol, to) ?? { at: 0, profit: null };
      if (at < from || profit === null) return [];
      const counted = { day, profit: profit - before };
      before = profit;
      return [counted];
    });
    return { symbol, quote: parseSymbol(symbol)?.quote ?? '', days };
  });
  return {
    month: monthText(first),
    before: monthText(monthsLater(first, -1)),
    after: monthText(monthsLater(first, 1)),
    profits,
  };
}
