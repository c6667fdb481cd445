// Time range of an export: days of the configured time zone, or times.
import type { EpochMs } from '../../domain/time.ts';
import { EXIT, StartError } from '../base/exit-codes.ts';
import { type Calendar, parseDay } from './local-time.ts';

export interface TimeRange {
  /** Null: from the first record. */
  readonly from: EpochMs | null;
  /** The first moment after it. Null: to the last record. */
  readonly to: EpochMs | null;
}

export type WrittenRange = { readonly [end in keyof TimeRange]?: string | undefined };

export const isWithin = (at: EpochMs, { from, to }: TimeRange): boolean =>
  (from === null || at >= from) && (to === null || at < to);

/** `from` is the beginning of its day, `to` includes its whole day. Throws `StartError` (64) with a sentence. */
export function timeRange({ from, to }: WrittenRange, calendar: Calendar): TimeRange {
  const range = {
    from: from === undefined ? null : momentOf('--from', from, { calendar, isEnd: false }),
    to: to === undefined ? null : momentOf('--to', to, { calendar, isEnd: true }),
  };
  if (range.from !== null && range.to !== null && range.from >= range.to)
    throw new StartError(EXIT.usage, `--from ${from} is not before --to ${to}: nothing can be in between.`);
  return range;
}

const MOMENT = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** A day means its first moment in the calendar's zone; as the end of a range, the first moment after it. */
export function momentOf(
  option: string,
  text: string,
  { calendar, isEnd }: { readonly calendar: Calendar; readonly isEnd: boolean },
): EpochMs {
  const day = parseDay(text);
  if (day !== null) return calendar.beginning(isEnd ? { ...day, day: day.day + 1 } : day);
  const [, dayOfIt = ''] = MOMENT.exec(text) ?? [];
  // `Date.parse` would move a day such as 31 April into the next month.
  const at = parseDay(dayOfIt) === null ? Number.NaN : Date.parse(text);
  if (Number.isFinite(at)) return at;
  throw new StartError(
    EXIT.usage,
    `${option} '${text}' is not a time: a day such as 2026-04-01, or a moment such as 2026-04-01T00:00:00Z, was ` +
      'expected.',
  );
}
