// Keeps an exchange from filling the log with its answers: five notices of each kind a minute, and a count of the rest.
import { type EpochMs, MINUTE } from '../../domain/time.ts';
import type { Notice } from '../../trader/state/turn.ts';

/** Per kind and minute. */
const MOST_NAMED = 5;

interface Series {
  readonly since: EpochMs;
  readonly count: number;
  readonly last: Notice;
}

export function repeatedNotices() {
  const running = new Map<string, Series>();
  return {
    /** The notice, or null if it is only counted. Notices about own orders are never cut. */
    take(notice: Notice, now: EpochMs): Notice | null {
      if (notice.intentId !== undefined) return notice;
      const name = nameOf(notice);
      const { since, count } = running.get(name) ?? { since: now, count: 0 };
      // Starts over if the clock was set back: otherwise nothing would be logged until it has caught up.
      const series = { ...(now < since ? { since: now, count: 1 } : { since, count: count + 1 }), last: notice };
      running.set(name, series);
      return series.count > MOST_NAMED ? null : notice;
    },
    /** Counts of past minutes; call every few seconds. */
    due: (now: EpochMs): readonly Notice[] =>
      [...running].flatMap(([name, { since, count, last }]) => {
        if (now >= since && now - since < MINUTE) return [];
        running.delete(name);
        const message = `${count - MOST_NAMED} more like it in the last minute. The last: ${last.message}`;
        return count > MOST_NAMED ? [{ ...last, message }] : [];
      }),
  };
}

/** A failure of one market must not hide another's. */
const nameOf = ({ level, op, symbol = '' }: Notice): string => `${level} ${op} ${symbol}`;
