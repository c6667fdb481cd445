// Which share of the configured rate is in use, learned from refusals: pure. Times are monotonic.
import { type DurationMs, MINUTE, SECOND } from '../../domain/time.ts';

/**
 * Refusals in a row are one episode and one piece of evidence. A cycle lasts from the end of one episode to the end of
 * the next. The yield of a share is the share times the part of its cycles in which requests were taken. Under a limit,
 * a lower share yields as much as a higher one. In storms, which refuse whatever the pace is, it yields less.
 */
export interface LearnedRate {
  /** In use, from `SLOWEST` to 1. */
  readonly share: number;
  /** The share before the last raise; equal to `share` where none is on trial. */
  readonly firm: number;
  /** The share to try next, when, and how long the try after that waits. */
  readonly next: number;
  readonly tryAt: DurationMs;
  readonly tryAfterMs: DurationMs;
  /** The highest yield measured lately; null where none was. */
  readonly best: Yield | null;
  /** A lower share was tried and yielded less: refusals do not depend on the pace. */
  readonly stormy: boolean;
  /** Refusals since the last good answer, and when the first of them came. */
  readonly refusals: number;
  readonly refusedAt: DurationMs;
  /** When the last episode ended; null where the share was raised since then. */
  readonly cycleFrom: DurationMs | null;
  /** How long headers held the lane since then, and the cycle before at this share. */
  readonly heldMs: DurationMs;
  readonly cycle: Cycle | null;
  /** When the share changed. */
  readonly changedAt: DurationMs;
  /** Requests that left before this tell nothing: the last refusal, or the end of the last episode. */
  readonly since: DurationMs;
}

interface Yield {
  readonly share: number;
  /** What was taken, as a share of the configured rate. */
  readonly taken: number;
  readonly at: DurationMs;
}

/** How long requests were taken, and how long the lane was refused or held by headers. */
interface Cycle {
  readonly takenMs: DurationMs;
  readonly lostMs: DurationMs;
}

/** One change never leaves less than a little below half, so a limit that was halved is met by one change. */
const CUT = 0.48;
const SLOWEST = 1 / 16;
/** Where a share in storms yields less than this part of what it did, something else changed: it is tested anew. */
const LOWERED = 0.75;
/** A raised share is on trial for longer than a window of a minute. */
const TRIAL_MS: DurationMs = 90 * SECOND;
/** A share from this part of what failed on is near enough: a try between them is not worth its refusals. */
const NEAR = 0.7;
/**
 * The first try comes a minute after the share was lowered, each later one after four times as long. A storm that
 * lowers the share several times in a row puts no try off.
 */
const TRY_LATER = 4;
const TRY_FIRST_MS: DurationMs = MINUTE;
/** The longest time between two tries, and for which a yield counts. */
const TRY_LATEST_MS: DurationMs = 8 * MINUTE;

export const startRate = (now: DurationMs): LearnedRate => ({
  ...{ share: 1, firm: 1, next: 1, tryAt: now, tryAfterMs: TRY_FIRST_MS },
  ...{ best: null, stormy: false, refusals: 0, refusedAt: now, cycleFrom: null, heldMs: 0, cycle: null },
  ...{ changedAt: now, since: now },
});

/** A request was refused for the rate. Those that had left before the last refusal was known do not count. */
export function refused(rate: LearnedRate, now: DurationMs): LearnedRate {
  const refusedAt = rate.refusals > 0 ? rate.refusedAt : now;
  return { ...rate, refusals: rate.refusals + 1, refusedAt, since: now };
}

/** A request that left at `leftAt` was taken, or refused for what it asked; headers hold the lane for `heldMs` more. */
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
  const { share, firm, refusedAt, cycleFrom, changedAt } = before;
  const rate = { ...before, refusals: 0, cycleFrom: now, heldMs: 0, since: now };
  if (cycleFrom === null) {
    // The first episode at a share tells nothing of how often more follow, but it fails a trial.
    const fails = share > firm && !before.stormy && refusedAt - changedAt < TRIAL_MS;
    return fails ? lowered(rate, firm, now) : rate;
  }
  const takenMs = Math.max(0, refusedAt - cycleFrom - before.heldMs);
  const cycle = { takenMs, lostMs: now - cycleFrom - takenMs };
  // Cycles differ by chance: two in a row are judged together.
  return before.cycle === null ? { ...rate, cycle } : judged({ ...rate, cycle }, [before.cycle, cycle], now);
}

function judged(rate: LearnedRate, cycles: readonly Cycle[], now: DurationMs): LearnedRate {
  const { share } = rate;
  const takenMs = cycles.reduce((sum, each) => sum + each.takenMs, 0);
  const part = takenMs / cycles.reduce((sum, each) => sum + each.lostMs, takenMs);
  const here: Yield = { share, taken: share * part, at: now };
  const best = rate.best !== null && now - rate.best.at < TRY_LATEST_MS ? rate.best : here;
  const isBest = share === best.share;
  // Under a limit the two yields are equal, in storms they differ as the shares do: the geometric mean tells which.
  if (here.taken < Math.sqrt(share / best.share) * best.taken && !isBest)
    return { ...changed(rate, best.share, now), stormy: true };
  if (rate.stormy && best !== here && isBest && here.taken >= LOWERED * best.taken) return rate;
  // No lower share can tell a limit from storms.
  if (share === SLOWEST) return { ...rate, stormy: true, best: here };
  const lower = lowered(rate, Math.max(SLOWEST, share * Math.max(CUT, part)), now);
  return { ...lower, best: isBest || here.taken > best.taken ? here : best };
}

const changed = (rate: LearnedRate, share: number, now: DurationMs): LearnedRate => ({
  ...rate,
  ...{ share, firm: share, next: (share + 1) / 2, changedAt: now, cycle: null },
});

/** The next try goes half of the way to what was refused. */
function lowered(rate: LearnedRate, share: number, now: DurationMs): LearnedRate {
  const next = (share + (share < NEAR * rate.share ? rate.share : 1)) / 2;
  return { ...changed(rate, share, now), next, tryAt: now + rate.tryAfterMs, stormy: false };
}

/** The exchange says that it allows more than before: that is tried at once. */
export const relieved = (rate: LearnedRate, now: DurationMs): LearnedRate => ({ ...rate, next: 1, tryAt: now });

/** Tries more when it is time; a try that passed its trial is followed by the whole rate. */
function raised(rate: LearnedRate, now: DurationMs): LearnedRate {
  const { share, firm } = rate;
  const isOnTrial = share > firm && now - rate.changedAt < TRIAL_MS;
  if (isOnTrial || now < rate.tryAt) return rate;
  if (share === 1) return firm === 1 ? rate : { ...rate, firm: 1, tryAfterMs: TRY_FIRST_MS };
  const isFurther = share > firm;
  const tryAfterMs = isFurther ? rate.tryAfterMs : Math.min(TRY_LATEST_MS, TRY_LATER * rate.tryAfterMs);
  return { ...changed(rate, isFurther ? 1 : rate.next, now), firm: share, cycleFrom: null, tryAfterMs };
}
