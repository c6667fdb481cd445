// An order is gone from the exchange once two whole lists lack it (decision 0014): the rule of the trader's proofs, of
// its stop, and of the sweep by watchdog and `cancel-all`. All moments are those at which a list left, by one clock.

/** What whole lists have said so far of what they lack. */
export interface Lacked {
  /** When the first list left that counts; null before, and again once a list shows it. */
  readonly firstAt: number | null;
  /** When the list left that completes the proof; null before. */
  readonly againAt: number | null;
}

/** Nothing is proved: no list counts yet, or the last one shows it. */
export const SHOWN: Lacked = { firstAt: null, againAt: null };

export interface LackedRule {
  /** Lists that left earlier say nothing. */
  readonly countsFrom: number;
  /** How far apart the two lists leave: a hole in a list lasts no longer. With 0 the first is the second as well. */
  readonly apartMs: number;
}

/** From when on a list completes the proof; null while no first one counts. */
export function lackedAgainFrom({ firstAt }: Lacked, { countsFrom, apartMs }: LackedRule): number | null {
  return firstAt === null || firstAt < countsFrom ? null : firstAt + apartMs;
}

/** Another whole list lacks it, which left at `sentAt`. What counted by an earlier rule alone counts no more. */
export function lackedAlso(before: Lacked, sentAt: number, rule: LackedRule): Lacked {
  const counts = (at: number | null): number | null => (at !== null && at >= rule.countsFrom ? at : null);
  const firstAt = counts(before.firstAt) ?? counts(sentAt);
  const from = lackedAgainFrom({ ...before, firstAt }, rule);
  return { firstAt, againAt: counts(before.againAt) ?? (from !== null && sentAt >= from ? sentAt : null) };
}
