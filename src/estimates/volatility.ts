// How much the mid price moves, from books read at irregular times.
import { type DurationMs, type EpochMs, SECOND } from '../domain/time.ts';
import { type Estimate, estimateOf, keptAfter, type VolatilitySettings } from './estimate.ts';

/** The mid price of a book. */
export interface MidSeen {
  /** When the book was requested, by our clock. */
  readonly at: EpochMs;
  /** In quote per base, above zero. */
  readonly price: number;
  /** The price step, in basis points of the mid price. */
  readonly tickBps: number;
}

interface Move {
  /** Absolute change of the logarithm, in basis points. */
  readonly sizeBps: number;
  readonly seconds: number;
}

/** Sums over steps of at least this length; older ones count less. */
interface Scale {
  readonly stepMs: DurationMs;
  /** The start of the step in progress. */
  readonly start: MidSeen;
  /** The step before it; null if none ended there. */
  readonly last: Move | null;
  /** Weights of the steps. */
  readonly steps: number;
  /** Σ r², in bps². */
  readonly squares: number;
  readonly seconds: number;
  /** Σ |r|·|r of the previous step|, in bps². */
  readonly products: number;
  /** Σ √(Δt·Δt of the previous step). */
  readonly productSeconds: number;
}

export interface MidMoves {
  /** From the shortest step to the longest; empty before the first mid price. */
  readonly scales: readonly Scale[];
  readonly lastSeen: MidSeen | null;
}

export const NO_MID_MOVES: MidMoves = { scales: [], lastSeen: null };

/** Steps are tried at 1, 2, 4, … times the shortest one. */
const SCALES = 6;
/** A price moves by whole ticks: if it moves less than this per step, the measurement is mostly rounding. */
const FEWEST_TICKS = 1.5;

/** Late books are skipped. */
export function withMid(moves: MidMoves, seen: MidSeen, settings: VolatilitySettings): MidMoves {
  const { scales, lastSeen } = moves;
  if (lastSeen !== null && seen.at <= lastSeen.at) return moves;
  if (lastSeen === null) {
    const lengths = Array.from({ length: SCALES }, (_, index) => settings.minStepMs * 2 ** index);
    return { scales: lengths.map((stepMs) => begun(stepMs, seen)), lastSeen: seen };
  }
  return { scales: scales.map((scale) => stepped(scale, seen, settings)), lastSeen: seen };
}

const begun = (stepMs: DurationMs, start: MidSeen): Scale => ({
  ...{ stepMs, start, last: null },
  ...{ steps: 0, squares: 0, seconds: 0, products: 0, productSeconds: 0 },
});

function stepped(scale: Scale, seen: MidSeen, { halfLifeMs, minSteps, longestStepMs }: VolatilitySettings): Scale {
  const elapsedMs = seen.at - scale.start.at;
  if (elapsedMs < scale.stepMs) return scale;
  if (elapsedMs > Math.max(longestStepMs, scale.stepMs)) return { ...scale, start: seen, last: null };
  const move: Move = {
    sizeBps: Math.abs(Math.log(seen.price / scale.start.price)) * 10_000,
    seconds: elapsedMs / SECOND,
  };
  // Slow books would never make enough steps if each were half forgotten before the next.
  const kept = Math.max(keptAfter(elapsedMs, halfLifeMs), keptAfter(1, minSteps));
  const { last } = scale;
  return {
    stepMs: scale.stepMs,
    start: seen,
    last: move,
    steps: scale.steps * kept + 1,
    squares: scale.squares * kept + move.sizeBps ** 2,
    seconds: scale.seconds * kept + move.seconds,
    products: scale.products * kept + (last === null ? 0 : move.sizeBps * last.sizeBps),
    productSeconds: scale.productSeconds * kept + (last === null ? 0 : Math.sqrt(move.seconds * last.seconds)),
  };
}

/** Variance per second: Σ r² / Σ Δt. In bps². */
const realizedVariance = ({ squares, seconds }: Scale): number => (seconds > 0 ? squares / seconds : 0);

/**
 * Variance per second without jumps: (π/2) · Σ |r_i||r_{i−1}| / Σ √(Δt_i·Δt_{i−1}), as the mean of |r| of a normal step
 * is √(2/π)·σ√Δt. Barndorff-Nielsen & Shephard (2004), Journal of Financial Econometrics 2(1), for equal steps.
 */
const bipowerVariance = ({ products, productSeconds }: Scale): number =>
  productSeconds > 0 ? ((Math.PI / 2) * products) / productSeconds : Number.POSITIVE_INFINITY;

/**
 * One standard deviation of the mid price, in basis points per √second: the smaller of realized and bipower, at the
 * shortest step in which the price moves 1.5 ticks at least (one standard deviation). If it moves less at every step,
 * the result is the realized one at the longest step, an upper bound. A price that never moved has 0.
 */
export function volatilityAt(
  { scales, lastSeen }: MidMoves,
  now: EpochMs,
  { minSteps, oldestMs }: VolatilitySettings,
): Estimate {
  const enough = scales.filter(({ steps }) => steps >= minSteps);
  const tickBps = lastSeen?.tickBps ?? 0;
  const fine = enough.find((scale) => ticksPerStep(scale, tickBps) >= FEWEST_TICKS);
  const longest = scales.at(-1);
  const used = fine ?? (enough.some((scale) => scale === longest) ? longest : scales[0]);
  const basis = { samples: used?.steps ?? 0, lastAt: lastSeen?.at ?? null, now, oldestMs };
  return estimateOf(basis, () => {
    if (used === undefined || used.steps < minSteps)
      return { why: `${Math.floor(used?.steps ?? 0)} steps of the price were seen; ${minSteps} are needed.` };
    if (fine !== undefined) return { value: Math.sqrt(smallerVariance(fine)) };
    if (used === longest || used.squares === 0) return { value: Math.sqrt(realizedVariance(used)) };
    const step = `a step of ${(used.stepMs * 2 ** (enough.length - 1)) / SECOND} s`;
    return { why: `The price moves less than ${FEWEST_TICKS} ticks in ${step}, and longer ones were seen too few.` };
  });
}

const smallerVariance = (scale: Scale): number => Math.min(realizedVariance(scale), bipowerVariance(scale));

/** One standard deviation of a step of the mean length, in ticks. */
function ticksPerStep(scale: Scale, tickBps: number): number {
  const sizeBps = Math.sqrt((smallerVariance(scale) * scale.seconds) / scale.steps);
  return tickBps > 0 ? sizeBps / tickBps : Number.POSITIVE_INFINITY;
}
