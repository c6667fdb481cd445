// The share of the configured rate in use, learned from refusals: pure. Times are monotonic.
import { type DurationMs, MINUTE, SECOND } from '../../domain/time.ts';
import type { AnswerFacts } from '../../venue/outcomes.ts';

/**
 * Refusals in a row are one episode and one piece of evidence. A cycle lasts from the end of one episode to the end of
 * the next. The yield of a share is the share times the part of its cycles in which requests were taken. Under a limit,
 * a lower share yields as much as a higher one. In storms, which refuse at any pace, it yields less.
 */
export interface LearnedRate {
  /** From `SLOWEST` to 1. */
  readonly share: number;
  /** While a higher share is on trial: the previous share, its yield, and when the trial began. */
  readonly firm: Yield | null;
  /** The next share to try, when, and how long the try after that waits. */
  readonly next: number;
  readonly tryAt: DurationMs;
  readonly tryAfterMs: DurationMs;
  /** The highest yield measured recently; null without one. */
  readonly best: Yield | null;
  /** Refusals since the last good answer, and when the first of them came. */
  readonly refusals: number;
  readonly refusedAt: DurationMs;
  /** When the last episode ended, or the first answer of a trial came; null before that. */
  readonly cycleFrom: DurationMs | null;
  /** How long headers held the lane since then, and the cycle before at this share. */
  readonly heldMs: DurationMs;
  readonly cycle: Cycle | null;
  /** Requests that left before this are no evidence: the last refusal, or the end of the last episode. */
  readonly since: DurationMs;
}

interface Yield {
  readonly share: number;
  /** The accepted part, as a share of the configured rate. */
  readonly taken: number;
  readonly at: DurationMs;
}

/** How long requests were accepted, and how long the lane was refused or held by headers. */
interface Cycle {
  readonly takenMs: DurationMs;
  readonly lostMs: DurationMs;
}

/** One change leaves a little less than half, so one change is enough for a limit that was halved. */
const CUT = 0.48;
const SLOWEST = 1 / 16;
/** If a share yields less in storms than this part of its earlier yield, something else changed: it is tested again. */
const LOWERED = 0.75;
/** A raised share is on trial for this long, more than a window of a minute. */
const TRIAL_MS: DurationMs = 90 * SECOND;
/** A share at least this part of the failed one, or of the whole, is near enough: the next try goes further. */
const NEAR = 0.7;
/**
 * A share that yields less than this part of itself is being refused too, so a refused trial is no evidence of a limit.
 */
const STEADY = 0.99;
/** The first try comes a minute after the share was lowered; a failed try doubles the wait, a lowering halves it. */
const TRY_LATER = 2;
const TRY_FIRST_MS: DurationMs = MINUTE;
/** The longest time between two tries, and for how long a yield counts. */
const TRY_LATEST_MS: DurationMs = 8 * MINUTE;

export const startRate = (now: DurationMs): LearnedRate => ({
  ...{ share: 1, firm: null, next: 1, tryAt: now, tryAfterMs: TRY_FIRST_MS },
  ...{ best: null, refusals: 0, refusedAt: now, cycleFrom: null, heldMs: 0, cycle: null, since: now },
});

/** A request was refused for the rate. Do not count requests that left before the last refusal was known. */
export function refused(rate: LearnedRate, now: DurationMs): LearnedRate {
  const refusedAt = rate.refusals > 0 ? rate.refusedAt : now;
  return { ...rate, refusals: rate.refusals + 1, refusedAt, since: now };
}

/**
 * A request that left at `leftAt` was accepted, or refused for its content; headers hold the lane for `heldMs` more.
 */
export function taken(before: LearnedRate, { leftAt, now, heldMs = 0 }: Taken): LearnedRate {
  if (leftAt < before.since) return before;
  const rate = before.refusals > 0 ? episodeOver(before, now) : raised(before, now);
  return heldMs > 0 ? { ...rate, heldMs: rate.heldMs + heldMs } : rate;
}

interface Taken {
  readonly leftAt: DurationMs;
  readonly now: DurationMs;
  readonly heldMs?: DurationMs;
}

function episodeOver(before: LearnedRate, now: DurationMs): LearnedRate {
  const { refusedAt, cycleFrom, firm } = before;
  const over = { ...before, refusals: 0, cycleFrom: now, heldMs: 0, since: now };
  // The first episode is no evidence of how often more follow, but it counts in a trial.
  if (cycleFrom === null && firm === null) return over;
  const from = cycleFrom ?? refusedAt;
  const takenMs = Math.max(0, refusedAt - from - before.heldMs);
  const cycle = { takenMs, lostMs: now - from - takenMs };
  const cycles = before.cycle === null ? [cycle] : [before.cycle, cycle];
  const rate = { ...over, cycle };
  if (firm !== null) return tried(rate, firm, cycles, now);
  // Cycles differ by chance: two in a row are judged together.
  return cycles.length < 2 ? rate : judged(rate, cycles, now);
}

function yieldOf(share: number, cycles: readonly Cycle[], at: DurationMs): Yield {
  const takenMs = cycles.reduce((sum, each) => sum + each.takenMs, 0);
  const lostMs = cycles.reduce((sum, each) => sum + each.lostMs, 0);
  return { share, taken: (share * takenMs) / Math.max(1, takenMs + lostMs), at };
}

/** Under a limit two yields are equal, in storms they differ as the shares do: the geometric mean decides. */
const isLess = (here: Yield, other: Yield): boolean => here.taken < Math.sqrt(here.share / other.share) * other.taken;

/** A limit refuses nothing at the rate it allows: if the earlier share was refused too, two cycles judge the trial. */
function tried(rate: LearnedRate, firm: Yield, cycles: readonly Cycle[], now: DurationMs): LearnedRate {
  const here = yieldOf(rate.share, cycles, now);
  if (firm.taken < STEADY * firm.share && !isLess(here, firm)) return cycles.length < 2 ? rate : stepped(rate, here);
  const best = bestOf(rate, here);
  const next = firm.share < NEAR * rate.share ? (firm.share + rate.share) / 2 : nextAbove(firm.share);
  const tryAfterMs = Math.min(TRY_LATEST_MS, TRY_LATER * rate.tryAfterMs);
  return {
    ...changed(rate, firm.share),
    ...{ best: best.taken > here.taken ? best : here, next, tryAt: now + tryAfterMs, tryAfterMs },
  };
}

const bestOf = ({ best }: LearnedRate, here: Yield): Yield =>
  best !== null && here.at - best.at < TRY_LATEST_MS ? best : here;

function judged(rate: LearnedRate, cycles: readonly Cycle[], now: DurationMs): LearnedRate {
  const { share } = rate;
  const here = yieldOf(share, cycles, now);
  const best = bestOf(rate, here);
  const isBest = share === best.share;
  // Storms: a lower share yields less, or yielded less before this one was resumed.
  if (isBest ? best !== here && here.taken >= LOWERED * best.taken : isLess(here, best)) {
    const tryAt = now + TRY_FIRST_MS;
    const kept = isBest ? { ...rate, tryAt: Math.min(rate.tryAt, tryAt) } : { ...changed(rate, best.share), tryAt };
    return { ...kept, tryAfterMs: TRY_FIRST_MS };
  }
  // There is no lower share to tell a limit from storms.
  if (share === SLOWEST) return { ...rate, best: here };
  const tryAfterMs = Math.max(TRY_FIRST_MS, rate.tryAfterMs / TRY_LATER);
  return {
    ...changed(rate, Math.max(SLOWEST, CUT * share, here.taken)),
    ...{ best: isBest || here.taken > best.taken ? here : best, tryAt: now + tryAfterMs, tryAfterMs },
  };
}

/** Half of the way to the full rate, or all of it if that is near. */
const nextAbove = (share: number): number => (share < NEAR ? (share + 1) / 2 : 1);

const changed = (rate: LearnedRate, share: number): LearnedRate => ({
  ...rate,
  ...{ share, firm: null, next: nextAbove(share), cycle: null },
});

/** Tries a higher share when it is time. */
function raised(rate: LearnedRate, now: DurationMs): LearnedRate {
  const { share, firm, cycle, cycleFrom } = rate;
  if (cycleFrom === null) return firm === null ? rate : { ...rate, cycleFrom: now };
  if (firm === null ? share === 1 || now < rate.tryAt : now - firm.at < TRIAL_MS) return rate;
  const since = { takenMs: now - cycleFrom, lostMs: 0 };
  return stepped(rate, yieldOf(share, cycle === null ? [since] : [cycle, since], now));
}

/** After a passed trial comes the full rate. */
function stepped(rate: LearnedRate, firm: Yield): LearnedRate {
  if (rate.share === 1) return { ...rate, firm: null, cycle: null, tryAfterMs: TRY_FIRST_MS };
  return { ...changed(rate, rate.firm === null ? rate.next : 1), firm, cycleFrom: null, heldMs: 0 };
}

// The exchange's window, as far as its headers show it: pure. A reset is given in whole seconds, so the window's length
// is known only between two bounds, which narrow with each answer.

/** Times are monotonic. */
export interface ToldWindow {
  readonly limit: number;
  /** The window's least and greatest length. */
  readonly leastMs: DurationMs;
  readonly mostMs: DurationMs;
  /** When the first request left in the latest window: ours, or another client's at our pace. */
  readonly firstLeftAt: DurationMs;
  /** When it ends, at the earliest and at the latest. */
  readonly endsFrom: DurationMs;
  readonly endsAt: DurationMs;
}

/** When a request left and its answer arrived, by the monotonic clock, and the lane's pace then. */
export interface Trip {
  readonly leftAt: DurationMs;
  readonly arrivedAt: DurationMs;
  readonly intervalMs: DurationMs;
}

/** Adds an answer's evidence; unchanged where the answer states no limit or no reset. */
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
  // If the two bounds contradict each other, the older is outdated: the window has changed.
  const known = before?.limit === limit && before.leastMs <= most && least <= before.mostMs ? before : null;
  const leastMs = Math.max(known?.leastMs ?? 0, least);
  return { limit, leastMs, mostMs: Math.min(known?.mostMs ?? most, most), firstLeftAt, endsFrom, endsAt };
}

/**
 * When the next request may leave once nothing remains. The window is taken to last as long as the lane needs for its
 * limit at the configured or learned pace, unless that is proved too short: a reset rounded up to a whole second would
 * otherwise halve a rate of one per second.
 */
export function reopensAt(window: ToldWindow, intervalMs: DurationMs): DurationMs {
  const { limit, leastMs, mostMs, firstLeftAt, endsFrom, endsAt } = window;
  const ownMs = limit * intervalMs;
  const lastsMs = ownMs < leastMs ? mostMs : Math.min(ownMs, mostMs);
  return Math.min(endsAt, Math.max(endsFrom, firstLeftAt + lastsMs));
}
