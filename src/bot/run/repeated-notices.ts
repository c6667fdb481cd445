// An exchange can't fill the log, whatever it answers. Of failing reads the log gets the first as it is, a summary each
// minute, and a line when they are over; of any other kind of notice ten a minute, and a count of the rest.
import { type DurationMs, type EpochMs, MINUTE, SECOND } from '../../domain/time.ts';
import type { Notice } from '../../trader/state/turn.ts';
import { duration } from '../status/status-words.ts';

/** Told again with each attempt while the cause lasts. */
const REPEATING = 'read-failed';

/** Of each other kind, in a minute. What is said of own orders is never cut. */
const MOST_NAMED = 10;

/** Longer than the longest wait before another attempt. */
const OVER_AFTER_MS: DurationMs = 45 * SECOND;

interface Series {
  readonly since: EpochMs;
  lastAt: EpochMs;
  count: number;
  /** Up to the last line about it. */
  toldAt: EpochMs;
  toldCount: number;
  last: Notice;
}

export interface RepeatedNotices {
  /** What of it is to be logged now: itself, or null where it belongs to a series that was told already. */
  take(notice: Notice, now: EpochMs): Notice | null;
  /** Summaries and ends that are due; to be asked every few seconds. */
  due(now: EpochMs): readonly Notice[];
}

export function repeatedNotices(): RepeatedNotices {
  const running = new Map<string, Series>();
  return {
    take(notice, now) {
      if (notice.intentId !== undefined) return notice;
      const name = nameOf(notice);
      const series = running.get(name);
      // Where the clock was set back nothing more would be told of it until that has caught up.
      if (series === undefined || now < series.lastAt) {
        running.set(name, { since: now, lastAt: now, count: 1, toldAt: now, toldCount: 1, last: notice });
        return notice;
      }
      Object.assign(series, { lastAt: now, count: series.count + 1, last: notice });
      if (notice.op === REPEATING || series.count > MOST_NAMED) return null;
      series.toldCount = series.count;
      return notice;
    },
    due: (now) =>
      [...running].flatMap(([name, series]) => {
        if (series.last.op !== REPEATING) {
          if (now - series.since < MINUTE) return [];
          running.delete(name);
          return series.count > series.toldCount ? [summary(series, now)] : [];
        }
        if (now - series.lastAt >= OVER_AFTER_MS) {
          running.delete(name);
          return series.count === 1 ? [] : [ended(series)];
        }
        return now - series.toldAt >= MINUTE && series.count > series.toldCount ? [summary(series, now)] : [];
      }),
  };
}

/** What fails of one market must not hide what fails of another. */
const nameOf = ({ level, op, symbol = '' }: Notice): string => `${level} ${op} ${symbol}`;

function summary(series: Series, now: EpochMs): Notice {
  const more = series.count - series.toldCount;
  Object.assign(series, { toldAt: now, toldCount: series.count });
  const message =
    `${more} more like it in the last minute, ${series.count} since ${timeText(series.since)}. The last: ` +
    `${series.last.message}`;
  return { ...series.last, message };
}

function ended({ count, since, lastAt, last: { op, symbol } }: Series): Notice {
  const message = `Over (${op}): ${count} in ${duration(lastAt - since)}, the last at ${timeText(lastAt)}.`;
  return { level: 'info', op, message, ...(symbol && { symbol }) };
}

const timeText = (at: EpochMs): string => `${new Date(at).toISOString().slice(11, 19)} UTC`;
