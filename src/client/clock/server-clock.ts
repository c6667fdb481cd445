// Estimates the exchange's clock. `Date` headers vote; an accepted signed request proves; see docs/decisions/0021.
import type { DurationMs, EpochMs } from '../../domain/time.ts';

/** How fast the two clocks may drift apart, in parts per million. Old intervals widen by this. */
export const DRIFT_PPM = 250;
/** Widening of every interval: the exchange's servers differ a little, and a smaller step of our clock goes unseen. */
const SLACK_MS: DurationMs = 25;
/** A wall clock that moves by more than this against the monotonic clock was set, or the machine slept. */
const STEP_MS: DurationMs = 50;

/**
 * All intervals bound the exchange's time − our monotonic time, in ms, at monotonic zero: so they stay valid when the
 * wall clock is set, and all widen at one rate.
 */
export interface ServerClock {
  /**
   * Bounds from the newest `Date` headers, oldest first; after our own clock moved, the earlier estimate comes first.
   */
  readonly dates: readonly Interval[];
  /** Bounds from the newest accepted signed request; `null` before the first and after it was disproved. */
  readonly taken: Interval | null;
  /** Monotonic time of the first refusal since the last accepted request: a second one disproves `taken`. */
  readonly doubtedAt: DurationMs | null;
  /** Intervals that refused requests rule out while nothing is proved. */
  readonly refused: readonly Interval[];
  /** Wall time − monotonic time as last read. */
  readonly wallMinusMono: number | null;
  readonly outvotedAt: DurationMs | null;
}

/** Both of our clocks, read at one moment. */
interface ClockReading {
  readonly now: EpochMs;
  readonly mono: DurationMs;
}

export interface ClockObservation {
  readonly sentAt: EpochMs;
  readonly receivedAt: EpochMs;
  readonly mono: DurationMs;
  readonly venueDate?: EpochMs;
  /** Set for a signed request whose answer shows whether its timestamp lay within its window. */
  readonly stamp?: { readonly timestamp: EpochMs; readonly recvWindow: DurationMs; readonly verdict: StampVerdict };
}

export type StampVerdict = 'taken' | 'refused';

/**
 * `our-clock`: our wall clock moved against the monotonic one. `disproved`: requests by the estimate are refused,
 * candidates are tried. `confirmed`: a request was accepted after either of these, or at the start. `outvoted`: a
 * `Date` contradicts the proof.
 */
export type ClockNews = 'our-clock' | 'disproved' | 'confirmed' | 'outvoted';

export interface Observed {
  readonly state: ServerClock;
  readonly news: ClockNews | null;
}

export interface ClockEstimate {
  /** The exchange's time − our wall time. */
  readonly offsetMs: DurationMs;
  /** The true offset is within offset ± this. */
  readonly uncertaintyMs: DurationMs;
  /** `Date` headers that agree with it. */
  readonly samples: number;
  /** Whether signed requests are accepted by it. */
  readonly confirmed: boolean;
}

const DATE_RESOLUTION_MS = 1_000;
/**
 * Number of votes kept: enough to narrow the estimate to some 20 ms, and to outvote any run of wrong headers shorter
 * than half of them.
 */
const DATES_KEPT = 64;
const REFUSED_KEPT = 16;
/** Most different estimates that headers may give: more than a cache, a second server and the truth. */
const MOST_GROUPS = 4;
/** How far the machine's own clock is trusted as the last resort. */
const OWN_CLOCK_ERROR_MS = 2_500;
const OUTVOTED_AGAIN_MS = 60_000;

export const startServerClock = (): ServerClock => ({
  ...{ dates: [], refused: [], taken: null, doubtedAt: null, wallMinusMono: null, outvotedAt: null },
});

/**
 * Checks whether our wall clock moved against the monotonic one. Either it was set, and the estimate still holds; or
 * the machine and its monotonic clock slept, and the exchange's clock moved on with the wall clock. Both are candidates
 * until a request is accepted.
 */
export function observeOwnClock(clock: ServerClock, { now, mono }: ClockReading): Observed {
  const wallMinusMono = now - mono;
  const movedBy = clock.wallMinusMono === null ? 0 : wallMinusMono - clock.wallMinusMono;
  const known = { ...clock, wallMinusMono };
  if (Math.abs(movedBy) <= STEP_MS) return { state: known, news: null };
  const before = bestOf(clock, clock.wallMinusMono ?? 0, mono);
  const slept = before && movedBy > 0 ? [{ low: before.low + movedBy, high: before.high + movedBy }] : [];
  const dates = before === null ? [] : [before, ...slept];
  return { state: { ...known, dates, taken: null, doubtedAt: null, refused: [] }, news: 'our-clock' };
}

/** Takes in one answer. */
export function observe(clock: ServerClock, seen: ClockObservation): Observed {
  const moved = observeOwnClock(clock, { now: seen.receivedAt, mono: seen.mono });
  // Our clock was set in between: the departure time is unknown.
  if (moved.news !== null || seen.receivedAt < seen.sentAt) return moved;
  const { stamp, venueDate } = seen;
  const judged = stamp === undefined ? moved : judge(moved.state, seen, stamp);
  if (venueDate === undefined) return judged;
  const voted = vote(judged.state, intervalOf(seen, [venueDate, venueDate + DATE_RESOLUTION_MS]), seen);
  return { state: voted.state, news: judged.news ?? voted.news };
}

/** The most likely offset at a moment not before the last observation; `null` while there is no evidence. */
export function estimate(clock: ServerClock, { now, mono }: ClockReading): ClockEstimate | null {
  const best = bestOf(clock, now - mono, mono);
  if (best === null) return null;
  const { low, high } = widenedTo(best, mono);
  return {
    offsetMs: (low + high) / 2 - (now - mono),
    uncertaintyMs: (high - low) / 2,
    samples: clock.dates.filter((date) => meetsAt(date, best, mono)).length,
    confirmed: clock.taken !== null && clock.doubtedAt === null,
  };
}

function judge(clock: ServerClock, seen: ClockObservation, stamp: NonNullable<ClockObservation['stamp']>): Observed {
  const { timestamp, recvWindow, verdict } = stamp;
  if (verdict === 'taken') {
    const taken = intervalOf(seen, [timestamp - recvWindow, timestamp + recvWindow]);
    const dates = clock.dates.filter((date) => meetsAt(date, taken, seen.mono));
    // Without headers, the middle of the newest proof alone would drift: each request is stamped by the one before.
    const both = dates.length === 0 && clock.taken !== null && meetsAt(clock.taken, taken, seen.mono);
    const proof = both && clock.taken !== null ? commonPart([clock.taken, taken]) : taken;
    return {
      state: { ...clock, dates, taken: proof, doubtedAt: null, refused: [] },
      news: clock.taken === null ? 'confirmed' : null,
    };
  }
  // At every moment of its way the exchange's clock was farther than the window from the timestamp.
  const sentMono = seen.mono - (seen.receivedAt - seen.sentAt);
  const ruledOut = { low: timestamp - recvWindow - sentMono, high: timestamp + recvWindow - seen.mono };
  return refuse(clock, ruledOut, { sentMono, mono: seen.mono });
}

/**
 * One refusal of a recent proof may come from a single server: the same estimate is tried once more, and after a second
 * refusal the next candidate. A refusal that does not contradict the present estimate (the request was late, or had an
 * older stamp) changes nothing.
 */
function refuse(
  clock: ServerClock,
  ruledOut: Interval,
  at: { readonly sentMono: DurationMs; readonly mono: DurationMs },
): Observed {
  const wallMinusMono = clock.wallMinusMono ?? 0;
  const best = bestOf(clock, wallMinusMono, at.mono);
  const same = { state: clock, news: null };
  if (best !== null && !holds(ruledOut, best)) return same;
  if (clock.taken !== null && clock.doubtedAt === null) return { state: { ...clock, doubtedAt: at.mono }, news: null };
  if (clock.taken !== null && at.sentMono < (clock.doubtedAt ?? 0)) return same;
  const refused = [...clock.refused, ruledOut].slice(-REFUSED_KEPT);
  const next = { ...clock, taken: null, doubtedAt: null, refused };
  // If every candidate was refused, all are tried again: a refusal holds only for its moment.
  const isEnd = candidatesOf(next, wallMinusMono, at.mono).every((each) => isRefused(next, each));
  return { state: isEnd ? { ...next, refused: [] } : next, news: clock.taken === null ? null : 'disproved' };
}

/** A header that contradicts the proof has no vote, no matter how often it comes. */
function vote(clock: ServerClock, date: Interval, { mono }: ClockObservation): Observed {
  const { taken, doubtedAt, outvotedAt } = clock;
  if (taken !== null && doubtedAt === null && !meetsAt(date, taken, mono)) {
    const isNews = outvotedAt === null || mono - outvotedAt > OUTVOTED_AGAIN_MS;
    return isNews ? { state: { ...clock, outvotedAt: mono }, news: 'outvoted' } : { state: clock, news: null };
  }
  return { state: { ...clock, dates: [...clock.dates, date].slice(-DATES_KEPT) }, news: null };
}

/** The most likely value of the exchange's clock − our monotonic clock, at monotonic zero like all intervals. */
function bestOf(clock: ServerClock, wallMinusMono: number, mono: DurationMs): Interval | null {
  const { taken, dates, refused } = clock;
  if (taken !== null) {
    const fitting = dates.filter((date) => meetsAt(date, taken, mono));
    const voted = agreedBy(fitting, mono);
    return voted === null ? taken : commonPart([voted, taken]);
  }
  if (dates.length === 0 && refused.length === 0) return null;
  const candidates = candidatesOf(clock, wallMinusMono, mono);
  return candidates.find((each) => !isRefused(clock, each)) ?? candidates[0] ?? null;
}

/**
 * Candidates in turn: the estimate of most headers, then those of fewer, then the machine's own clock. Every third time
 * the machine's own clock comes first, so that ever-changing wrong `Date` headers can't crowd it out.
 */
function candidatesOf(clock: ServerClock, wallMinusMono: number, mono: DurationMs): readonly Interval[] {
  const { dates, refused } = clock;
  const drift = driftUntil(mono);
  const own = {
    low: wallMinusMono - OWN_CLOCK_ERROR_MS + drift,
    high: wallMinusMono + OWN_CLOCK_ERROR_MS - drift,
  };
  const present = dates.map((date) => widenedTo(date, mono));
  const groups = agreementsOf(present, MOST_GROUPS).map((group) => narrowed(boundOf(group, present), drift));
  return refused.length % 3 === 2 ? [own, ...groups] : [...groups, own];
}

/**
 * The interval that the votes allow: their common part, or, if some are outvoted, what more than half allow, which is
 * wider.
 */
function agreedBy(dates: readonly Interval[], mono: DurationMs): Interval | null {
  const drift = driftUntil(mono);
  const common = widenedTo(commonPart(dates), mono);
  if (dates.length > 0 && common.low <= common.high) return narrowed(common, drift);
  const present = dates.map((date) => widenedTo(date, mono));
  const group = largestAgreement(present);
  return group && narrowed(boundOf(group, present), drift);
}

function boundOf({ members, common }: Agreement, all: readonly Interval[]): Interval {
  if (members.length === all.length) return common;
  const most = 2 * members.length > all.length ? heldByMost(all) : null;
  return most ?? common;
}

const isRefused = ({ refused }: ServerClock, each: Interval): boolean => refused.some((region) => holds(region, each));
/** Whether requests stamped by its middle fall into the region. */
const holds = (region: Interval, each: Interval): boolean =>
  region.low < middleOf(each) && middleOf(each) < region.high;

const driftUntil = (mono: DurationMs): number => (mono * DRIFT_PPM) / 1e6;
const narrowed = ({ low, high }: Interval, by: number): Interval => ({ low: low + by, high: high - by });
const widenedTo = (each: Interval, mono: DurationMs): Interval => narrowed(each, -driftUntil(mono));

/** Whether both meet once widened. Makes no copies: it runs for each answer and vote. */
function meetsAt(a: Interval, b: Interval, mono: DurationMs): boolean {
  const drift = driftUntil(mono);
  return a.low - drift <= b.high + drift && b.low - drift <= a.high + drift;
}

/** The exchange's clock showed a time in this range at some moment between sending and receiving. */
function intervalOf({ sentAt, receivedAt, mono }: ClockObservation, [from, to]: readonly [EpochMs, EpochMs]): Interval {
  const sentMono = mono - (receivedAt - sentAt);
  return narrowed({ low: from - mono - SLACK_MS, high: to - sentMono + SLACK_MS }, driftUntil(mono));
}

// Given many intervals, each claimed to contain one true number and some of them false, finds the range that most allow
// (Marzullo 1984).
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The largest set of intervals that have a point in common, and their common part. */
interface Agreement {
  readonly members: readonly Interval[];
  readonly common: Interval;
}

const middleOf = ({ low, high }: Interval): number => (low + high) / 2;

/** Of two sets of the same size, the one whose first member comes first. `null` for an empty list. */
export function largestAgreement(intervals: readonly Interval[]): Agreement | null {
  let members: readonly Interval[] = [];
  // A point contained in most intervals is the low end of one of them.
  for (const { low } of intervals) {
    // Counts before listing: this runs for every answer, and nearly all lists would be discarded.
    let holding = 0;
    for (const each of intervals) if (each.low <= low && low <= each.high) holding += 1;
    if (holding > members.length) members = intervals.filter((each) => each.low <= low && low <= each.high);
    if (members.length === intervals.length) break;
  }
  return members.length === 0 ? null : { members, common: commonPart(members) };
}

/** From the lowest to the highest number that more than half of the intervals hold; `null` if there is none. */
export function heldByMost(intervals: readonly Interval[]): Interval | null {
  const isHeld = (point: number): boolean =>
    2 * intervals.filter(({ low, high }) => low <= point && point <= high).length > intervals.length;
  const lows = intervals.map(({ low }) => low).filter(isHeld);
  const highs = intervals.map(({ high }) => high).filter(isHeld);
  return lows.length === 0 ? null : { low: Math.min(...lows), high: Math.max(...highs) };
}

/** The largest agreement, then the largest among the rest, and so on, at most `most` of them. */
export function agreementsOf(intervals: readonly Interval[], most: number): readonly Agreement[] {
  const found: Agreement[] = [];
  let left = intervals;
  while (left.length > 0 && found.length < most) {
    const next = largestAgreement(left);
    if (next === null) break;
    found.push(next);
    left = left.filter((each) => !next.members.includes(each));
  }
  return found;
}

/** The common part of all intervals; `low` > `high` where two have nothing in common. */
function commonPart(intervals: readonly Interval[]): Interval {
  let [low, high] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (const each of intervals) {
    low = Math.max(low, each.low);
    high = Math.min(high, each.high);
  }
  return { low, high };
}
