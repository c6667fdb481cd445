// What the fits from public trades and from own exposure share: when they are too thin, and the way to the mid price.
import type { Intensity } from './estimate.ts';
import type { IntensitySettings } from './settings.ts';

/** At the place where takers begin to count: how many arrive there, and how fast they get fewer beyond it. */
export interface TailFit {
  readonly fromBps: number;
  /** Takers per second that reach at least `fromBps`. */
  readonly perSecond: number;
  readonly decayPerBps: number;
  /** Takers that it was made of. */
  readonly samples: number;
}

/** Farther than this many mean distances, going back from the tail to the mid price is a guess. */
const LONGEST_WAY_BACK = 20;
/** Why there is no fit of so few takers, as a sentence; null where there is one. */
export function whyTooThin(samples: number, { minTakers, fullTakers, prior }: IntensitySettings): string | null {
  const least = prior === null ? fullTakers : minTakers;
  if (samples >= least) return null;
  const without = prior === null ? ' without a prior' : '';
  return `${Math.floor(samples)} takers far enough from the mid price were seen; ${least} are needed${without}.`;
}

/**
 * The fit of fewer than `fullTakers`, moved toward the prior: n/fullTakers of the way from it, in the logarithms of
 * the decay and of the arrivals at `fromBps`. (A itself is no place for that: it is far outside of what was seen, and
 * moves with k.)
 */
export function shrunk(fit: TailFit, { fullTakers, prior }: IntensitySettings): TailFit {
  if (prior === null || fit.samples >= fullTakers) return fit;
  const share = fit.samples / fullTakers;
  const between = (a: number, b: number): number => a ** share * b ** (1 - share);
  return {
    ...fit,
    decayPerBps: between(fit.decayPerBps, prior.decayPerBps),
    perSecond: between(fit.perSecond, prior.perSecond * Math.exp(-prior.decayPerBps * fit.fromBps)),
  };
}

/** A = arrivals at `fromBps`·e^(k·fromBps). */
export function atMid({ fromBps, perSecond, decayPerBps }: TailFit): { value: Intensity } | { why: string } {
  const way = decayPerBps * fromBps;
  // Far from the mid price a prior underflows to zero, and takes what is averaged with it along.
  if (way <= LONGEST_WAY_BACK && perSecond > 0) return { value: { perSecond: perSecond * Math.exp(way), decayPerBps } };
  const excess = (1 / decayPerBps).toFixed(2);
  return { why: `Takers go ${excess} bps beyond ${fromBps.toFixed(1)} bps: that says nothing about the mid price.` };
}
