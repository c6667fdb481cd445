// By when the exchange has counted what left a lane: pure. It counts a request when that arrives, which nobody tells
// us: somewhere between when it left and when it was answered. Times are monotonic.
import { type DurationMs, SECOND } from '../../domain/time.ts';

interface Departure {
  readonly leftAt: DurationMs;
  /** Answered or given up, so it has arrived or never will; null while it is on its way. */
  readonly overAt: DurationMs | null;
}

export interface Arrivals {
  /** What may still be within a window, in the order in which it left. */
  readonly departures: readonly Departure[];
  /** The quickest trips, there and back: of one row of answers, and of the row since then. */
  readonly quickBefore: DurationMs;
  readonly quickLately: DurationMs;
  readonly heardLately: number;
}

/** So many requests arrive in any stretch of so long, and no more. */
export interface Quota {
  readonly requests: number;
  readonly perMs: DurationMs;
}

/** A row of answers: after so many the quickest of them is near to the quickest that there can be. */
const ROW = 64;
/** A trip may be quicker than all that were seen by so much. */
const QUICKER = 0.75;
/**
 * What takes longer than the quickest by more than this is no longer on its way but being worked on. It is a part of
 * the stretch, so that a lane keeps four fifths of its pace whatever answers do, and never less than networks are late
 * by.
 */
const LATE_SHARE = 0.25;
const LATE_MS: DurationMs = SECOND / 4;

/** Nothing is known of how quick a trip can be: what leaves may arrive at once. */
export const startArrivals: Arrivals = {
  departures: [],
  quickBefore: 0,
  quickLately: Number.POSITIVE_INFINITY,
  heardLately: 0,
};

export function departed(arrivals: Arrivals, { perMs }: Quota, leftAt: DurationMs): Arrivals {
  const counting = arrivals.departures.filter((each) => each.leftAt + latestMs(arrivals, perMs) + perMs > leftAt);
  return { ...arrivals, departures: [...counting, { leftAt, overAt: null }] };
}

/** One that left at `leftAt` is over. */
export function arrived(arrivals: Arrivals, leftAt: DurationMs, now: DurationMs): Arrivals {
  const index = arrivals.departures.findIndex((each) => each.leftAt === leftAt && each.overAt === null);
  if (index < 0) return arrivals;
  return { ...arrivals, departures: arrivals.departures.with(index, { leftAt, overAt: now }) };
}

/** An answer came back after so long. */
export function heardAfter(arrivals: Arrivals, tookMs: DurationMs): Arrivals {
  const quickLately = Math.min(arrivals.quickLately, tookMs);
  const heardLately = arrivals.heardLately + 1;
  if (heardLately < ROW) return { ...arrivals, quickLately, heardLately };
  return { ...arrivals, quickBefore: quickLately, quickLately: Number.POSITIVE_INFINITY, heardLately: 0 };
}

/**
 * When the next request may leave: even if it is as quick as any, and the one that it must keep away from was as late
 * as it can have been, they arrive so far apart. `burst - 1` more than the quota may follow each other at once.
 */
export function mayLeaveAt(arrivals: Arrivals, { requests, perMs }: Quota, burst: number): DurationMs {
  const { departures } = arrivals;
  const away = departures.slice(0, Math.max(0, departures.length - (requests + burst - 2)));
  const arrivedBy = away.map(({ leftAt, overAt }) =>
    Math.min(leftAt + latestMs(arrivals, perMs), overAt ?? Number.POSITIVE_INFINITY),
  );
  return Math.max(...arrivedBy) + perMs - quickest(arrivals);
}

const quickest = ({ quickBefore, quickLately }: Arrivals): DurationMs => QUICKER * Math.min(quickBefore, quickLately);

/** From leaving to the latest arrival, and the quickest way back from it. */
function latestMs(arrivals: Arrivals, perMs: DurationMs): DurationMs {
  return quickest(arrivals) + Math.max(LATE_MS, LATE_SHARE * perMs);
}
