// The measured lags as figures for people: what is proved, from how many events, of when.
import { DAY, type DurationMs, type EpochMs } from '../../domain/time.ts';
import {
  type BrokenBound,
  LAG_KINDS,
  type LagKind,
  type LagSample,
  type Lags,
  type MeasuredLags,
} from '../state/lags/lags.ts';
import type { TraderState } from '../state/state.ts';
import { countedOf, learnedMs, readLagBoundMs } from './lag-bound.ts';

/** Nearest rank. */
export interface Percentiles {
  readonly p50: DurationMs;
  readonly p90: DurationMs;
  readonly p99: DurationMs;
  readonly max: DurationMs;
}

export interface LagFigures {
  readonly kind: LagKind;
  readonly samples: number;
  /** Null while there are none. */
  readonly oldestAt: EpochMs | null;
  readonly newestAt: EpochMs | null;
  readonly atLeastMs: Percentiles | null;
  readonly atMostMs: Percentiles | null;
}

export interface LearningView {
  /** Events of each kind that it takes. */
  readonly needed: number;
  /** Events that count of the kind with the fewest. */
  readonly have: number;
  /** What was learned, in force or not while something looks as if it were wrong; null while it is too little. */
  readonly learnedMs: DurationMs | null;
  /** When what was learned was last wrong; null where it never was. */
  readonly contradictedAt: EpochMs | null;
}

export interface ReadLagsView {
  /** As configured. */
  readonly assumedMs: DurationMs;
  /** What proofs go by now. */
  readonly inForceMs: DurationMs;
  /** Where it may follow what was measured: how far that has come; null where it may not. */
  readonly learning: LearningView | null;
  readonly kinds: readonly LagFigures[];
  /** Set for a day after a list was proved to trail by more than is assumed. */
  readonly broken: BrokenBound | null;
}

/** For so long a broken assumption stands beside everything else that needs a person. */
const BROKEN_SHOWN_MS = DAY;

const remembered = new WeakMap<Lags, { readonly version: number; readonly kinds: readonly LagFigures[] }>();

export function readLagsView(state: TraderState, now: EpochMs): ReadLagsView {
  const { lags, settings } = state;
  const assumedMs = settings.assumptions.readLagBoundMs;
  const { broken, version } = lags;
  const known = remembered.get(lags);
  const kinds = known?.version === version ? known.kinds : lagFigures(lags);
  remembered.set(lags, { version, kinds });
  const stands = broken !== null && now - broken.at <= BROKEN_SHOWN_MS && broken.atLeastMs > assumedMs;
  const inForceMs = readLagBoundMs(state);
  return { assumedMs, inForceMs, learning: learningView(state, now), kinds, broken: stands ? broken : null };
}

function learningView(state: TraderState, now: EpochMs): LearningView | null {
  const { learning } = state.settings.assumptions;
  if (learning === undefined) return null;
  const have = Math.min(...LAG_KINDS.map((kind) => countedOf(state, kind, now).length));
  return {
    needed: learning.samples,
    have,
    learnedMs: learnedMs(state, now),
    contradictedAt: state.lags.contradictedAt,
  };
}

export function lagFigures({ samples }: Pick<MeasuredLags, 'samples'>): LagFigures[] {
  return LAG_KINDS.map((kind) => figuresOf(kind, samples[kind]));
}

function figuresOf(kind: LagKind, samples: readonly LagSample[]): LagFigures {
  return {
    kind,
    samples: samples.length,
    oldestAt: samples[0]?.at ?? null,
    newestAt: samples.at(-1)?.at ?? null,
    atLeastMs: percentiles(samples.map(({ atLeastMs }) => atLeastMs)),
    atMostMs: percentiles(samples.map(({ atMostMs }) => atMostMs)),
  };
}

function percentiles(values: readonly number[]): Percentiles | null {
  const sorted = values.toSorted((a, b) => a - b);
  const max = sorted.at(-1);
  if (max === undefined) return null;
  const rank = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? max;
  return { p50: rank(0.5), p90: rank(0.9), p99: rank(0.99), max };
}
