// Financial years and their quarters: the periods of a statement.
import { fail, ok, type Result } from '../domain/result.ts';
import type { EpochMs } from '../domain/time.ts';
import { type Calendar, type Day, dayText, monthsLater } from './local-time.ts';

/** Where a year begins: month from 1, a day that every month has. */
export interface YearBegin {
  readonly month: number;
  readonly day: number;
}

export interface Period {
  /** `2026-27`, `2026-27 Q1`. */
  readonly name: string;
  readonly timeZone: string;
  /** First and last day, as text. */
  readonly firstDay: string;
  readonly lastDay: string;
  readonly from: EpochMs;
  /** The first moment after it. */
  readonly to: EpochMs;
}

export interface FinancialYear extends Period {
  readonly quarters: readonly Period[];
}

const QUARTERS = [1, 2, 3, 4] as const;
const isCalendarYear = ({ month, day }: YearBegin): boolean => month === 1 && day === 1;

/** Reads `2026-27`, or `2026` where years are those of the calendar. Fails with a sentence. */
export function financialYear(text: string, begins: YearBegin, calendar: Calendar): Result<FinancialYear> {
  const year = yearIn(text, begins);
  if (year === null) return fail(`'${text}' is not a year: ${expected(begins)} was expected.`);
  const first: Day = { year, ...begins };
  const period = (name: string, from: Day, months: number): Period => periodOf(name, from, { months, calendar });
  const quarters = QUARTERS.map((number) => period(`${text} Q${number}`, monthsLater(first, 3 * (number - 1)), 3));
  return ok({ ...period(text, first, 12), quarters });
}

function yearIn(text: string, begins: YearBegin): number | null {
  const [, first, second] = /^(\d{4})(?:-(\d{2}))?$/.exec(text) ?? [];
  if (first === undefined || isCalendarYear(begins) !== (second === undefined)) return null;
  const year = Number(first);
  return second === undefined || Number(second) === (year + 1) % 100 ? year : null;
}

const expected = (begins: YearBegin): string =>
  isCalendarYear(begins)
    ? 'one of the calendar such as 2026'
    : `one such as 2026-27, which begins on ${dayText({ year: 2026, ...begins })}`;

interface Extent {
  readonly months: number;
  readonly calendar: Calendar;
}

function periodOf(name: string, first: Day, { months, calendar }: Extent): Period {
  const next = monthsLater(first, months);
  const to = calendar.beginning(next);
  const lastDay = dayText(calendar.dayOf(to - 1));
  return { name, timeZone: calendar.timeZone, firstDay: dayText(first), lastDay, from: calendar.beginning(first), to };
}
