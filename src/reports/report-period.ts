// The day, week or month that a date is in, by the books' calendar.
import type { Period } from '../books/financial-year.ts';
import { type Calendar, type Day, dayText, monthsLater, monthText } from '../books/local-time.ts';

export const SPANS = ['day', 'week', 'month'] as const;
export type Span = (typeof SPANS)[number];

export function reportPeriod(span: Span, of: Day, calendar: Calendar): Period {
  const [first, next] = boundsOf(span, of);
  const [from, to] = [calendar.beginning(first), calendar.beginning(next)];
  const [firstDay, lastDay] = [dayText(first), dayText(daysLater(next, -1))];
  return { name: nameOf(span, first), timeZone: calendar.timeZone, firstDay, lastDay, from, to };
}

/** Weeks begin on Monday, as ISO 8601 has them. */
function boundsOf(span: Span, of: Day): readonly [first: Day, next: Day] {
  switch (span) {
    case 'day':
      return [of, daysLater(of, 1)];
    case 'week': {
      const monday = daysLater(of, -((weekday(of) + 6) % 7));
      return [monday, daysLater(monday, 7)];
    }
    case 'month': {
      const first = { ...of, day: 1 };
      return [first, monthsLater(first, 1)];
    }
  }
}

const nameOf = (span: Span, first: Day): string =>
  ({ day: dayText(first), week: `the week of ${dayText(first)}`, month: monthText(first) })[span];

const utcOf = ({ year, month, day }: Day): Date => new Date(Date.UTC(year, month - 1, day));
/** 0 is Sunday. */
const weekday = (day: Day): number => utcOf(day).getUTCDay();

function daysLater({ year, month, day }: Day, count: number): Day {
  const later = utcOf({ year, month, day: day + count });
  return { year: later.getUTCFullYear(), month: later.getUTCMonth() + 1, day: later.getUTCDate() };
}
