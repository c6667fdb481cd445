// A venue for the tests of time offsets: it makes rows, shows them late, writes their times shifted, and dates its
// answers.
import { observeDate, observeTimes, type SeenTime, type TimesSeen } from '../../../src/client/times/observe-times.ts';
import { QUARTER, startTimeOffsets, type TimeOffsets } from '../../../src/client/times/time-offsets.ts';
import type { ReadKind } from '../../../src/venue/requests.ts';

export const SECOND = 1_000;
export const MINUTE = 60_000;
export const HOUR = 3_600_000;
/** Quarter hours: 5 h 30 min. */
export const INDIA = 22;

export interface MadeRow {
  /** True moment. */
  readonly at: number;
  /** How long after it the list shows the row. */
  readonly lagMs: number;
}

export interface ShiftedVenue {
  readonly rows: readonly MadeRow[];
  /** Field time − true time. */
  readonly quarters: number;
  /** `Date` − true time. */
  readonly dateErrorMs: number;
  /** Rows of a page: the newest. */
  readonly pageSize: number;
}

/** Where true time zero is for the tests: on a second. */
export const START = 1_700_000_000_000;

/** What the venue answers at a true moment. A row is named by its true moment, as if by an id. */
export function answerAt(venue: ShiftedVenue, now: number, more: Partial<TimesSeen> = {}): TimesSeen {
  const times: SeenTime[] = venue.rows
    .map(({ at, lagMs }, index) => ({
      name: venue.rows.findIndex((row) => row.at === at) === index ? `row ${at - START}` : `row ${at - START} ${index}`,
      at: at + venue.quarters * QUARTER,
      shownAt: at + lagMs,
    }))
    .filter(({ shownAt }) => shownAt <= now)
    .sort((a, b) => b.at - a.at)
    .slice(0, venue.pageSize)
    .map(({ name, at }) => ({ name, at }));
  const venueDate = Math.floor((now + venue.dateErrorMs) / 1_000) * 1_000;
  return { kind: KIND, list: 'list', shape: 'events', times, complete: true, venueDate, ...more };
}

export const KIND: ReadKind = 'public-trades';

/** Takes in an answer that came at the true moment `now`; our monotonic clock is true time since the start. */
export function learned(state: TimeOffsets, now: number, seen: TimesSeen): TimeOffsets {
  const dated = observeDate(state, { at: seen.venueDate, mono: now - START, proved: false });
  return dated.trusted ? observeTimes(dated.state, seen) : dated.state;
}

/** A venue of Indian time with rows at these moments since the start, shown at once. */
export const venueOf = (rowsAt: readonly number[], more: Partial<ShiftedVenue> = {}): ShiftedVenue => ({
  rows: rowsAt.map((at): MadeRow => ({ at: START + at, lagMs: 0 })),
  quarters: INDIA,
  dateErrorMs: 0,
  pageSize: 20,
  ...more,
});

/** What is known after looks at these moments since the start. */
export const knownAfter = (
  venue: ShiftedVenue,
  readsAt: readonly number[],
  state: TimeOffsets = startTimeOffsets(),
): TimeOffsets => readsAt.reduce((known, at) => learned(known, START + at, answerAt(venue, START + at)), state);

/** The same rows as tickers would tell them: of each of three symbols the last. */
export function latestAt(venue: ShiftedVenue, now: number): TimesSeen {
  const all = answerAt({ ...venue, pageSize: venue.rows.length }, now);
  const shown = new Map<string, number>();
  for (const { name, at } of all.times) {
    const symbol = `symbol ${name.length % 3}`;
    shown.set(symbol, Math.max(shown.get(symbol) ?? 0, at));
  }
  return { ...all, shape: 'latest', times: [...shown].map(([name, at]) => ({ name, at })) };
}
