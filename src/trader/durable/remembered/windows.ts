// What limits count within a window: events with a moment, oldest first. Part of the fold of the journal; what is
// counted, and for how long, is data.
import { type DurationMs, type EpochMs, HOUR, MINUTE } from '../../../domain/time.ts';
import { LONGEST_PROTECTION_MS, MOST_COUNTED } from '../../../quoting/protection-settings.ts';
import { LONGEST_FILLS_WINDOW_MS, MOST_FILL_PARTS } from '../../../quoting/risk/risk-limits.ts';

export interface Counted {
  readonly at: EpochMs;
}

/** For how long events are remembered, and at most how many. */
interface Memory {
  readonly forMs: DurationMs;
  readonly most: number;
}

const PROTECTION: Memory = { forMs: LONGEST_PROTECTION_MS, most: MOST_COUNTED };

/** What is counted. */
export const REMEMBERED = {
  /** Creates and cancels, over all symbols. */
  messages: { forMs: MINUTE, most: Number.POSITIVE_INFINITY },
  /** Fills of own orders, of one symbol. */
  fills: { forMs: LONGEST_FILLS_WINDOW_MS, most: MOST_FILL_PARTS },
  /** Orders that were refused and placed all the same, of one symbol. */
  breaches: { forMs: HOUR, most: Number.POSITIVE_INFINITY },
} as const satisfies Readonly<Record<string, Memory>>;

/** What protections count, of one symbol: each has the code of the lock that it sets, and the clock that it goes by. */
export const PROTECTED_CODES = ['losing-sales', 'refusals'] as const;
export type ProtectedCode = (typeof PROTECTED_CODES)[number];
export const PROTECTED: Readonly<Record<ProtectedCode, Memory & { readonly clock: 'ours' | 'exchange' }>> = {
  /** Own sales below what the base had cost. */
  'losing-sales': { ...PROTECTION, clock: 'exchange' },
  /** Creates that the exchange refused. */
  refusals: { ...PROTECTION, clock: 'ours' },
};

export type ProtectedCounts = Readonly<Record<ProtectedCode, readonly Counted[]>>;
export const NOTHING_COUNTED: ProtectedCounts = { 'losing-sales': [], refusals: [] };

/** With one more, in the order of time; what is too old for it leaves, and the oldest make room. */
export function withEvent<T extends Counted>(events: readonly T[], event: T, { forMs, most }: Memory): readonly T[] {
  const kept = events.filter(({ at }) => at >= event.at - forMs);
  return [...kept, event].sort((a, b) => a.at - b.at).slice(-most);
}

/** How many happened within a window that ends at `to`. */
export const countWithin = (events: readonly Counted[], to: EpochMs, windowMs: DurationMs): number =>
  events.filter(({ at }) => at > to - windowMs && at <= to).length;

/** Whether the newest so many happened within the window. */
export function hasSoMany(
  events: readonly Counted[],
  { count, withinMs }: { readonly count: number; readonly withinMs: DurationMs },
): boolean {
  const newest = events.at(-1);
  const first = events.at(-count);
  return newest !== undefined && first !== undefined && newest.at - first.at <= withinMs;
}
