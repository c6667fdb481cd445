// The measured lags as figures for people: what is proved, from how many events, of when.
import { DAY, type DurationMs, type EpochMs, HOUR, SECOND } from '../../domain/time.ts';
import {
  type BrokenBound,
  LAG_KINDS,
  type LagKind,
  type LagSample,
  type Lags,
  type MeasuredLags,
} from '../state/lags.ts';
import { lagBoundMs, type TraderState } from '../state/state.ts';
import { notice, type Turn } from '../state/turn.ts';

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

export interface ReadLagsView {
  /** As configured. */
  readonly assumedMs: DurationMs;
  readonly kinds: readonly LagFigures[];
  /** Set for a day after a list was proved to trail by more than is assumed. */
  readonly broken: BrokenBound | null;
}

/** For so long a broken assumption stands beside everything else that needs a person. */
const BROKEN_SHOWN_MS = DAY;

const remembered = new WeakMap<Lags, { readonly version: number; readonly kinds: readonly LagFigures[] }>();

export function readLagsView({ settings, lags }: Pick<TraderState, 'settings' | 'lags'>, now: EpochMs): ReadLagsView {
  const assumedMs = lagBoundMs(settings);
  const { broken, version } = lags;
  const known = remembered.get(lags);
  const kinds = known?.version === version ? known.kinds : lagFigures(lags);
  remembered.set(lags, { version, kinds });
  const stands = broken !== null && now - broken.at <= BROKEN_SHOWN_MS && broken.atLeastMs > assumedMs;
  return { assumedMs, kinds, broken: stands ? broken : null };
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

// A proof that a list trailed by more than is assumed: what was concluded by the assumption may be wrong, and a person
// must know.

/** After so long, or where it is worse by so much, people are notified again. */
const SAID_FOR_MS = HOUR;
const WORSE_RATIO = 1.5;

const WORDS: Readonly<Record<LagKind, string>> = {
  listed: 'Open orders lacked an order that rested',
  gone: 'Open orders showed an order whose cancel was acknowledged, or that was filled,',
  trades: 'Own trades lacked a fill',
  wallet: 'The wallet lacked a fill',
};

export function noteAtLeast(turn: Turn, kind: LagKind, atLeastMs: DurationMs): void {
  const { lags, settings } = turn.state;
  const assumedMs = settings.assumptions.readLagBoundMs;
  if (atLeastMs <= assumedMs) return;
  const found = { kind, at: turn.now, atLeastMs };
  const before = lags.broken;
  const isNews = before === null || turn.now - before.at > SAID_FOR_MS || atLeastMs > before.atLeastMs * WORSE_RATIO;
  if (!isNews) return;
  lags.broken = found;
  notice(turn, { level: 'page', op: 'lag-bound-broken', message: brokenSentence(found, assumedMs) });
}

export function brokenSentence({ kind, atLeastMs }: BrokenBound, assumedMs: DurationMs): string {
  const [seen, assumed] = [atLeastMs, assumedMs].map((ms) => `${(ms / SECOND).toFixed(1)} s`);
  return (
    `${WORDS[kind]} ${seen} later, and ${assumed} at most are assumed (assumptions.readLagBoundMs): what ` +
    `was proved by that may be wrong.`
  );
}
