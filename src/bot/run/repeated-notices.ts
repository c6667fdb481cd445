// An exchange cannot fill the log, whatever it answers: of each kind of notice the log gets five a minute, and a count
// of the rest.
import { type EpochMs, MINUTE } from '../../domain/time.ts';
import type { Notice } from '../../trader/state/turn.ts';

/** Of each kind, in a minute. */
const MOST_NAMED = 5;

interface Series {
  readonly since: EpochMs;
  readonly count: number;
  readonly last: Notice;
}

export interface RepeatedNotices {
  /** The notice, or null where it is only counted. Notices about own orders are never cut. */
  take(notice: Notice, now: EpochMs): Notice | null;
  /** Counts of minutes that are over; to be asked every few seconds. */
  due(now: EpochMs): readonly Notice[];
}

export function repeatedNotices(): RepeatedNotices {
  const running = new Map<string, Series>();
  return {
    take(notice, now) {
      if (notice.intentId !== undefined) return notice;
      const name = nameOf(notice);
      const { since, count } = running.get(name) ?? { since: now, count: 0 };
      // A clock that was set back begins anew: otherwise nothing more would be told until it has caught up.
      const series = { ...(now < since ? { since: now, count: 1 } : { since, count: count + 1 }), last: notice };
      running.set(name, series);
      return series.count > MOST_NAMED ? null : notice;
    },
    due: (now) =>
      [...running].flatMap(([name, { since, count, last }]) => {
        if (now >= since && now - since < MINUTE) return [];
        running.delete(name);
        const message = `${count - MOST_NAMED} more like it in the last minute. The last: ${last.message}`;
        return count > MOST_NAMED ? [{ ...last, message }] : [];
      }),
  };
}

/** A failure of one market must not hide that of another. */
const nameOf = ({ level, op, symbol = '' }: Notice): string => `${level} ${op} ${symbol}`;
