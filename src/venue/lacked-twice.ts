// An order is gone from the exchange once two whole lists lack it (decision 0014): the rule of the trader's proofs, of
// its stop, and of the sweep by watchdog and `cancel-all`. All times are departures of lists, by one clock.

/** Evidence of complete lists that an order is absent. */
export interface Lacked {
  /** When the first list that counts left; null before, and again once a list shows the order. */
  readonly firstAt: number | null;
  /** When the list that completes the proof left; null before. */
  readonly againAt: number | null;
}

/** No evidence: no list counts yet, or the last one shows the order. */
export const SHOWN: Lacked = { firstAt: null, againAt: null };

export interface LackedRule {
  /** Lists that left earlier don't count. */
  readonly countsFrom: number;
  /**
   * Least time between the two lists' departures: a gap in a list is never longer. With 0 the first is the second as
   * well.
   */
  readonly apartMs: number;
}

/** When a list may complete the proof; null while no first one counts. */
export function lackedAgainFrom({ firstAt }: Lacked, { countsFrom, apartMs }: LackedRule): number | null {
  return firstAt === null || firstAt < countsFrom ? null : firstAt + apartMs;
}

/**
 * Counts another complete list without the order, which left at `sentAt`. Lists that counted only by an earlier rule no
 * longer count.
 */
export function lackedAlso(before: Lacked, sentAt: number, rule: LackedRule): Lacked {
  const counts = (at: number | null): number | null => (at !== null && at >= rule.countsFrom ? at : null);
  const firstAt = counts(before.firstAt) ?? counts(sentAt);
  const from = lackedAgainFrom({ ...before, firstAt }, rule);
  return { firstAt, againAt: counts(before.againAt) ?? (from !== null && sentAt >= from ? sentAt : null) };
}
