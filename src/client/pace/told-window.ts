// The exchange's window, as far as its headers tell: pure. A reset is told in whole seconds, so how long the window
// lasts is known between two bounds only, and better with each answer.
import type { DurationMs } from '../../domain/time.ts';
import type { AnswerFacts } from '../../venue/outcomes.ts';

/** Times are monotonic. */
export interface ToldWindow {
  readonly limit: number;
  /** The window lasts at least so long, and at most. */
  readonly leastMs: DurationMs;
  readonly mostMs: DurationMs;
  /** When the first request left in the window that was told last: ours, or one that others made at our pace. */
  readonly firstLeftAt: DurationMs;
  /** When that ends at the earliest, and at the latest. */
  readonly endsFrom: DurationMs;
  readonly endsAt: DurationMs;
}

/** When a request left and its answer arrived, by the monotonic clock, and what the lane holds for its pace. */
export interface Trip {
  readonly leftAt: DurationMs;
  readonly arrivedAt: DurationMs;
  readonly intervalMs: DurationMs;
}

/** What an answer adds; nothing where it tells no limit or no reset. */
export function heard(
  before: ToldWindow | null,
  { rateLimit, receivedAt }: AnswerFacts,
  trip: Trip,
): ToldWindow | null {
  if (rateLimit?.limit === undefined || rateLimit.limit < 1 || rateLimit.resetAt === undefined) return before;
  const { limit, remaining = 0, resetAt, resetFrom = resetAt } = rateLimit;
  const endsAt = trip.arrivedAt + Math.max(0, resetAt - receivedAt);
  const endsFrom = trip.arrivedAt + Math.max(0, resetFrom - receivedAt);
  const earlier = Math.max(0, limit - 1 - remaining);
  const isNew = earlier === 0 || before?.limit !== limit || trip.leftAt >= before.endsAt;
  const firstLeftAt = isNew ? trip.leftAt - earlier * trip.intervalMs : before.firstLeftAt;
  const least = endsFrom - trip.arrivedAt;
  const most = endsAt - firstLeftAt;
  // A bound that the other one contradicts is from another time: the window has changed.
  const known = before?.limit === limit && before.leastMs <= most && least <= before.mostMs ? before : null;
  const leastMs = Math.max(known?.leastMs ?? 0, least);
  return { limit, leastMs, mostMs: Math.min(known?.mostMs ?? most, most), firstLeftAt, endsFrom, endsAt };
}

/**
 * When the next request may leave where nothing remains. The window lasts as long as the lane takes for what it allows,
 * at a pace that is configured or learned, unless that is proved to be too short: a reset that is rounded up to a whole
 * second would make one request in two seconds of one a second.
 */
export function reopensAt(window: ToldWindow, intervalMs: DurationMs): DurationMs {
  const { limit, leastMs, mostMs, firstLeftAt, endsFrom, endsAt } = window;
  const ownMs = limit * intervalMs;
  const lastsMs = ownMs < leastMs ? mostMs : Math.min(ownMs, mostMs);
  return Math.min(endsAt, Math.max(endsFrom, firstLeftAt + lastsMs));
}
