// Which share of the configured rate is in use, learned from refusals: pure. Times are monotonic.
import { type DurationMs, MINUTE, SECOND } from '../../domain/time.ts';

/**
 * A refusal that nothing but refusals follow says that the exchange takes no requests for a while, whatever the pace:
 * afterwards the rate that was proven before is right again. Where that returns it is a limit that is counted over a
 * longer time, and it is one as well where an answer follows at once: that share is not tried again for a while, and
 * then with half of the way to it first. What was lowered and is refused much later than such a limit would refuse it
 * was refused for another reason: to go lower would not help.
 */
export interface LearnedRate {
  /** In use, from `SLOWEST` to 1. */
  readonly share: number;
  /** The highest that was in use for a while without a refusal; 1 at first: what is configured is believed. */
  readonly proven: number;
  /** What was proven when the last climb began, and when its last step was. */
  readonly firm: number;
  readonly climbedAt: DurationMs;
  /** Refused last, then, and not tried again before `probeAt`; null where none is known. */
  readonly failed: number | null;
  readonly failedAt: DurationMs;
  readonly probeAt: DurationMs;
  readonly probeAfterMs: DurationMs;
  /** For how long a share must be taken until it is proven. */
  readonly proofMs: DurationMs;
  /** Refusals since the last good answer, when the first of them came, and the share that it refused. */
  readonly refusals: number;
  readonly refusedAt: DurationMs;
  readonly tried: number;
  /** Whether that had been lowered before, and was in use for so long since then that it can't be too much. */
  readonly held: boolean;
  /** When several refusals in a row ended last. */
  readonly stormAt: DurationMs;
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
/** A proof that was too short takes so many times as long after that: the exchange counts over a longer time. */
const PROOF_LONGER = 4;
const PROOF_LONGEST_MS: DurationMs = 80 * SECOND;
/**
 * What is refused so soon after a climb refutes its proofs, and refusals in a row that return so soon are a limit. What
 * was taken for so long was not too much. Longer than a window of a minute and than the longest proof.
 */
const TRIAL_MS: DurationMs = 90 * SECOND;
/** On the way back to what is proven each step waits for an answer, and for so long. */
const STEP_MS: DurationMs = SECOND;
/** Each step is half of the way; the first one of a climb is less where one failed before: it will fail again. */
const HALF = 1 / 2;
const REPEATED = 1 / 4;
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
  firm: 1,
  climbedAt: Number.NEGATIVE_INFINITY,
  failed: null,
  failedAt: Number.NEGATIVE_INFINITY,
  probeAt: now,
  probeAfterMs: PROBE_AFTER_MS,
  proofMs: PROOF_MS,
  refusals: 0,
  refusedAt: Number.NEGATIVE_INFINITY,
  tried: 1,
  held: false,
  stormAt: Number.NEGATIVE_INFINITY,
  since: now,
  good: 0,
});

/** A request was refused for the rate. Those that had left before the last refusal was known do not count. */
export function refused(rate: LearnedRate, now: DurationMs): LearnedRate {
  const again = { ...rate, refusals: rate.refusals + 1, since: now, good: 0 };
  if (rate.refusals > 0) return again;
  const held = rate.share < 1 && rate.share === rate.proven && now - rate.since >= TRIAL_MS;
  const share = held ? rate.share : Math.max(SLOWEST, below(rate, now));
  return { ...again, refusedAt: now, tried: rate.share, held, share };
}

/** Where a refusal leads: to what is proven, to what held before a climb that was refused soon, or below half. */
function below({ share, proven, firm, climbedAt }: LearnedRate, now: DurationMs): number {
  if (share > proven) return proven;
  return now - climbedAt < TRIAL_MS && firm < share ? Math.max(firm, share * CUT) : share * CUT;
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
function judged(before: LearnedRate, refusals: number, now: DurationMs): LearnedRate {
  const rate = refusals > 1 ? { ...before, stormAt: now } : before;
  if (rate.held) return heldOut(rate, now);
  const isOverProven = rate.tried > rate.proven;
  const isClimb = isOverProven || (rate.refusedAt - rate.climbedAt < TRIAL_MS && rate.firm < rate.tried);
  if (isClimb) return climbFailed(rate, isOverProven ? rate.proofMs : PROOF_LONGER * rate.proofMs, now);
  if (refusals > 1 && now - before.stormAt >= TRIAL_MS) return stepTo(rate, rate.proven, now);
  const isStorm = now - rate.failedAt < STORM_MS;
  const failed = isStorm ? Math.max(rate.failed ?? 0, rate.tried) : rate.tried;
  const probeAfterMs = isStorm ? STORM_MS : PROBE_AFTER_MS;
  return { ...rate, proven: rate.share, failed, failedAt: now, probeAfterMs, probeAt: now + probeAfterMs };
}

/**
 * No limit is behind this one, so none need be behind those that made climbs late. Soon more is tried, unless that is
 * wrong and the next one follows.
 */
function heldOut(rate: LearnedRate, now: DurationMs): LearnedRate {
  return { ...rate, held: false, probeAfterMs: PROBE_AFTER_MS, probeAt: now + PROOF_MS, proofMs: PROOF_MS };
}

/** Back at what was proven before, or firm: that is on trial again. */
function climbFailed(rate: LearnedRate, proofMs: DurationMs, now: DurationMs): LearnedRate {
  const probeAfterMs = Math.min(PROBE_LATEST_MS, PROBE_LATER * rate.probeAfterMs);
  return {
    ...rate,
    proven: rate.share,
    climbedAt: now,
    failed: rate.tried,
    failedAt: now,
    probeAfterMs,
    probeAt: now + probeAfterMs,
    proofMs: Math.min(PROOF_LONGEST_MS, proofMs),
  };
}

/** The exchange says that it allows more than before: what failed is tried at once. */
export const relieved = (rate: LearnedRate, now: DurationMs): LearnedRate => ({
  ...rate,
  failed: null,
  probeAt: now,
  proofMs: PROOF_MS,
});

/** At or above what is proven: it becomes proven, and after a while more is tried. */
function climbed(rate: LearnedRate, now: DurationMs): LearnedRate {
  const isProven = rate.share === rate.proven || (now - rate.since >= rate.proofMs && rate.good >= PROOF_ANSWERS);
  if (!isProven || now < rate.probeAt) return rate;
  if (rate.share === 1) return whole(rate, now);
  const proven = rate.share;
  const isFirst = rate.share === rate.proven;
  const firm = isFirst ? proven : rate.firm;
  const failed = rate.failed === null || proven >= BELOW_FAILED * rate.failed ? null : rate.failed;
  const isRepeated = isFirst && rate.probeAfterMs > PROBE_AFTER_MS;
  return stepTo({ ...rate, proven, firm, climbedAt: now, failed }, failed ?? 1, now, isRepeated ? REPEATED : HALF);
}

/** What refusals taught is forgotten when none came for long enough. */
function whole(rate: LearnedRate, now: DurationMs): LearnedRate {
  const proven = { ...rate, proven: 1, failed: null };
  return now - rate.climbedAt < TRIAL_MS ? proven : { ...proven, probeAfterMs: PROBE_AFTER_MS, proofMs: PROOF_MS };
}

/** A part of the way, or there where it is near. */
function stepTo(rate: LearnedRate, target: number, now: DurationMs, part = HALF): LearnedRate {
  const share = rate.share + part * (target - rate.share);
  return { ...rate, share: share >= NEAR * target ? target : share, since: now, good: 0 };
}
