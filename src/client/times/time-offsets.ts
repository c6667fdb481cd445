// Whose times are shifted, and by how much: each time field is compared with the `Date` of the answers that carry it
// (N5, Q17).
import { invariant } from '../../domain/invariant.ts';
import { type DurationMs, type EpochMs, HOUR, MINUTE } from '../../domain/time.ts';
import type { ReadKind } from '../../venue/requests.ts';
import { isProved, isUnfit, NOTHING_KNOWN, type OffsetBelief, PLAUSIBLE } from './offset-belief.ts';

export const QUARTER: DurationMs = 15 * MINUTE;

/**
 * Shifts are whole quarter hours, field time − true time; a field of local Indian time is 5 h 30 min ahead.
 *
 * `at-least`: rows would be from the future without it; the whole shift may be larger where no row was young.
 * `proved`: bounded from both sides, by a row that can't be older than an earlier answer.
 */
type OffsetEvidence = 'none' | 'at-least' | 'proved';

export interface TimeOffsetSettings {
  /** Shifts that are known: these win over what answers show. Whole quarter hours from −12 h to 14 h. */
  readonly configured: Partial<Readonly<Record<ReadKind, DurationMs>>>;
  /** How far `Date` may be from the clock that stamps rows. Less than this in the future proves nothing. */
  readonly toleranceMs: DurationMs;
  /** How long after its time a row may be missing from a list (Q6: up to 60 s). */
  readonly readLagMs: DurationMs;
}

export const TIME_OFFSET_DEFAULTS: TimeOffsetSettings = {
  configured: {},
  toleranceMs: MINUTE,
  readLagMs: MINUTE,
};

export interface TimeOffsetChange {
  /** By the venue's clock. */
  readonly at: EpochMs;
  readonly fromMs: DurationMs;
  readonly toMs: DurationMs;
  /** `rows`: new rows fit no longer. `clock`: `Date` stepped, so that what it had proved is gone. */
  readonly because: 'rows' | 'clock';
}

/** What is known of one kind's times. */
export interface TimeOffset {
  readonly kind: ReadKind;
  /**
   * What is taken from the times of rows: the configured shift, else the measured one, else that of the list it is the
   * archive of.
   */
  readonly appliedMs: DurationMs;
  readonly configured: boolean;
  /** What the answers show, configured or not. Zero where they show nothing. */
  readonly measuredMs: DurationMs;
  readonly evidence: OffsetEvidence;
  /** Answers that bear it out. */
  readonly samples: number;
  /** Answers in a row that do not fit: rows that come late, or a shift that has just changed. */
  readonly misfits: number;
  /** How often the shift stopped fitting, and the last time that it did. */
  readonly changes: number;
  readonly lastChange: TimeOffsetChange | null;
}

/** What was learned of one kind. */
export interface KindRecord {
  readonly belief: OffsetBelief;
  readonly changes: number;
  readonly lastChange: TimeOffsetChange | null;
}

/** One answer to a question, to be compared with the next. */
export interface Page {
  readonly venueDate: EpochMs;
  /** By the names of the rows. */
  readonly times: ReadonlyMap<string, EpochMs>;
  readonly newest: EpochMs;
}

/** Everything that is known; `observe-times.ts` learns. */
export interface TimeOffsets {
  readonly settings: TimeOffsetSettings;
  readonly kinds: ReadonlyMap<ReadKind, KindRecord>;
  /** The last page of each question. */
  readonly pages: ReadonlyMap<string, Page>;
  /** When orders of ours were made, at the earliest and at the latest, by the venue's clock. */
  readonly made: Map<string, { readonly earliest: EpochMs; readonly latest: EpochMs }>;
  readonly clock: DateClock | null;
}

/** One `Date` against our monotonic clock: the difference stays the same while the venue's clock runs evenly. */
export interface DateReading {
  readonly aheadMs: DurationMs;
  readonly mono: DurationMs;
}

interface DateClock {
  readonly reading: DateReading;
  /** Whether signed requests were taken by it. */
  readonly proved: boolean;
  /** The first of the answers that say something else, where the last ones did. */
  readonly other: DateReading | null;
}

/** Throws for a configured shift that is none. */
export function startTimeOffsets(settings: TimeOffsetSettings = TIME_OFFSET_DEFAULTS): TimeOffsets {
  for (const [kind, ms] of Object.entries(settings.configured)) {
    const quarters = ms / QUARTER;
    const possible = Number.isInteger(quarters) && quarters >= PLAUSIBLE.least && quarters <= PLAUSIBLE.most;
    invariant(possible, `The time offset of ${kind} is ${ms} ms, not whole quarter hours ${PLAUSIBLE_WORDS}.`);
  }
  return { settings, kinds: new Map(), pages: new Map(), made: new Map(), clock: null };
}

const PLAUSIBLE_WORDS = `from ${(PLAUSIBLE.least * QUARTER) / HOUR} h to ${(PLAUSIBLE.most * QUARTER) / HOUR} h`;

/** What is known of the times of one kind of answer. */
export function timeOffsetOf(state: TimeOffsets, kind: ReadKind): TimeOffset {
  const { belief, changes, lastChange } = state.kinds.get(kind) ?? NOTHING_LEARNED;
  const configuredMs = state.settings.configured[kind];
  const measuredMs = measuredMsOf(belief);
  return {
    kind,
    appliedMs: appliedOffsetMs(state, kind),
    configured: configuredMs !== undefined,
    measuredMs,
    evidence: evidenceOf(belief),
    samples: belief.samples,
    misfits: belief.misfits,
    changes,
    lastChange,
  };
}

/** What is taken from a written time of the kind to get the true one. */
export function appliedOffsetMs(state: TimeOffsets, kind: ReadKind): DurationMs {
  const { configured } = state.settings;
  const belief = beliefOf(state, kind);
  const measuredMs = measuredMsOf(belief);
  const recent = RECENT_OF[kind];
  if (configured[kind] !== undefined || recent === undefined || isProved(belief)) return configured[kind] ?? measuredMs;
  const recentBelief = beliefOf(state, recent);
  const recentMs = configured[recent] ?? measuredMsOf(recentBelief);
  // What is only known to be at least so much may be more: the larger of the two is nearer.
  return configured[recent] !== undefined || isProved(recentBelief) ? recentMs : Math.max(recentMs, measuredMs);
}

const beliefOf = ({ kinds }: TimeOffsets, kind: ReadKind): OffsetBelief => (kinds.get(kind) ?? NOTHING_LEARNED).belief;

/**
 * Rows of an archive are too old to show how they are shifted. They were rows of the recent list, and are written as
 * there.
 */
const RECENT_OF: Partial<Readonly<Record<ReadKind, ReadKind>>> = {
  'spot-trades-historical': 'spot-trades',
  'crypto-deposits-historical': 'crypto-deposits',
  'crypto-withdrawals-historical': 'crypto-withdrawals',
  'fiat-deposits-historical': 'fiat-deposits',
  'fiat-withdrawals-historical': 'fiat-withdrawals',
};

/**
 * A true moment as the kind's field would write it: filters (`startTime`, `endTime`) go out as given and are compared
 * by the venue with its own field.
 */
export function fieldTimeOf(state: TimeOffsets, kind: ReadKind, venueTime: EpochMs): EpochMs {
  return venueTime + appliedOffsetMs(state, kind);
}

export const NOTHING_LEARNED: KindRecord = { belief: NOTHING_KNOWN, changes: 0, lastChange: null };

/** A shift that has only a lower end is corrected by that end: rows would be from the future otherwise. */
export function measuredMsOf(belief: OffsetBelief): DurationMs {
  const { least } = belief.range;
  return isProved(belief) || (least > 0 && !isUnfit(belief)) ? least * QUARTER : 0;
}

/** `at-least` zero: the field is not behind UTC, which is all that young rows of an unshifted field show at first. */
export function evidenceOf(belief: OffsetBelief): OffsetEvidence {
  if (isProved(belief)) return 'proved';
  return belief.range.least >= 0 && !isUnfit(belief) ? 'at-least' : 'none';
}
