// A number that was estimated, with what it stands on. One that is too thin or too old says so instead of a number.
import type { DurationMs } from '../domain/time.ts';

export type Estimate<T = number> = KnownEstimate<T> | UnknownEstimate;

export interface KnownEstimate<T = number> {
  readonly kind: 'known';
  readonly value: T;
  /** Observations that it was made of. */
  readonly samples: number;
  /** Since the last of them. */
  readonly ageMs: DurationMs;
}

export interface UnknownEstimate {
  readonly kind: 'unknown';
  readonly samples: number;
  /** Since the last observation; null before the first. */
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

export const nothingKnown = (why: string): UnknownEstimate => ({ kind: 'unknown', samples: 0, ageMs: null, why });
