// A number that was estimated, with what it stands on. One that is too thin or too old says so instead of a number.
import type { Side } from '../domain/order.ts';
import { type DurationMs, type EpochMs, SECOND } from '../domain/time.ts';

export type Estimate<T = number> = KnownEstimate<T> | UnknownEstimate;

export interface KnownEstimate<T = number> {
  readonly kind: 'known';
  readonly value: T;
  /** Observations that it was made of. What is forgotten in part counts in part. */
  readonly samples: number;
  /** Since the last look; one that showed nothing new is an observation too. */
  readonly ageMs: DurationMs;
}

export interface UnknownEstimate {
  readonly kind: 'unknown';
  readonly samples: number;
  /** Since the last look; null before the first. */
  readonly ageMs: DurationMs | null;
  /** One sentence: what is missing. */
  readonly why: string;
}

/** How takers arrive at a distance from the mid price: `perSecond`·e^(−`decayPerBps`·distance in bps). */
export interface Intensity {
  /** A: takers per second that would reach a quote at the mid price. */
  readonly perSecond: number;
  /** k: how fast they get fewer, per basis point of distance. */
  readonly decayPerBps: number;
}

/** Estimates of the symbol, from what was polled. */
export interface Estimates {
  /** One standard deviation of the mid price, in basis points per square root of a second. */
  readonly volatilityBpsPerSqrtSecond: Estimate;
  /** Public trades per second, both sides. */
  readonly tradesPerSecond: Estimate;
  /** Takers that would fill our quote of this side: those that sell for `buy`. */
  readonly intensity: Readonly<Record<Side, Estimate<Intensity>>>;
}

export const nothingKnown = (why: string): UnknownEstimate => ({ kind: 'unknown', samples: 0, ageMs: null, why });

/** What an estimate stands on. */
export interface Basis {
  /** May have a fraction: what is forgotten in part counts in part. */
  readonly samples: number;
  /** The last look, by our clock; null before the first. */
  readonly lastAt: EpochMs | null;
  readonly now: EpochMs;
  readonly oldestMs: DurationMs;
}

/** A sum of weights that are parts of 1 misses a whole number by rounding only. */
const ROUNDING = 1e-9;

/** The estimate, or why there is none: nothing seen, too old, or the sentence that `value` gives instead of a value. */
export function estimateOf<T>(
  basis: Basis,
  value: () => { readonly value: T } | { readonly why: string },
): Estimate<T> {
  const { lastAt, now, oldestMs } = basis;
  if (lastAt === null) return nothingKnown('Nothing was read yet.');
  const seen = { samples: Math.floor(basis.samples + ROUNDING), ageMs: Math.max(0, now - lastAt) };
  if (seen.ageMs > oldestMs) {
    const why = `The last look was ${seconds(seen.ageMs)} s ago; ${seconds(oldestMs)} s are the most.`;
    return { kind: 'unknown', ...seen, why };
  }
  const found = value();
  return 'why' in found ? { kind: 'unknown', ...seen, ...found } : { kind: 'known', ...seen, ...found };
}

const seconds = (ms: DurationMs): number => Math.round(ms / SECOND);
