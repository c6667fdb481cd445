// Which share of the configured rate is in use, learned from refusals: pure. Times are monotonic.
import { type DurationMs, MINUTE, SECOND } from '../../domain/time.ts';

/**
 * A refusal that nothing but refusals follow says that the exchange takes no requests for a while, whatever the pace:
 * afterwards the rate that was proven before is right again. One that is followed by an answer says that the pace was
 * too fast: that share is not tried again for a while, and then with half of the way to it first.
 */
export interface LearnedRate {
  /** In use, from `SLOWEST` to 1. */
  readonly share: number;
  /** The highest that was in use for a while without a refusal; 1 at first: what is configured is believed. */
  readonly proven: number;
  /** Refused last, then, and not tried again before `probeAt`; null where none is known. */
  readonly failed: number | null;
  readonly failedAt: DurationMs;
  readonly probeAt: DurationMs;
  readonly probeAfterMs: DurationMs;
  /** Refusals since the last good answer, and the share that the first of them refused. */
  readonly refusals: number;
  readonly tried: number;
  /** When the share last changed, and the good answers to what left since then. */
  readonly since: DurationMs;
  readonly good: number;
}

/** A refusal leaves a little less than half: a limit that was halved is kept, however it counts. */
const CUT = 0.48;
const SLOWEST = 1 / 16;
/** A share is proven when so many requests were taken in so long a time. */
const PROOF_MS: DurationMs = 5 * SECOND;
const PROOF_ANSWERS = 3;
/** On the way back to what is proven each step waits for an answer, and for so long. */
const STEP_MS: DurationMs = SECOND;
/** Nearer than this is there. */
const NEAR = 0.95;
/** Between this share of what failed and that, nothing is tried: it would be slow, and not worth a refusal. */
const BELOW_FAILED = 0.7;
/** What failed is tried again after a minute; each time that it fails again, after four times as long. */
const PROBE_AFTER_MS: DurationMs = MINUTE;
const PROBE_LATER = 4;
const PROBE_LATEST_MS: DurationMs = 8 * MINUTE;
/** One share after the other refused within so short a time is no limit: it is over soon. */
const STORM_MS: DurationMs = 10 * SECOND;

export const startRate = (now: DurationMs): LearnedRate => ({
  share: 1,
  proven: 1,
  failed: null,
  failedAt: Number.NEGATIVE_INFINITY,
  probeAt: now,
  probeAfterMs: PROBE_AFTER_MS,
  refusals: 0,
  tried: 1,
  since: now,
  good: 0,
});

/** A request was refused for the rate. Those that had left before the last refusal was known do not count. */
export function refused(rate: LearnedRate, now: DurationMs): LearnedRate {
  const again = { ...rate, refusals: rate.refusals + 1, since: now, good: 0 };
  if (rate.refusals > 0) return again;
  const share = Math.max(SLOWEST, rate.share > rate.proven ? rate.proven : rate.share * CUT);
  return { ...again, tried: rate.share, share };
}

/** A request that left at `leftAt` was taken, or refused for what it asked. */
export function taken(rate: LearnedRate, leftAt: DurationMs, now: DurationMs): LearnedRate {
  if (leftAt < rate.since) return rate;
  if (rate.refusals > 0) return judged({ ...rate, refusals: 0, since: now, good: 0 }, rate.refusals, now);
  const counted = { ...rate, good: rate.good + 1 };
  if (rate.share < rate.proven) return now - rate.since < STEP_MS ? counted : stepTo(counted, rate.proven, now);
  return climbed(counted, now);
}

/** What the refusals meant that are over. */
function judged(rate: LearnedRate, refusals: number, now: DurationMs): LearnedRate {
  if (refusals > 1) return stepTo(rate, rate.proven, now);
  const failing = { ...rate, failedAt: now };
  if (rate.tried > rate.proven) {
    const probeAfterMs = Math.min(PROBE_LATEST_MS, PROBE_LATER * rate.probeAfterMs);
    return { ...failing, failed: rate.tried, probeAfterMs, probeAt: now + probeAfterMs };
  }
  const isStorm = now - rate.failedAt < STORM_MS;
  const failed = isStorm ? Math.max(rate.failed ?? 0, rate.tried) : rate.tried;
  const probeAfterMs = isStorm ? STORM_MS : PROBE_AFTER_MS;
  return { ...failing, proven: rate.share, failed, probeAfterMs, probeAt: now + probeAfterMs };
}

/** The exchange says that it allows more than before: what failed is tried at once. */
export const relieved = (rate: LearnedRate, now: DurationMs): LearnedRate => ({ ...rate, failed: null, probeAt: now });

/** At or above what is proven: it becomes proven, and after a while more is tried. */
function climbed(rate: LearnedRate, now: DurationMs): LearnedRate {
  const isProven = rate.share === rate.proven || (now - rate.since >= PROOF_MS && rate.good >= PROOF_ANSWERS);
  if (!isProven || now < rate.probeAt) return rate;
  if (rate.share === 1) return { ...rate, proven: 1, failed: null, probeAfterMs: PROBE_AFTER_MS };
  const proven = rate.share;
  const failed = rate.failed === null || proven >= BELOW_FAILED * rate.failed ? null : rate.failed;
  return stepTo({ ...rate, proven, failed }, failed ?? 1, now);
}

/** Half of the way, or there where it is near. */
function stepTo(rate: LearnedRate, target: number, now: DurationMs): LearnedRate {
  const half = rate.share + (target - rate.share) / 2;
  return { ...rate, share: half >= NEAR * target ? target : half, since: now, good: 0 };
}
