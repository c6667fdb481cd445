// Days of a time zone: when they begin, and which day a time belongs to.
import { fail, ok, type Result } from '../../domain/result.ts';
import { DAY, type EpochMs, HOUR } from '../../domain/time.ts';

/** A calendar day; `month` counts from 1. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export interface Calendar {
  readonly timeZone: string;
  dayOf(at: EpochMs): Day;
  /** The first moment of a day. */
  beginning(day: Day): EpochMs;
}

export const dayText = ({ year, month, day }: Day): string => `${monthText({ year, month })}-${twoDigits(day)}`;
export const monthText = ({ year, month }: Pick<Day, 'year' | 'month'>): string =>
  `${String(year).padStart(4, '0')}-${twoDigits(month)}`;
const twoDigits = (number: number): string => String(number).padStart(2, '0');

export function daysLater({ year, month, day }: Day, count: number): Day {
  const later = new Date(Date.UTC(year, month - 1, day + count));
  return { year: later.getUTCFullYear(), month: later.getUTCMonth() + 1, day: later.getUTCDate() };
}

/** Adds `count` months; `day` must exist in every month. */
export function monthsLater({ year, month, day }: Day, count: number): Day {
  const months = year * 12 + (month - 1) + count;
  return { year: Math.floor(months / 12), month: (months % 12) + 1, day };
}

/** Parses a date such as 2026-04-01; null if there is no such day. */
export function parseDay(text: string): Day | null {
  const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return null;
  const at = new Date(Date.UTC(year, month - 1, day));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day ? { year, month, day } : null;
}

/** By the rules of the time zone database that ships with Node. */
export function calendarOf(timeZone: string): Calendar {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, calendar: 'iso8601', hourCycle: 'h23' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  /** Local wall clock as if it were UTC; to the second. */
  const wallOf = (at: EpochMs): EpochMs => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
    const [year, month, day] = [part('year'), part('month') - 1, part('day')];
    return Date.UTC(year, month, day, part('hour'), part('minute'), part('second'));
  };
  const offset = offsetsByHour(wallOf);
  return {
    timeZone,
    dayOf(at) {
      const wall = new Date(at + offset(at));
      return { year: wall.getUTCFullYear(), month: wall.getUTCMonth() + 1, day: wall.getUTCDate() };
    },
    beginning({ year, month, day }) {
      const wall = Date.UTC(year, month - 1, day);
      // If clocks change that night, the first guess has the other offset.
      const guess = wall - offset(wall - DAY);
      const at = wall - offset(guess);
      // If the change skips midnight, the day begins with the change.
      return at + offset(at) < wall ? guess : at;
    },
  };
}

/** Caches offsets per quarter hour, since they change only then: looking one up costs more than the rest of a row. */
function offsetsByHour(wallOf: (at: EpochMs) => EpochMs): (at: EpochMs) => number {
  const quarter = HOUR / 4;
  const known = new Map<number, number>();
  return (at) => {
    const begin = Math.floor(at / quarter) * quarter;
    const before = known.get(begin);
    if (before !== undefined) return before;
    const offset = wallOf(begin) - begin;
    known.set(begin, offset);
    return offset;
  };
}

/** How times become days and years: the zone of the program, and the beginning of its financial year. */
export interface Dates {
  readonly calendar: Calendar;
  readonly begins: YearBegin;
}

export function datesOf({ timeZone, yearBegins }: { readonly timeZone: string; readonly yearBegins: string }): Dates {
  const [month = 1, day = 1] = yearBegins.split('-').map(Number);
  return { calendar: calendarOf(timeZone), begins: { month, day } };
}

// Financial years and their quarters: the periods of a statement.

/** Start of the year: `month` from 1, `day` one that every month has. */
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

/** Parses `2026-27`, or `2026` if years are calendar years. Fails with a sentence. */
export function financialYear(text: string, begins: YearBegin, calendar: Calendar): Result<FinancialYear> {
  const year = yearIn(text, begins);
  if (year === null) return fail(`'${text}' is not a year: ${expected(begins)} was expected.`);
  const first: Day = { year, ...begins };
  const period = (name: string, from: Day, months: number): Period =>
    periodOf(name, [from, monthsLater(from, months)], calendar);
  const quarters = QUARTERS.map((number) => period(`${text} Q${number}`, monthsLater(first, 3 * (number - 1)), 3));
  return ok({ ...period(text, first, 12), quarters });
}

/** `2026-27`, or `2026` if years are calendar years, by the calendar year in which it begins. */
export const yearName = (year: number, begins: YearBegin): string =>
  `${year}${isCalendarYear(begins) ? '' : `-${twoDigits((year + 1) % 100)}`}`;

/** The calendar year in which a financial year begins; null if it has no such name. */
export function yearIn(text: string, begins: YearBegin): number | null {
  const year = Number.parseInt(text, 10);
  return /^\d{4}/.test(text) && yearName(year, begins) === text ? year : null;
}

/** The name of the financial year that contains a day. */
export const yearOfDay = ({ year, month, day }: Day, begins: YearBegin): string =>
  yearName(month < begins.month || (month === begins.month && day < begins.day) ? year - 1 : year, begins);

const expected = (begins: YearBegin): string =>
  isCalendarYear(begins)
    ? 'one of the calendar such as 2026'
    : `one such as 2026-27, which begins on ${dayText({ year: 2026, ...begins })}`;

/** The days from `first` to the one before `next`. */
export function periodOf(name: string, [first, next]: readonly [first: Day, next: Day], calendar: Calendar): Period {
  const [from, to] = [calendar.beginning(first), calendar.beginning(next)];
  const lastDay = dayText(calendar.dayOf(to - 1));
  return { name, timeZone: calendar.timeZone, firstDay: dayText(first), lastDay, from, to };
}
