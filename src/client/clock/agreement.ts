// Many intervals, each said to hold one true number, some of which lie: what do most of them leave possible (Marzullo
// 1984).
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The largest set of intervals that have a point in common, and their common part. */
export interface Agreement {
  readonly members: readonly Interval[];
  readonly common: Interval;
}

export const meets = (a: Interval, b: Interval): boolean => a.low <= b.high && b.low <= a.high;

export const middleOf = ({ low, high }: Interval): number => (low + high) / 2;

/** Of two sets of one size the one whose first member is older, by the order given. `null` where nothing is given. */
export function largestAgreement(intervals: readonly Interval[]): Agreement | null {
  let members: readonly Interval[] = [];
  // A point that most intervals hold is the low end of one of them.
  for (const { low } of intervals) {
    // Counted before they are listed: this runs for every answer, and nearly all of the lists would be thrown away.
    let holding = 0;
    for (const each of intervals) if (each.low <= low && low <= each.high) holding += 1;
    if (holding > members.length) members = intervals.filter((each) => each.low <= low && low <= each.high);
    if (members.length === intervals.length) break;
  }
  return members.length === 0 ? null : { members, common: commonPart(members) };
}

/**
 * From the least to the greatest number that more than half of the intervals hold; `null` where none is held by so
 * many.
 */
export function heldByMost(intervals: readonly Interval[]): Interval | null {
  const isHeld = (point: number): boolean =>
    2 * intervals.filter(({ low, high }) => low <= point && point <= high).length > intervals.length;
  const lows = intervals.map(({ low }) => low).filter(isHeld);
  const highs = intervals.map(({ high }) => high).filter(isHeld);
  return lows.length === 0 ? null : { low: Math.min(...lows), high: Math.max(...highs) };
}

/** Agreements among those that are left when the larger ones are taken away, at most `most` of them. */
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

/** What all of them hold: none of it where two have nothing in common. */
export const commonPart = (intervals: readonly Interval[]): Interval => ({
  low: Math.max(...intervals.map(({ low }) => low)),
  high: Math.min(...intervals.map(({ high }) => high)),
});
